-- What is asked of the outbox: how a run stands and that it go on, and the notices a job has just queued.

create function public.resume_run(p_organization uuid, p_automation uuid, p_run uuid,
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
  set status = case when processed > sent + skipped + failed then 'running' else 'finished' end, reason = null,
    failures = 0
  where id = p_run;
  -- What waits because of the trouble need not wait longer; quiet hours are looked at again.
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

create function public.queue_notices(p_queue text, p_organization uuid, p_now timestamptz, p_limit integer)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_done jsonb;
  v_ids uuid[];
begin
  v_done := case p_queue
    when 'queue_event_notifications' then public.queue_event_notifications(p_organization, p_now, p_limit)
    when 'queue_event_reminders' then public.queue_event_reminders(p_organization, p_now, p_limit)
    when 'queue_ticket_notifications' then public.queue_ticket_notifications(p_organization, p_now, p_limit)
    when 'queue_ticket_reminders' then public.queue_ticket_reminders(p_organization, p_now, p_limit) end;
  -- What this transaction has written is of this very instant; it is due by the job's clock, not the database's.
  with mine as (
    update public.messages m set not_before = p_now
    where m.organization_id = p_organization and m.created_at = now() and m.automation_id is null
      and m.status = 'queued'
    returning m.id
  )
  select coalesce(array_agg(id), '{}') into v_ids from mine;
  return v_done || jsonb_build_object('ids', v_ids);
end
$$;
comment on function public.queue_notices(text, uuid, timestamptz, integer) is
  'Runs one of the four queue_event_… and queue_ticket_… functions and adds the ids of the messages it queued.';

create function public.notices_report(p_ids uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('sent', count(*) filter (where status in ('sent', 'delivered')),
    'failed', count(*) filter (where status in ('failed', 'unknown')))
  from public.messages where id = any(p_ids)
$$;
comment on function public.notices_report(uuid[]) is 'How many of the messages were sent, and how many failed for good.';

revoke execute on function public.resume_run(uuid, uuid, uuid, timestamptz),
  public.queue_notices(text, uuid, timestamptz, integer), public.notices_report(uuid[]) from public, anon, authenticated;
grant execute on function public.resume_run(uuid, uuid, uuid, timestamptz),
  public.queue_notices(text, uuid, timestamptz, integer), public.notices_report(uuid[]) to service_role;
