-- The set-up list of a group: the outcome of tests, and steps that are put off.

create or replace function private.forget_tests() returns trigger
language plpgsql set search_path = ''
as $$
begin
  delete from public.integration_tests t
  where t.organization_id = new.organization_id
    and (t.kind = new.integration_type::text
      or t.kind = 'mail' and new.integration_type::text = any(private.providers_of('email')));
  if (old.address, old.secrets -> 'auth_token', old.secrets -> 'webhook_secret')
    is distinct from (new.address, new.secrets -> 'auth_token', new.secrets -> 'webhook_secret') then
    update public.webhook_calls w set heard_at = null, refused_at = null
    where w.organization_id = new.organization_id and w.provider = new.integration_type;
  end if;
  return null;
end
$$;
comment on function private.forget_tests() is
  'Trigger: other settings have not been tested, and a webhook with another key has not been heard.';

-- Not when a new SECRETS_KEY seals the same secrets again: that changes `secrets` alone.
create or replace trigger integration_configs_forget after update of config on public.integration_configs
  for each row
  when ((old.config, old.secrets, old.address) is distinct from (new.config, new.secrets, new.address))
  execute function private.forget_tests();

create or replace function public.note_integration_test(p_organization uuid, p_kind text, p_by uuid,
  p_reason text, p_seen timestamptz)
returns void
language sql volatile set search_path = ''
as $$
  insert into public.integration_tests (organization_id, kind, tested_by, reason)
  select c.organization_id, p_kind, p_by, p_reason
  from public.integration_configs c
  where c.organization_id = p_organization and c.updated_at = p_seen
    and c.integration_type::text = case p_kind when 'mail' then 'resend' else p_kind end
  for share
  on conflict (organization_id, kind) do update
  set tested_at = excluded.tested_at, tested_by = excluded.tested_by, reason = excluded.reason
$$;
comment on function public.note_integration_test(uuid, text, uuid, text, timestamptz) is
  'Keeps the outcome of a test of the settings that were saved at p_seen; nothing when others were saved meanwhile.';

create or replace function public.skip_setup_step(p_step text, p_skipped boolean) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select private.my_organizations('canViewSettings'));
begin
  if v_organization is null or not private.works_everywhere() then
    return 'forbidden';
  end if;
  if p_skipped then
    insert into public.setup_skips (organization_id, step, skipped_by)
    values (v_organization, p_step, (select private.caller()))
    on conflict do nothing;
  else
    delete from public.setup_skips where organization_id = v_organization and step = p_step;
  end if;
  return 'saved';
end
$$;
comment on function public.skip_setup_step(text, boolean) is
  'Puts an optional step of the caller''s set-up list off, or opens it again: saved or forbidden.';
grant execute on function public.note_integration_test(uuid, text, uuid, text, timestamptz) to service_role;
grant execute on function public.skip_setup_step(text, boolean) to authenticated;
