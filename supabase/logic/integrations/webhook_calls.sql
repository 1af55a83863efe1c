-- Writes down that a provider's webhook was called.

create or replace function public.note_webhook(p_provider public.integration_type,
  p_organization uuid default null) returns void
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
  set heard_at = coalesce(excluded.heard_at, w.heard_at),
    refused_at = coalesce(excluded.refused_at, w.refused_at)
$$;
comment on function public.note_webhook(public.integration_type, uuid) is
  'Stamps a call with a right signature (p_organization signed it), or a refused one (null: for all that have the provider). A stamp younger than a minute stays, without a write.';
grant execute on function public.note_webhook(public.integration_type, uuid) to service_role;
