-- What a group's set-up list remembers: the last test of each connection, and the steps that were put off.

create table public.integration_tests (
  organization_id uuid not null references public.organizations on delete cascade,
  kind text not null check (kind in ('pms', 'ai', 'twilio', 'resend', 'mail')),
  tested_at timestamptz not null default now() check (tested_at between '1900-01-01Z' and '2200-01-01Z'),
  tested_by uuid references public.profiles on delete set null,
  reason text check (length(reason) <= 60),
  primary key (organization_id, kind)
);
comment on table public.integration_tests is
  'The last test of each connection, with the settings that are stored now: other settings remove it (private.forget_tests).';
comment on column public.integration_tests.kind is
  'The integration; mail is a test mail that was sent through resend to the person who asked.';
comment on column public.integration_tests.reason is 'Why it failed (TestReason in lib/integrations/schema.ts); null: it passed.';
create index integration_tests_person_idx on public.integration_tests (tested_by);

create table public.setup_skips (
  organization_id uuid not null references public.organizations on delete cascade,
  step text not null check (step in ('pms', 'channels')),
  skipped_at timestamptz not null default now() check (skipped_at between '1900-01-01Z' and '2200-01-01Z'),
  skipped_by uuid references public.profiles on delete set null,
  primary key (organization_id, step)
);
comment on table public.setup_skips is
  'Optional steps of the set-up list that the group put off; taking the row away opens the step again.';
create index setup_skips_person_idx on public.setup_skips (skipped_by);

alter table public.integration_tests enable row level security;
alter table public.setup_skips enable row level security;
revoke all on public.integration_tests, public.setup_skips from anon, authenticated;
grant select on public.integration_tests, public.setup_skips to authenticated;
grant select, insert, update, delete on public.integration_tests, public.setup_skips to service_role;

create policy "settings staff read integration tests" on public.integration_tests for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));
create policy "settings staff read skipped steps" on public.setup_skips for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));

create function private.forget_tests() returns trigger
language plpgsql set search_path = ''
as $$
begin
  delete from public.integration_tests t
  where t.organization_id = new.organization_id
    and (t.kind = new.integration_type or t.kind = 'mail' and new.integration_type = 'resend');
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
create trigger integration_configs_forget after update of config on public.integration_configs for each row
  when ((old.config, old.secrets, old.address) is distinct from (new.config, new.secrets, new.address))
  execute function private.forget_tests();

create function public.note_integration_test(p_organization uuid, p_kind text, p_by uuid, p_reason text, p_seen timestamptz)
returns void
language sql volatile set search_path = ''
as $$
  insert into public.integration_tests (organization_id, kind, tested_by, reason)
  select c.organization_id, p_kind, p_by, p_reason
  from public.integration_configs c
  where c.organization_id = p_organization and c.updated_at = p_seen
    and c.integration_type = case p_kind when 'mail' then 'resend' else p_kind end
  for share
  on conflict (organization_id, kind) do update
  set tested_at = excluded.tested_at, tested_by = excluded.tested_by, reason = excluded.reason
$$;
comment on function public.note_integration_test(uuid, text, uuid, text, timestamptz) is
  'Keeps the outcome of a test of the settings that were saved at p_seen; nothing when others were saved meanwhile.';

create function public.skip_setup_step(p_step text, p_skipped boolean) returns text
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

revoke execute on function public.note_integration_test(uuid, text, uuid, text, timestamptz) from public, anon, authenticated;
grant execute on function public.note_integration_test(uuid, text, uuid, text, timestamptz) to service_role;
revoke execute on function public.skip_setup_step(text, boolean) from public, anon;
grant execute on function public.skip_setup_step(text, boolean) to authenticated;
