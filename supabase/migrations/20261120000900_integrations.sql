-- Configuration of outside services. Secrets are ciphertext and never leave through the API; a new SECRETS_KEY seals
-- them again, and links that were signed with the former one stay good.

create table public.integration_configs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  integration_type text not null check (integration_type in ('pms', 'ai', 'twilio', 'resend')),
  is_enabled boolean not null default false,
  config jsonb not null default '{}' check (jsonb_typeof(config) = 'object')
    check (pg_column_size(config) <= 65536 and not jsonb_path_exists(config, '$.**{6}')),
  secrets jsonb not null default '{}' check (jsonb_typeof(secrets) = 'object')
    check (pg_column_size(secrets) <= 65536 and not jsonb_path_exists(secrets, '$.**{4}')),
  address text not null default '' check (length(address) <= 300),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, integration_type),
  constraint integration_configs_instants_check check (
    least(created_at, updated_at) >= '1900-01-01Z' and greatest(created_at, updated_at) < '2200-01-01Z')
);
comment on table public.integration_configs is 'One row an organization and service; only enabled ones are used.';
comment on column public.integration_configs.secrets is
  'Field name to AES-256-GCM ciphertext (lib/integrations/secrets.ts); not granted to users.';
comment on column public.integration_configs.address is
  'What the secrets are bound to (lib/integrations/secrets.ts): another host or account clears them.';

create trigger integration_configs_touch before update on public.integration_configs
  for each row execute function private.touch_updated_at();

create table public.retired_keys (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  sealed text not null check (length(sealed) <= 1000),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.retired_keys is
  'Former keys of unsubscribe links, which never expire; derived one way from a former SECRETS_KEY, sealed with today''s.';
comment on column public.retired_keys.id is 'The id of the SECRETS_KEY it is derived from (lib/integrations/secrets.ts).';

alter table public.integration_configs enable row level security;
alter table public.retired_keys enable row level security;
revoke all on public.integration_configs, public.retired_keys from anon, authenticated;
grant select (id, organization_id, integration_type, is_enabled, config, created_at, updated_at)
  on public.integration_configs to authenticated;
grant select, insert, update, delete on public.integration_configs, public.retired_keys to service_role;

create policy "settings staff read integrations" on public.integration_configs for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));

create function public.save_integration(p_organization uuid, p_type text, p_enabled boolean, p_config jsonb,
  p_address text, p_secrets jsonb, p_required text[]) returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_old jsonb;
  v_moved boolean;
  v_secrets jsonb;
  v_missing text[];
begin
  insert into public.integration_configs (organization_id, integration_type) values (p_organization, p_type)
  on conflict do nothing;
  select secrets, address <> p_address into v_old, v_moved from public.integration_configs
  where organization_id = p_organization and integration_type = p_type for update;
  v_secrets := jsonb_strip_nulls(case when v_moved then p_secrets else v_old || p_secrets end);
  v_missing := array(select name from unnest(p_required) as name where not v_secrets ? name);
  -- What a move took away is no mistake of the request; what was never there is.
  if p_enabled and cardinality(v_missing) > 0 and not (v_moved and v_old ?& v_missing) then
    return v_missing;
  end if;
  update public.integration_configs
  set is_enabled = p_enabled and cardinality(v_missing) = 0, config = p_config, secrets = v_secrets, address = p_address
  where organization_id = p_organization and integration_type = p_type;
  return '{}';
end
$$;
comment on function public.save_integration(uuid, text, boolean, jsonb, text, jsonb, text[]) is
  'Replaces config, merges secrets (null deletes). Another address clears the stored secrets and switches off what then lacks one. Returns the required names that are missing otherwise; then it saved nothing.';

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

revoke execute on function public.save_integration(uuid, text, boolean, jsonb, text, jsonb, text[]),
  public.rotate_secrets(jsonb, jsonb) from public, anon, authenticated;
grant execute on function public.save_integration(uuid, text, boolean, jsonb, text, jsonb, text[]),
  public.rotate_secrets(jsonb, jsonb) to service_role;
