-- From a run to the outbox: the messages of a run are planned and queued, or held for approval; resume_run
-- lets a paused run go on.

create or replace function private.hold_large_run(p_run uuid, p_planned boolean) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_guests integer;
begin
  update public.automation_runs set guests = processed - skipped where id = p_run and expires_at is not null;
  if not found or not p_planned then
    return;
  end if;
  v_guests := (select count(distinct customer_id) from public.messages
    where run_id = p_run and status = 'queued');
  update public.automation_runs run
  set guests = v_guests,
    status = case when v_guests <= o.approve_above and run.status = 'waiting_approval' then 'running'
    else run.status end,
    expires_at = case when v_guests > coalesce(o.approve_above, 0) then run.expires_at end,
    template = case when v_guests > coalesce(o.approve_above, 0) then run.template end
  from public.organizations o where run.id = p_run and o.id = run.organization_id;
end
$$;
comment on function private.hold_large_run(uuid, boolean) is
  'Counts the customers of a run that waits for approval. Once it is planned to its end (p_planned), it starts by itself when they are no more than approve_above.';

create or replace function private.ordered_id(p_nth bigint) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_time bigint := (extract(epoch from statement_timestamp()) * 1000)::bigint + p_nth / 4096;
begin
  return (lpad(to_hex(v_time), 12, '0') || '7' || lpad(to_hex(p_nth % 4096), 3, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid;
end
$$;
comment on function private.ordered_id(bigint) is
  'A UUID of version 7: those of a statement sort by p_nth, and after those of earlier statements. Messages of a run that are sent together lie together, in the table and in its indexes.';

create or replace function private.plan_next(a public.automations, p_run uuid, p_now timestamptz,
  p_retry_after interval, p_limit integer, p_closed jsonb)
returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_after uuid := (select run.planned_to from public.automation_runs run where run.id = p_run);
  v_cap integer := (select o.frequency_cap_days from public.organizations o where o.id = a.organization_id);
  v_recent integer := (a.criteria ->> 'recent_days')::integer;
  v_uncounted uuid[] := private.uncounted_for(a, v_cap);
  v_until uuid;
  -- How many customers it looks at in one go: more where few of them match.
  v_span bigint := p_limit;
  v_left integer := p_limit;
  v_planned integer;
begin
  loop
    v_until := (
      select c.id from public.customers c
      where c.organization_id = a.organization_id
        and c.id > coalesce(v_after, '00000000-0000-0000-0000-000000000000')
      order by c.id offset v_span - 1 limit 1);
    drop table if exists pg_temp.outbox_plan;
    create temp table outbox_plan on commit drop as
    select * from private.plan_part(a, p_now, p_retry_after, p_run, v_after, v_until, v_left, p_closed);
    get diagnostics v_planned = row_count;
    if v_planned > 0 then
      analyze pg_temp.outbox_plan;
      -- Messages that are tried again: a failed row stays and gives up its key, and so does a skipped one
      -- whose reason has changed, for 30 days (kept_for). Each key is looked up by itself (offset 0): there
      -- may be far more skipped messages in the organization than keys in the plan.
      with earlier as materialized (
        select found.id, found.has_same_reason
        from pg_temp.outbox_plan p
        cross join lateral (
          select m.id, m.status = 'skipped' and m.reason = p.reason as has_same_reason
          from public.messages m
          where m.organization_id = a.organization_id and m.dedupe_key = p.dedupe_key
            and m.status in ('skipped', 'failed') offset 0
        ) as found
      ), removed as (
        delete from public.messages m using earlier e where m.id = e.id and e.has_same_reason
      )
      update public.messages m set dedupe_key = concat_ws(':', m.dedupe_key, m.status, m.id),
        superseded_at = case m.status when 'skipped' then p_now end
      from earlier e where m.id = e.id and e.has_same_reason is not true;

      insert into public.messages (id, organization_id, kind, purpose, automation_id, run_id, customer_id,
        reservation_id, location_id, channel, recipient, status, reason, detail, dedupe_key, not_before,
        created_at)
      select private.ordered_id(row_number() over (order by p.customer_id)), a.organization_id, p.kind,
        a.type, a.id, p_run, p.customer_id, p.reservation_id, p.location_id, p.channel, p.recipient,
        case when p.reason is null then 'queued' else 'skipped' end, p.reason,
        case when p.reason is null then p.held
          when p.reason in ('suppressed', 'frequency_cap', 'recently_written', 'guest_frequency')
          then private.detail_of(a.organization_id, p.customer_id, null, p.channel, p.recipient, p.reason,
            p_now - make_interval(days => case p.reason when 'recently_written' then v_recent
              when 'guest_frequency' then private.monthly_days() else v_cap end),
            false, case p.reason when 'frequency_cap' then v_uncounted
              when 'guest_frequency' then private.uncounted_for(a, private.monthly_days()) end) end,
        p.dedupe_key, p.not_before, p_now
      from pg_temp.outbox_plan p
      order by p.customer_id
      on conflict do nothing;
    end if;
    if a.step is null or a.step = 1 and v_planned > 0 then
      perform private.enrol(a, p_run, private.control_share(a), p_now);
    end if;
    v_after := case when v_planned < v_left then v_until else (
      select p.customer_id from pg_temp.outbox_plan p order by p.customer_id desc limit 1) end;
    v_left := v_left - v_planned;
    v_span := case when v_planned < v_span / 8 then v_span * 4 else v_span end;
    -- A step ends well below the limit of a statement.
    exit when v_after is null or v_left <= p_limit / 2
      or clock_timestamp() > statement_timestamp() + interval '2 seconds';
  end loop;
  update public.automation_runs set planned_to = v_after where id = p_run;
  return v_after is not null;
end
$$;
comment on function private.plan_next(public.automations, uuid, timestamptz, interval, integer, jsonb) is
  'Puts the next messages of a run (about p_limit) into the outbox and moves its checkpoint, in one transaction; whether there may be more.';

create or replace function private.end_planning(p_run uuid) returns void
language sql volatile set search_path = ''
as $$
  update public.automation_runs
  set planning = false, planned_to = null,
    status = case when status in ('running', 'waiting_approval') and processed <= sent + skipped + failed
      then 'finished' else status end,
    expires_at = case when processed = 0 then null else expires_at end,
    finished_at = case when processed = 0 then started_at
      when status in ('running', 'waiting_approval') and processed <= sent + skipped + failed
        then coalesce(finished_at, greatest(now(), started_at)) else finished_at end
  where id = p_run and planning
$$;
comment on function private.end_planning(uuid) is
  'No more messages are planned for the run; when none are open it is finished.';

create or replace function public.enqueue_run(p_organization uuid, p_automation uuid, p_triggered_by text,
  p_now timestamptz default now(), p_run uuid default null, p_limit integer default 10000,
  p_closed jsonb default '{}', p_person uuid default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
  o public.organizations;
  v_run uuid := p_run;
  v_more boolean;
begin
  -- One plan at a time, so that two automations do not write to one customer within the frequency cap.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('outbox:' || p_organization::text, 0));
  select * into a from public.automations
  where id = p_automation and organization_id = p_organization and deleted_at is null
    and type <> 'campaign' for update;
  if a.id is null or a.status <> 'active' then
    perform private.end_planning(p_run);
    if a.id is null then
      return jsonb_build_object('outcome', 'unknown');
    end if;
    return jsonb_build_object('outcome', 'inactive');
  end if;
  select * into o from public.organizations where id = p_organization;
  if o.sending_stopped_at is not null then
    return jsonb_build_object('outcome', 'stopped');
  end if;
  if v_run is null then
    -- Where large sends need approval, a run waits until it is planned to its end: only then is its size
    -- known.
    insert into public.automation_runs (organization_id, automation_id, automation_name, location_ids,
      triggered_by, started_at, started_by, started_by_name, status, planning, expires_at, template, event)
    values (p_organization, a.id, a.name, a.location_ids, p_triggered_by, p_now, p_person,
      (select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p where p.id = p_person),
      case when o.approve_above is null then 'running' else 'waiting_approval' end, true,
      case when o.approve_above is not null then p_now + interval '24 hours' end,
      case when o.approve_above is not null then private.template_of(a)
        || jsonb_build_object('email_look', private.email_look_of(a)) end,
      jsonb_build_object('name', 'automation/run', 'data',
      jsonb_build_object('automation_id', a.id, 'triggered_by', p_triggered_by)))
    returning id into v_run;
  end if;
  -- Locked, so that it is not approved, refused or stopped before this part of its messages is there.
  perform 1 from public.automation_runs run where run.id = v_run for update;
  if exists (
    select 1 from public.automation_runs run where run.id = v_run
      and (not run.planning or run.decided_at is not null or run.status in ('refused', 'expired', 'stopped')))
        then
    -- An approval covers the messages that were there: none are added to it, nor to a run that is over.
    perform private.end_planning(v_run);
    return jsonb_build_object('outcome', 'enqueued', 'run_id', v_run, 'more', false);
  end if;

  v_more := private.plan_next(a, v_run, p_now,
    case p_triggered_by when 'schedule' then interval '1 day' else interval '0' end, p_limit, p_closed);
  perform private.hold_large_run(v_run, not v_more);
  if not v_more then
    perform private.end_planning(v_run);
  end if;
  return jsonb_build_object('outcome', 'enqueued', 'run_id', v_run, 'more', v_more);
end
$$;
comment on function public.enqueue_run(uuid, uuid, text, timestamptz, uuid, integer, jsonb, uuid) is
  'Starts a run (manual, by p_person, or schedule), or goes on with p_run from its checkpoint: writes the run and its messages. p_closed: see plan_query. outcome is enqueued (run_id; more when p_limit ended it), inactive, stopped (all sending is) or unknown.';

create or replace function public.resume_run(p_organization uuid, p_automation uuid, p_run uuid,
  p_now timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_status text;
begin
  -- No claim, and no stop, meanwhile: they lock messages and run in the other order.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  select status into v_status from public.automation_runs
  where id = p_run and automation_id = p_automation and organization_id = p_organization for update;
  if v_status is null then
    return 'not_found';
  elsif v_status <> 'paused' then
    return 'not_paused';
  end if;
  update public.automation_runs
  set status = case when planning or processed > sent + skipped + failed then 'running' else 'finished' end,
    reason = null, failures = 0
  where id = p_run;
  -- Messages that waited for the trouble to pass are due now; claim_messages checks the quiet hours again.
  delete from public.channel_pace p
  where p.organization_id = p_organization and p.channel in (
    select m.channel from public.messages m where m.run_id = p_run and m.status = 'queued');
  update public.messages m set not_before = p_now
  where m.run_id = p_run and m.status = 'queued' and m.not_before > p_now;
  return 'resumed';
end
$$;
comment on function public.resume_run(uuid, uuid, uuid, timestamptz) is
  'Lets a paused run go on: resumed, not_paused or not_found.';
grant execute on function private.ordered_id(bigint), private.hold_large_run(uuid, boolean),
  private.plan_next(public.automations, uuid, timestamptz, interval, integer, jsonb),
  private.end_planning(uuid), public.enqueue_run(uuid, uuid, text, timestamptz, uuid, integer, jsonb, uuid),
  public.resume_run(uuid, uuid, uuid, timestamptz) to service_role;
