-- A new SECRETS_KEY: what was sealed with the one before it is sealed again, and links that were signed with it stay good.

create table public.retired_keys (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  sealed text not null check (length(sealed) <= 1000),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.retired_keys is
  'Former keys of unsubscribe links, which never expire; derived one way from a former SECRETS_KEY, sealed with today''s.';
comment on column public.retired_keys.id is 'The id of the SECRETS_KEY it is derived from (lib/integrations/secrets.ts).';

alter table public.retired_keys enable row level security;
revoke all on public.retired_keys from anon, authenticated;
grant select, insert, update, delete on public.retired_keys to service_role;

create function public.rotate_secrets(p_changes jsonb, p_retired jsonb) returns uuid[]
language sql volatile set search_path = ''
as $$
  with retired as (
    insert into public.retired_keys (id, sealed)
    select id, sealed from jsonb_to_recordset(p_retired) as r (id text, sealed text)
    on conflict (id) do update set sealed = excluded.sealed
  ), changed as (
    -- What was saved since it was read stays as it was saved.
    update public.integration_configs i set secrets = c.after
    from jsonb_to_recordset(p_changes) as c (id uuid, before jsonb, after jsonb)
    where i.id = c.id and i.secrets = c.before
    returning i.id
  )
  select coalesce(array_agg(id), '{}') from changed
$$;
comment on function public.rotate_secrets(jsonb, jsonb) is
  'Replaces integrations'' secrets ({id, before, after}) where they are still `before`, and keeps former keys ({id, sealed}). Returns the integrations it changed.';

revoke execute on function public.rotate_secrets(jsonb, jsonb) from public, anon, authenticated;
grant execute on function public.rotate_secrets(jsonb, jsonb) to service_role;
