-- What a message is rendered from, and the counts of a run, which a trigger keeps as its messages change.

create or replace function private.count_run_messages() returns trigger
language plpgsql set search_path = ''
as $$
declare
  v_changes jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(change) into v_changes from (
      select run_id, count(*) as processed, count(*) filter (where status in ('sent', 'delivered')) as sent,
        count(*) filter (where status = 'skipped') as skipped,
        count(*) filter (where status in ('failed', 'unknown')) as failed,
        count(*) filter (where status in ('sent', 'delivered') and simulated) as simulated
      from new_rows where run_id is not null group by run_id) as change;
  else
    select jsonb_agg(change) into v_changes from (
      -- Added up, not joined: a join keeps the plan of the connection's first update, a nested loop after a
      -- small one.
      select c.run_id, 0 as processed,
        sum(case when c.status in ('sent', 'delivered') then c.sign else 0 end) as sent,
        sum(case when c.status = 'skipped' then c.sign else 0 end) as skipped,
        sum(case when c.status in ('failed', 'unknown') then c.sign else 0 end) as failed,
        sum(case when c.status in ('sent', 'delivered') and c.simulated then c.sign else 0 end) as simulated
      from (select 1 as sign, n.run_id, n.status, n.simulated from new_rows n
        union all select -1, o.run_id, o.status, o.simulated from old_rows o) as c
      where c.run_id is not null
      -- The tidy-up takes old messages off their run, which keeps its counts.
      group by c.run_id having sum(c.sign) = 0) as change
    -- A claim or a delivery report changes no count, and does not wait for the run's row.
    where (change.sent, change.skipped, change.failed, change.simulated) <> (0, 0, 0, 0);
  end if;
  if v_changes is null then
    return null;
  end if;
  -- Locked in one order, so that two batches with messages of the same runs do not deadlock.
  perform 1 from public.automation_runs run
  where run.id in (select c.run_id from jsonb_to_recordset(v_changes) as c (run_id uuid))
    order by run.id for update;
  update public.automation_runs run
  set processed = total.processed, sent = total.sent, skipped = total.skipped, failed = total.failed,
    simulated = total.simulated,
    status = case when run.status in ('paused', 'refused', 'expired', 'stopped') then run.status
      when total.open and run.expires_at is not null then 'waiting_approval'
      when total.open then 'running' else 'finished' end,
    finished_at = case when total.open then null
      else coalesce(run.finished_at, greatest(now(), run.started_at)) end
  from (
    select *, t.planning or t.processed > t.sent + t.skipped + t.failed as open from (
      select r.id, r.planning, r.processed + c.processed as processed, r.sent + c.sent as sent,
        r.skipped + c.skipped as skipped, r.failed + c.failed as failed,
        r.simulated + c.simulated as simulated
      from jsonb_to_recordset(v_changes) as c (run_id uuid, processed integer, sent integer, skipped integer,
        failed integer, simulated integer)
      join public.automation_runs r on r.id = c.run_id) as t
  ) as total
  where run.id = total.id;
  return null;
end
$$;
comment on function private.count_run_messages() is
  'Trigger: keeps the counts of runs in step with their messages, and finishes a run with its last message.';

create or replace trigger messages_count_new after insert on public.messages
  referencing new table as new_rows for each statement execute function private.count_run_messages();
create or replace trigger messages_count_changed after update on public.messages
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.count_run_messages();

create or replace function private.message_facts(o public.organizations, c public.customers,
  r public.reservations, l public.locations, p_tier text) returns json
-- In plpgsql because it is called for many rows: an SQL function with a search_path of its own takes several
-- times as long.
language plpgsql stable set search_path = ''
as $$
begin
  return json_build_object('organization_name', o.name, 'first_name', c.first_name, 'last_name', c.last_name,
    'birth_date', c.birth_date, 'total_visits', c.total_visits,
    'last_visit', c.last_visit_on,
    'tier', p_tier, 'location_name', l.name, 'reservation_date', r.reservation_date,
    'reservation_time', to_char(r.reservation_time, 'HH24:MI'), 'party_size', r.party_size,
    'language', c.language, 'group_language', o.language);
end
$$;
comment on function private.message_facts(public.organizations, public.customers, public.reservations, public.locations, text)
  is 'The customer''s data for a template, p_tier being the name of their tier; lib/messaging/template.ts reads it.';

create or replace function private.template_of(a public.automations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('id', a.id, 'subject', a.subject, 'body', a.body, 'content_sid', a.content_sid,
    'content_variables', a.content_variables, 'email_design', a.email_design,
    'question', case when a.criteria ->> 'answers' = 'true' then a.criteria ->> 'question' end)
    -- Left out where there are none: runs that were approved before there were any have it so, too.
    || case when a.versions <> '[]' then jsonb_build_object('versions', a.versions) else '{}' end
$$;
comment on function private.template_of(public.automations) is
  'An automation''s template, as lib/messaging/template.ts takes it.';
grant execute on function private.message_facts(public.organizations, public.customers, public.reservations,
  public.locations, text), private.template_of(public.automations) to service_role;
