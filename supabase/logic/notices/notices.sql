-- Notices to staff and customers about events and tickets: each job finds what is due, puts its e-mails into
-- the outbox and marks event or ticket, in one transaction. Rows another run is at are skipped, so that runs
-- never queue twice. `content` is what lib/messaging/notification.ts makes subject and text of. And what the
-- header's bell counts.

create or replace function public.queue_event_notifications(p_organization uuid, p_now timestamptz,
  p_limit integer)
returns jsonb
language sql volatile set search_path = ''
as $$
  with due as (
    select e.id, e.notification_round, e.customer_id, e.location_id, c.email, jsonb_build_object(
      'template', 'calendar_notification', 'organization', o.name, 'name', c.first_name, 'title', e.title,
      'event_datetime', e.event_datetime, 'ends_at', e.ends_at, 'starts_on', e.starts_on, 'ends_on',
      e.ends_on,
      'location', l.name, 'address', l.address,
      'timezone', coalesce(l.timezone, o.timezone)) as content
    from public.calendar_events e
    join public.organizations o on o.id = e.organization_id
    join public.customers c on c.id = e.customer_id
    left join public.locations l on l.id = e.location_id
    where e.organization_id = p_organization and not e.notification_sent and e.customer_id is not null
      and e.event_datetime >= p_now and e.event_datetime <= p_now + interval '24 hours'
      and c.email is not null
      and not exists (
        select 1 from public.suppressions s
        where s.organization_id = p_organization and s.channel = 'email' and s.address = c.email
          -- Unsubscribing is from marketing; this is about an appointment of their own.
          and s.reason in ('bounce', 'complaint'))
    order by e.event_datetime, e.id
    limit p_limit
    for update of e skip locked
  ), queued as (
    insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, customer_id,
      location_id, recipient, content, dedupe_key)
    select p_organization, 'transactional', 'event_notification', 'calendar_event', due.id, 'email',
      due.customer_id, due.location_id, due.email, due.content,
      format('event:%s:notification:%s', due.id, due.notification_round)
    from due
    on conflict (organization_id, dedupe_key) do nothing
    returning 1
  ), marked as (
    update public.calendar_events e set notification_sent = true from due where e.id = due.id returning 1
  )
  select jsonb_build_object('due', (select count(*) from marked), 'queued', (select count(*) from queued),
    'failed', 0)
$$;
comment on function public.queue_event_notifications(uuid, timestamptz, integer) is
  'Queues an e-mail to the customer of each event within 24 hours of p_now, once. Returns due, queued and failed; due = p_limit: there may be more.';

create or replace function public.queue_event_reminders(p_organization uuid, p_now timestamptz,
  p_limit integer)
returns jsonb
language sql volatile set search_path = ''
as $$
  with due as (
    select e.id, e.reminder_round, nullif(btrim(p.email), '') as email, jsonb_build_object(
      'template', 'calendar_reminder', 'organization', o.name, 'name', p.full_name, 'title', e.title,
      'description', e.description, 'event_datetime', e.event_datetime, 'ends_at', e.ends_at,
      'starts_on', e.starts_on, 'ends_on', e.ends_on, 'location', l.name,
      'timezone', coalesce(l.timezone, o.timezone)) as content
    from public.calendar_events e
    join public.organizations o on o.id = e.organization_id
    join public.profiles p on p.id = e.assignee_id
    left join public.locations l on l.id = e.location_id
    where e.organization_id = p_organization and not e.reminder_sent and e.assignee_id is not null
      and e.event_datetime > p_now
      -- The longest notice there is bounds the index scan; the next line is the rule.
      and e.event_datetime <= p_now + interval '10080 minutes'
      and e.event_datetime - make_interval(mins => e.reminder_minutes) <= p_now
    order by e.event_datetime, e.id
    limit p_limit
    for update of e skip locked
  ), queued as (
    insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient,
      content, dedupe_key)
    select p_organization, 'notification', 'event_reminder', 'calendar_event', due.id, 'email', due.email,
      due.content,
      format('event:%s:reminder:%s', due.id, due.reminder_round)
    from due where due.email is not null
    on conflict (organization_id, dedupe_key) do nothing
    returning 1
  ), marked as (
    update public.calendar_events e set reminder_sent = true from due where e.id = due.id returning 1
  )
  select jsonb_build_object('due', (select count(*) from marked), 'queued', (select count(*) from queued),
    'failed', (select count(*) from due where email is null))
$$;
comment on function public.queue_event_reminders(uuid, timestamptz, integer) is
  'Queues an e-mail to the assignee of each event that begins in reminder_minutes or less, once. Returns due, queued and failed (no address).';

create or replace function private.ticket_recipients(p_tickets uuid[])
returns table (ticket_id uuid, profile_id uuid, email text, name text)
language sql stable set search_path = ''
as $$
  select t.id, p.id, nullif(btrim(p.email), ''), p.full_name
  from public.tickets t join public.profiles p on p.id = t.assignee_id
  where t.id = any(p_tickets)
  union all
  select t.id, p.id, nullif(btrim(p.email), ''), p.full_name
  from public.tickets t
  join public.profiles p on p.organization_id = t.organization_id and p.role in ('admin', 'super_admin')
  where t.id = any(p_tickets) and t.assignee_id is null
    and (t.location_id is null
      or not exists (select 1 from public.profile_locations pl where pl.profile_id = p.id)
      or exists (
        select 1 from public.profile_locations pl where pl.profile_id = p.id
          and pl.location_id = t.location_id))
$$;
comment on function private.ticket_recipients(uuid[]) is
  'The recipients of a ticket''s notices: its assignee, else the admins who may see it. An empty email is null.';

create or replace function private.ticket_content(p_template text, p_ticket public.tickets, p_name text)
  returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('template', p_template, 'organization', o.name, 'name', p_name,
    'number', p_ticket.number, 'subject', p_ticket.subject, 'description', p_ticket.description,
    'status', p_ticket.status, 'priority', p_ticket.priority, 'sla_due_at', p_ticket.sla_due_at,
    'is_new', p_ticket.notified_changes = 0, 'location', l.name, 'timezone',
    coalesce(l.timezone, o.timezone))
  from public.organizations o left join public.locations l on l.id = p_ticket.location_id
  where o.id = p_ticket.organization_id
$$;
comment on function private.ticket_content(text, public.tickets, text) is 'The content of an e-mail about a ticket.';

create or replace function private.count_unreachable(p_tickets uuid[]) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer
  from unnest(p_tickets) as t (id)
  left join private.ticket_recipients(p_tickets) r on r.ticket_id = t.id
  where r.email is null
$$;
comment on function private.count_unreachable(uuid[]) is
  'Recipients of the tickets without an address, and tickets without any recipient.';

create or replace function public.queue_ticket_notifications(p_organization uuid, p_now timestamptz,
  p_limit integer)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_due uuid[];
  v_queued integer;
  v_failed integer;
begin
  -- Locked first, so that the e-mail has the present ticket with all counted comments and changes.
  select coalesce(array_agg(due.id), '{}') into v_due from (
    select t.id from public.tickets t
    where t.organization_id = p_organization and t.changes > t.notified_changes
    order by t.number limit p_limit for update skip locked
  ) as due;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient,
    content, dedupe_key)
  select p_organization, 'notification', 'ticket_notification', 'ticket', t.id, 'email', r.email,
    private.ticket_content('ticket_notification', t, r.name),
    format('ticket:%s:change:%s:%s', t.id, t.changes, r.profile_id)
  from private.ticket_recipients(v_due) r join public.tickets t on t.id = r.ticket_id
  where r.email is not null
  on conflict (organization_id, dedupe_key) do nothing;
  get diagnostics v_queued = row_count;
  v_failed := private.count_unreachable(v_due);
  update public.tickets t set notified_changes = t.changes, notified_at = p_now where t.id = any(v_due);
  return jsonb_build_object('due', cardinality(v_due), 'queued', v_queued, 'failed', v_failed);
end
$$;
comment on function public.queue_ticket_notifications(uuid, timestamptz, integer) is
  'Queues an e-mail to the assignee, else to the admins, for each ticket that is new or changed since last notified. Returns due, queued and failed (no address, or no recipient).';

create or replace function public.queue_ticket_reminders(p_organization uuid, p_now timestamptz,
  p_limit integer)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_due uuid[];
  v_queued integer;
  v_failed integer;
begin
  select coalesce(array_agg(due.id), '{}') into v_due from (
    select t.id from public.tickets t
    where t.organization_id = p_organization and t.sla_reminded_at is null
      and t.status in ('open', 'in_progress', 'waiting')
      -- A quarter of the longest length bounds the index scan; the next line is the rule.
      and t.sla_due_at <= p_now + interval '18 hours'
      and t.sla_due_at <= p_now + private.sla_length(t.priority) / 4
    order by t.sla_due_at, t.id limit p_limit for update skip locked
  ) as due;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient,
    content, dedupe_key)
  select p_organization, 'notification', 'ticket_reminder', 'ticket', t.id, 'email', r.email,
    private.ticket_content('ticket_reminder', t, r.name)
      || jsonb_build_object('is_over', t.sla_due_at <= p_now),
    format('ticket:%s:sla:%s:%s', t.id, extract(epoch from t.sla_due_at)::bigint, r.profile_id)
  from private.ticket_recipients(v_due) r join public.tickets t on t.id = r.ticket_id
  where r.email is not null
  on conflict (organization_id, dedupe_key) do nothing;
  get diagnostics v_queued = row_count;
  v_failed := private.count_unreachable(v_due);
  update public.tickets t set sla_reminded_at = p_now where t.id = any(v_due);
  return jsonb_build_object('due', cardinality(v_due), 'queued', v_queued, 'failed', v_failed);
end
$$;
comment on function public.queue_ticket_reminders(uuid, timestamptz, integer) is
  'Queues an e-mail for each ticket in work whose deadline is a quarter of its length away or over, once a deadline. Returns due, queued and failed.';

create or replace function public.queue_notices(p_queue text, p_organization uuid, p_now timestamptz,
  p_limit integer)
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
  -- Rows of this transaction have the database's time, but are due by the job's clock.
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

create or replace function public.notices_report(p_ids uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('sent', count(*) filter (where status in ('sent', 'delivered')),
    'failed', count(*) filter (where status in ('failed', 'unknown')))
  from public.messages where id = any(p_ids)
$$;
comment on function public.notices_report(uuid[]) is 'How many of the messages were sent, and how many failed for good.';

create or replace function public.my_notices(p_now timestamptz default now()) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'sync', (
      select case when last.status in ('failed', 'partial')
        then jsonb_build_object('status', last.status, 'started_at', last.started_at) end
      from private.last_finished_sync() as last),
    'paused_runs', (
      select count(*) from (
        select from public.automation_runs where status = 'paused' limit 100) as paused),
    'waiting_runs', (
      select count(*) from (
        select from public.automation_runs
        where status = 'waiting_approval' and started_by is distinct from (select private.caller())
        limit 100) as waiting),
    'waiting_campaigns', (
      select count(*) from (
        select from public.campaigns
        where status = 'waiting_approval' and launched_by is distinct from (select private.caller())
        limit 100) as waiting),
    'tickets', (
      select jsonb_build_object('near', count(*)
        filter (where due.sla_due_at > (select private.clock(p_now))),
        'late', count(*) filter (where due.sla_due_at <= (select private.clock(p_now))))
      from (
        -- As near as when the assignee is reminded of it.
        select t.sla_due_at from public.tickets t
        where t.assignee_id = (select private.caller()) and t.status in ('open', 'in_progress', 'waiting')
          and t.sla_due_at <= (select private.clock(p_now)) + interval '18 hours'
        limit 100
      ) as due),
    -- These are not resent: only the last week counts.
    'unknown_messages', (
      select count(*) from (
        select from public.messages
        where status = 'unknown' and created_at > (select private.clock(p_now)) - interval '7 days'
          limit 100) as lost),
    'left_pms', (
      select jsonb_build_object('count', least(100, coalesce(sum(m.cancelled), 0)),
        'not_applied', least(100, coalesce(sum(m.not_applied), 0)),
        'locations', coalesce(jsonb_agg(to_jsonb(m) order by m.location), '[]'))
      from private.missing_of((select private.clock(p_now)), 3) as m))
$$;
comment on function public.my_notices(timestamptz) is
  'What needs the caller''s attention: {sync: {status, started_at} when the last one had problems, paused_runs, waiting_runs and waiting_campaigns that the caller may decide on, tickets: {near, late} that are the caller''s, unknown_messages of the last week, left_pms: {count, not_applied, locations} as missing_bookings, the first three of each}; counts stop at 100.';
grant execute on function public.my_notices(timestamptz) to authenticated;
grant execute on function public.queue_event_notifications(uuid, timestamptz, integer),
  public.queue_event_reminders(uuid, timestamptz, integer), private.ticket_recipients(uuid[]),
  private.ticket_content(text, public.tickets, text), private.count_unreachable(uuid[]),
  public.queue_ticket_notifications(uuid, timestamptz, integer),
  public.queue_ticket_reminders(uuid, timestamptz, integer),
  public.queue_notices(text, uuid, timestamptz, integer), public.notices_report(uuid[]) to service_role;
