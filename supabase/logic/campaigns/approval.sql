-- Large sends wait for a second person's approval; one send, or all of them, can be stopped. enqueue_run lets
-- a run wait, claim_messages sends none of its messages; the functions here approve or refuse it.
-- lib/automations/control-runs.ts calls them.

create or replace function private.caller_name() returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(nullif(full_name, ''), email) from public.profiles where id = (select private.caller())
$$;
comment on function private.caller_name() is 'The signed-in person''s name for logs.';

create or replace function private.are_linked(p_one uuid, p_other uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  with recursive makers (start, id) as (
    select s, s from unnest(array[p_one, p_other]) as s
    union
    select m.start, g.granted_by from makers m
    join private.role_grants g on g.profile_id = m.id and g.granted_at > now() - interval '30 days'
  )
  select exists (select from makers m where m.start <> m.id and m.id in (p_one, p_other))
$$;
comment on function private.are_linked(uuid, uuid) is
  'Whether one of two people invited the other, set their role or made a link to their new password within 30 days, directly or through people whom they made so.';

create or replace function private.may_approve(p_person uuid, p_starter uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.profiles p where p.id = p_person and p.role <> 'machine')
    and p_person is distinct from s.person and not private.are_linked(p_person, s.person)
  from (select coalesce((
    select t.created_by_id from private.api_tokens t where t.user_id = p_starter), p_starter) as person) as s
$$;
comment on function private.may_approve(uuid, uuid) is
  'Whether p_person is a second person besides p_starter, who asked: a person, who has not made the token that asked, and whom no fresh invitation or role links with them.';

create or replace function private.run_to_decide(p_run uuid) returns public.automation_runs
language plpgsql volatile set search_path = ''
as $$
declare
  v public.automation_runs;
begin
  select * into v from public.automation_runs run
  where run.id = p_run
    and run.organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and private.covers(run.location_ids)
    -- Campaigns are decided on as a whole.
    and not exists (select 1 from public.automations a where a.id = run.automation_id
      and a.type = 'campaign');
  if v.id is not null then
    -- One decision at a time, and no claim meanwhile.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || v.organization_id::text,
      0));
    select * into v from public.automation_runs run where run.id = p_run for update;
  end if;
  return v;
end
$$;
comment on function private.run_to_decide(uuid) is
  'The run, locked against claims and other decisions; null unless the caller''s role and locations let them decide on it.';

create or replace function public.decide_run(p_run uuid, p_approve boolean, p_guests integer default null)
  returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v public.automation_runs := private.run_to_decide(p_run);
begin
  if v.id is null or p_approve is null then
    return 'not_found';
  elsif v.status <> 'waiting_approval' or v.expires_at <= now() then
    return 'not_waiting';
  elsif p_approve and not private.may_approve(private.caller(), v.started_by) then
    return 'own';
  elsif p_approve and v.guests is distinct from p_guests then
    return 'changed';
  end if;
  update public.automation_runs
  set status = case when p_approve then 'running' else 'refused' end, expires_at = null,
    decided_by = private.caller_name(), decided_at = now()
  where id = v.id;
  perform private.audit(v.organization_id,
    case when p_approve then 'automation.approved' else 'automation.refused' end,
    v.automation_id, jsonb_build_object('run_id', v.id, 'guests', v.guests));
  return case when p_approve then 'approved' else 'refused' end;
end
$$;
comment on function public.decide_run(uuid, boolean, integer) is
  'Approves or refuses a waiting run: approved, refused, own (neither the person who started it, in person or by a token, nor a program, nor whom they invited or gave a role within 30 days or the other way round, can approve it), changed (the approval is for p_guests, as the caller saw them), not_waiting or not_found.';

create or replace function public.stop_run(p_run uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v public.automation_runs := private.run_to_decide(p_run);
begin
  if v.id is null then
    return 'not_found';
  elsif v.status not in ('running', 'paused', 'waiting_approval') then
    return 'not_running';
  end if;
  update public.automation_runs
  set status = 'stopped', reason = null, expires_at = null, stopped_by = private.caller_name(),
    stopped_at = now()
  where id = v.id;
  perform private.audit(v.organization_id, 'automation.stopped', v.automation_id,
    jsonb_build_object('run_id', v.id));
  return 'stopped';
end
$$;
comment on function public.stop_run(uuid) is
  'Ends a run: no more of its messages are leased, and cancel_held cancels its queued messages. stopped, not_running or not_found.';

create or replace function public.stop_sending(p_stop boolean) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  o public.organizations;
begin
  select * into o from public.organizations
  where id = any(array(select private.my_organizations('canAccessMarketing'))) and private.works_everywhere();
  if o.id is null or p_stop is null then
    return 'forbidden';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || o.id::text, 0));
  update public.organizations
  set sending_stopped_at = case when p_stop then now() end,
    sending_stopped_by = case when p_stop then private.caller_name() end
  where id = o.id and (sending_stopped_at is not null) <> p_stop;
  if found then
    perform private.audit(o.id, case when p_stop then 'sending.stopped' else 'sending.resumed' end, o.id,
      '{}');
  end if;
  return case when p_stop then 'stopped' else 'resumed' end;
end
$$;
comment on function public.stop_sending(boolean) is
  'Stops everything that automations send in the caller''s organization, or lets it go on: stopped, resumed or forbidden.';

create or replace function public.cancel_held(p_organization uuid, p_now timestamptz default now(),
  p_limit integer default 10000)
returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_cancelled integer;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  update public.automation_runs set status = 'expired', expires_at = null
  where organization_id = p_organization and status = 'waiting_approval'
    and processed > sent + skipped + failed
    and expires_at <= p_now;
  with due as (
    select m.id, run.status from public.automation_runs run
    join public.messages m on m.run_id = run.id and m.status = 'queued'
    where run.organization_id = p_organization and run.status in ('refused', 'expired', 'stopped')
      and run.processed > run.sent + run.skipped + run.failed
    limit p_limit for update of m
  )
  update public.messages m
  set status = case when m.maybe_accepted then 'unknown' else 'skipped' end, reason = due.status
  from due where m.id = due.id;
  get diagnostics v_cancelled = row_count;
  return v_cancelled;
end
$$;
comment on function public.cancel_held(uuid, timestamptz, integer) is
  'Ends runs that waited for approval too long, and cancels up to p_limit queued messages of runs that are over; those being sent are not touched. Returns how many it cancelled.';

create or replace function public.run_to_approve(p_organization uuid, p_run uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('channels', coalesce((
      select jsonb_object_agg(channel, n) from (
        select m.channel, count(*) as n from public.messages m where m.run_id = run.id and m.status = 'queued'
        group by m.channel) as by_channel), '{}'),
    'template', run.template, 'channel', sample.channel, 'facts', sample.facts)
  from public.automation_runs run
  left join lateral (
    select m.channel, private.message_facts(o, c, r, l,
      (select t.name from public.loyalty_tiers t where t.id = c.loyalty_tier_id)) as facts
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    where m.run_id = run.id and m.status = 'queued'
    order by m.id limit 1
  ) as sample on true
  where run.id = p_run and run.organization_id = p_organization
$$;
comment on function public.run_to_approve(uuid, uuid) is
  'The messages of a run that waits for approval: {channels: messages by channel, template, channel and facts of one message}.';
grant execute on function private.may_approve(uuid, uuid) to authenticated, service_role;
grant execute on function public.decide_run(uuid, boolean, integer), public.stop_run(uuid),
  public.stop_sending(boolean) to authenticated;
grant execute on function public.cancel_held(uuid, timestamptz, integer), public.run_to_approve(uuid, uuid)
  to service_role;
