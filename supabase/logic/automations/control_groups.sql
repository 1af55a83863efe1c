-- Control groups: an automation does not write to a random share of its guests, so that the others can be
-- compared with them (docs/lift.md). plan_query draws, judge_messages checks before sending,
-- lifts_of_automations compares.

create or replace function private.control_share(a public.automations) returns smallint
language sql stable set search_path = ''
as $$
  select case private.kind_of(a) when 'transactional' then 0
    else coalesce(a.control_share, (
      select o.control_share from public.organizations o where o.id = a.organization_id)) end::smallint
$$;
comment on function private.control_share(public.automations) is
  'The per cent of its guests in the control group: the automation''s own, else the organization''s. 0 for what is transactional.';

create or replace function private.lift_window() returns interval
language sql immutable set search_path = ''
as $$
  -- As long as results_of_automation attributes reservations.
  select interval '30 days'
$$;
comment on function private.lift_window() is
  'The time after a guest began in which their visits are compared.';

create or replace function private.enrol(a public.automations, p_run uuid, p_share smallint,
  p_now timestamptz) returns void
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  -- All messages of a campaign have one control group.
  v_automation uuid := coalesce(a.campaign_id, a.id);
begin
  if p_share = 0 then
    -- The control group of these is written to from now on: before their days are over nothing is known of
    -- them.
    delete from private.enrolments e
    where e.automation_id = v_automation
      and e.enrolled_at > p_now - private.lift_window() - interval '2 days';
    return;
  end if;
  insert into private.enrolments (automation_id, customer_id, run_id, held, share, enrolled_at)
  select v_automation, p.customer_id, p_run, bool_or(p.reason is not null), p_share, p_now
  from pg_temp.outbox_plan p
  where (p.reason is null or p.reason = 'control_group') and not exists (
    select 1 from private.enrolments e where e.automation_id = v_automation and e.customer_id = p.customer_id)
  group by p.customer_id;
end
$$;
comment on function private.enrol(public.automations, uuid, smallint, timestamptz) is
  'Records the guests of pg_temp.outbox_plan who begin now, each in their group. With a share of 0 it forgets, in both groups, those whose days are not over.';

create or replace function private.forget_enrolments() returns trigger
language plpgsql set search_path = ''
as $$
begin
  delete from private.enrolments e where e.run_id = new.id;
  update public.messages m set reason = new.status
  where m.run_id = new.id and m.status = 'skipped' and m.reason = 'control_group';
  return null;
end
$$;
comment on function private.forget_enrolments() is
  'Trigger: a run that is refused, or not approved in time, wrote to nobody, so its guests have not begun.';

create or replace trigger automation_runs_forget_enrolments after update of status on public.automation_runs
  for each row
  when (new.status in ('refused', 'expired') and old.status is distinct from new.status)
  execute function private.forget_enrolments();
grant execute on function private.control_share(public.automations), private.lift_window(),
  private.enrol(public.automations, uuid, smallint, timestamptz) to service_role;
