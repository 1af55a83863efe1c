-- When each provider's webhook was last heard: whether its address and its key are right shows only by its calls.

create table public.webhook_calls (
  organization_id uuid not null references public.organizations on delete cascade,
  provider text not null check (provider in ('twilio', 'resend')),
  heard_at timestamptz check (heard_at between '1900-01-01Z' and '2200-01-01Z'),
  refused_at timestamptz check (refused_at between '1900-01-01Z' and '2200-01-01Z'),
  primary key (organization_id, provider)
);
comment on table public.webhook_calls is
  'One row an organization and provider with two times, each written at most once a minute; nothing of a call is stored.';
comment on column public.webhook_calls.heard_at is 'The last call whose signature was right; null: none yet.';
comment on column public.webhook_calls.refused_at is
  'The last call whose signature was wrong. Nobody knows whose it was: every organization that set up the provider gets it.';

alter table public.webhook_calls enable row level security;
revoke all on public.webhook_calls from anon, authenticated;
grant select on public.webhook_calls to authenticated;
grant select, insert, update, delete on public.webhook_calls to service_role;

create policy "settings staff read webhook calls" on public.webhook_calls for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));

create function public.note_webhook(p_provider text, p_organization uuid default null) returns void
language sql volatile set search_path = ''
as $$
  insert into public.webhook_calls as w (organization_id, provider, heard_at, refused_at)
  select c.organization_id, p_provider,
    case when p_organization is not null then now() end, case when p_organization is null then now() end
  from public.integration_configs c
  left join public.webhook_calls k on k.organization_id = c.organization_id and k.provider = p_provider
  where c.integration_type = p_provider and (p_organization is null or c.organization_id = p_organization)
    and coalesce(case when p_organization is null then k.refused_at else k.heard_at end, '-infinity')
      < now() - interval '1 minute'
  -- Two calls at once must not wait for each other.
  order by c.organization_id
  on conflict (organization_id, provider) do update
  set heard_at = coalesce(excluded.heard_at, w.heard_at), refused_at = coalesce(excluded.refused_at, w.refused_at)
$$;
comment on function public.note_webhook(text, uuid) is
  'Stamps a call with a right signature (p_organization signed it), or a refused one (null: for all that have the provider). A stamp younger than a minute stays, without a write.';

revoke execute on function public.note_webhook(text, uuid) from public, anon, authenticated;
grant execute on function public.note_webhook(text, uuid) to service_role;
