-- Schema 20261128191716. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- What went, or cannot be replaced

drop function public.sync_reservations(uuid, jsonb, timestamp with time zone);

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

CREATE TABLE private.missing_bookings (
    reservation_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    location_id uuid NOT NULL,
    missing_since timestamp with time zone NOT NULL,
    held_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    CONSTRAINT missing_bookings_instants_check CHECK (((LEAST(missing_since, held_at, cancelled_at) >= '1900-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(missing_since, held_at, cancelled_at) < '2200-01-01 00:00:00+00'::timestamp with time zone)))
);


ALTER TABLE private.missing_bookings OWNER TO postgres;
CREATE TABLE private.told_issues (
    location_id uuid NOT NULL,
    code text NOT NULL,
    reservation text NOT NULL,
    reader text NOT NULL,
    organization_id uuid NOT NULL,
    day date NOT NULL,
    CONSTRAINT told_issues_code_check CHECK ((length(code) <= 40)),
    CONSTRAINT told_issues_day_check CHECK (((day >= '1900-01-01'::date) AND (day <= '2199-12-31'::date))),
    CONSTRAINT told_issues_reader_check CHECK ((length(reader) <= 40)),
    CONSTRAINT told_issues_reservation_check CHECK ((length(reservation) <= 200))
);


ALTER TABLE private.told_issues OWNER TO postgres;
ALTER TABLE ONLY private.missing_bookings
    ADD CONSTRAINT missing_bookings_pkey PRIMARY KEY (reservation_id);
ALTER TABLE ONLY private.told_issues
    ADD CONSTRAINT told_issues_pkey PRIMARY KEY (location_id, code, reservation, reader);
CREATE INDEX missing_bookings_location_idx ON private.missing_bookings USING btree (location_id);
CREATE INDEX missing_bookings_since_idx ON private.missing_bookings USING btree (organization_id, missing_since);
CREATE INDEX told_issues_day_idx ON private.told_issues USING btree (organization_id, day);
ALTER TABLE ONLY private.missing_bookings
    ADD CONSTRAINT missing_bookings_location_id_fkey FOREIGN KEY (location_id) REFERENCES public.locations(id) ON DELETE CASCADE;
ALTER TABLE ONLY private.missing_bookings
    ADD CONSTRAINT missing_bookings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY private.missing_bookings
    ADD CONSTRAINT missing_bookings_reservation_id_fkey FOREIGN KEY (reservation_id) REFERENCES public.reservations(id) ON DELETE CASCADE;
ALTER TABLE ONLY private.told_issues
    ADD CONSTRAINT told_issues_location_id_fkey FOREIGN KEY (location_id) REFERENCES public.locations(id) ON DELETE CASCADE;
ALTER TABLE ONLY private.told_issues
    ADD CONSTRAINT told_issues_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE private.missing_bookings ENABLE ROW LEVEL SECURITY;
ALTER TABLE private.told_issues ENABLE ROW LEVEL SECURITY;

-- Policies, comments, rights

COMMENT ON TABLE private.missing_bookings IS 'Bookings that the PMS does not send any more (take_out_missing). A row goes when its booking comes again; tidy_up deletes old ones.';
COMMENT ON COLUMN private.missing_bookings.missing_since IS 'The first complete answer without it, after the last one with it.';
COMMENT ON COLUMN private.missing_bookings.held_at IS 'The last answer in which too many were missing to cancel them.';
COMMENT ON COLUMN private.missing_bookings.cancelled_at IS 'When it was cancelled for that; null: not yet, or too many were missing.';
COMMENT ON TABLE private.told_issues IS 'Which problems the sync has named on which day of a location: those that it names once a day (private.tell_once). tidy_up deletes old ones.';
COMMENT ON COLUMN private.told_issues.code IS 'As in lib/pms/sync-issues.ts.';
COMMENT ON COLUMN private.told_issues.reservation IS 'Its PMS id; blank: the whole location.';
COMMENT ON COLUMN private.told_issues.reader IS 'Who was told: schedule (the runs of the cron job), requests (who asks for a sync), or a person who is bound to locations.';
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE private.missing_bookings TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE private.told_issues TO service_role;

-- >> supabase/logic/jobs/housekeeping.sql
-- Retention periods, and the next events of series: lib/jobs/tidy-up.ts applies them once a night.

create or replace function private.kept_for(o public.organizations)
  returns table (counted_as text, kept_in regclass, aged_by name, kept interval, only_if text, emptied text)
language sql stable set search_path = ''
as $$
  values
  -- The last run of each automation and of each job stays at any age, because its page shows the time.
  ('empty_runs', 'public.automation_runs'::regclass, 'started_at'::name, interval '1 day',
    'r.is_empty and (r.automation_id is null or r.started_at < (select max(later.started_at)
      from public.automation_runs later where later.automation_id = r.automation_id))', null),
  ('job_runs', 'public.job_runs', 'started_at', make_interval(days => o.keep_job_runs_days),
    'r.started_at < (select max(later.started_at) from public.job_runs later
      where later.organization_id = r.organization_id and later.job = r.job)', null),
  (null, 'public.ai_usage', 'day', make_interval(days => o.keep_job_runs_days), 'true', null),
  ('webhook_receipts', 'public.webhook_receipts', 'received_at',
    make_interval(days => o.keep_webhook_receipts_days), 'not r.opens', null),
  -- A day longer than a message's events are compared: from then on its result stays.
  (null, 'private.engagement_events', 'received_at', private.engagement_window() + interval '1 day',
    'true', null),
  ('failed_rows', 'public.import_runs', 'started_at', make_interval(days => o.keep_failed_rows_days),
    'r.failed_row_count > 0', 'failed_rows = null, failed_row_count = 0'),
  -- The audit log has the changes of taps; a tap is repeated or undone within minutes.
  ('service_taps', 'private.service_taps', 'taken_at', interval '7 days', 'true', null),
  ('waitlist', 'public.waitlist', 'joined_at', interval '30 days', 'true', null),
  ('tag_changes', 'private.tag_changes', 'changed_at', interval '1 day', 'true', null),
  ('kept_answers', 'private.kept_answers', 'created_at', interval '24 hours', 'true', null),
  ('customer_merges', 'public.customer_merges', 'merged_at', interval '30 days', 'true', null),
  (null, 'public.messages', 'superseded_at', interval '30 days', 'true', null),
  ('shift_notes', 'public.shift_notes', 'day', interval '365 days', 'true', null),
  (null, 'private.push_notices', 'done_at', interval '7 days', 'true', null),
  (null, 'private.missing_bookings', 'missing_since', interval '90 days', 'true', null),
  (null, 'private.told_issues', 'day', interval '7 days', 'true', null)
$$;
comment on function private.kept_for(public.organizations) is
  'How long an organization keeps what: rows of kept_in whose aged_by (a time or a day) is longer ago than kept, if only_if holds for row r, are deleted, or get the values of emptied. tidy_up counts them as counted_as.';

create or replace function public.tidy_up(p_organization uuid, p_now timestamptz default now(),
  p_limit integer default 2000)
returns jsonb
-- Planned for the values at hand: after a long pause nearly everything may be old.
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  o public.organizations;
  v_rule record;
  v_rows integer;
  v_counts jsonb := '{}';
  v_more boolean := false;
  v_runs uuid[];
  v_detached integer;
  v_dropped integer;
  v_reports integer;
  v_series integer;
begin
  select * into o from public.organizations where id = p_organization;

  for v_rule in select * from private.kept_for(o) loop
    -- The limit is an untyped literal, so that it is a day where aged_by is one.
    execute format('%s where r.ctid = any(array(select r.ctid from %s r
        where r.organization_id = $1 and r.%I < %L and (%s) order by r.%3$I limit $2))',
      format(case when v_rule.emptied is null then 'delete from %s r' else 'update %s r set %s' end,
        v_rule.kept_in, v_rule.emptied),
      v_rule.kept_in, v_rule.aged_by, p_now - v_rule.kept, v_rule.only_if) using o.id, p_limit;
    get diagnostics v_rows = row_count;
    v_more := v_more or v_rows = p_limit;
    if v_rule.counted_as is not null then
      v_counts := v_counts || jsonb_build_object(v_rule.counted_as, v_rows);
    end if;
  end loop;

  v_runs := array(
    select r.id from public.automation_runs r
    where r.organization_id = o.id and r.status in ('finished', 'refused', 'expired', 'stopped')
      and r.started_at < p_now - make_interval(days => o.keep_automation_runs_days)
      and (r.automation_id is null or r.started_at < (
        select max(later.started_at) from public.automation_runs later
          where later.automation_id = r.automation_id))
    order by r.started_at limit p_limit);
  -- Messages outlive their run, so that none is sent twice; a run may have more than one statement should
  -- update.
  with part as (
    select m.id from public.messages m
    where m.run_id = any(v_runs) and m.status not in ('queued', 'sending') limit p_limit
  )
  update public.messages m set run_id = null from part where m.id = part.id;
  get diagnostics v_detached = row_count;
  delete from public.automation_runs r
  where r.id = any(v_runs) and not exists (select 1 from public.messages m where m.run_id = r.id);
  get diagnostics v_dropped = row_count;

  -- The row of a sent report stays, so that it is sent once; its content about guests is deleted.
  with old as (
    select m.id from public.profiles p
    join public.messages m on m.organization_id = o.id and m.about_id = p.id and m.purpose = 'morning_report'
    where p.organization_id = o.id and m.content <> '{}' and m.status not in ('queued', 'sending')
      and m.created_at < p_now - interval '30 days'
    limit p_limit
  )
  update public.messages m set content = '{}' from old where m.id = old.id;
  get diagnostics v_reports = row_count;

  perform private.tidy_push(o.id);
  v_series := private.extend_series(o.id, p_now, 100);

  return v_counts || jsonb_build_object('automation_runs', v_dropped,
    'more', v_more or p_limit in (v_detached, v_dropped, v_reports) or v_series = 100);
end
$$;
comment on function public.tidy_up(uuid, timestamptz, integer) is
  'Deletes rows beyond the organization''s retention periods, at most p_limit rows of each kind, and makes the next events of series: {empty_runs, automation_runs, job_runs, webhook_receipts, failed_rows, service_taps, waitlist, shift_notes, tag_changes, customer_merges, kept_answers, more}.';
grant execute on function private.kept_for(public.organizations),
  public.tidy_up(uuid, timestamptz, integer) to service_role;
-- << supabase/logic/jobs/housekeeping.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261128191716', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/notices/notices.sql
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
-- << supabase/logic/notices/notices.sql

-- >> supabase/logic/organization/locations.sql
-- What a change of a location or its group brings with it: a time zone must exist, and another PMS id is
-- synced anew.

create or replace function private.zone_of(p_organization uuid, p_location uuid default null) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(l.timezone, o.timezone) from public.organizations o
  left join public.locations l on l.id = p_location and l.organization_id = o.id
  where o.id = p_organization
$$;
comment on function private.zone_of(uuid, uuid) is
  'The time zone of what is at a location, else (null) of what is the group''s: its setting. Where both rows are at hand it is coalesce(l.timezone, o.timezone).';
grant execute on function private.zone_of(uuid, uuid) to authenticated, service_role;

create or replace function private.check_timezone() returns trigger
language plpgsql set search_path = ''
as $$
begin
  -- The view reads a file for every zone there is, which takes 40 ms: not for the zone that nearly all are
  -- in.
  if new.timezone is distinct from 'Europe/Madrid'
    and not exists (select 1 from pg_catalog.pg_timezone_names z where z.name = new.timezone) then
    raise exception 'unknown time zone "%"', new.timezone using errcode = '22023';
  end if;
  return new;
end
$$;

create or replace trigger organizations_check_timezone before insert
  or update of timezone on public.organizations
  for each row execute function private.check_timezone();
create or replace trigger locations_check_timezone before insert or update of timezone on public.locations
  for each row execute function private.check_timezone();

-- Days fetched under another slug are not known for this one, nor what they lacked.
create or replace function private.forget_sync() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.known_from := null;
  new.known_until := null;
  new.synced_at := null;
  new.sync_failing_since := null;
  new.sync_failure := null;
  new.looked_ahead_at := null;
  new.ahead_tried_at := null;
  new.ahead_until := null;
  delete from private.missing_bookings m where m.location_id = new.id and m.cancelled_at is null;
  return new;
end
$$;
comment on function private.forget_sync() is 'Trigger: clears the known days and sync results of a location when its PMS id changes, and which bookings its answers lacked.';

create or replace trigger locations_forget_sync before update of pms_id on public.locations
  for each row when (old.pms_id is distinct from new.pms_id) execute function private.forget_sync();
-- << supabase/logic/organization/locations.sql

-- >> supabase/logic/reservations/missing.sql
-- Bookings that left the PMS: those of a location that its complete answers no longer contain. And what a
-- sync says once a day.

create or replace function private.tell_once(p_location uuid, p_code text, p_reservations text[],
  p_at timestamptz, p_reader text) returns text[]
language sql volatile set search_path = ''
as $$
  with told as (
    insert into private.told_issues as t (organization_id, location_id, code, reservation, reader, day)
    select l.organization_id, l.id, p_code, r.reservation, p_reader, (p_at at time zone l.timezone)::date
    from public.locations l cross join (select distinct unnest(p_reservations)) as r (reservation)
    where l.id = p_location
    on conflict (location_id, code, reservation, reader) do update set day = excluded.day
      where t.day <> excluded.day
    returning t.reservation
  )
  select coalesce(array_agg(told.reservation order by told.reservation), '{}') from told
$$;
comment on function private.tell_once(uuid, text, text[], timestamptz, text) is
  'Those of the reservations (PMS ids; a blank one is the whole location) of which the sync has not said p_code to this reader on this day of the location yet. From then on it has.';

create or replace function private.note_missing(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_ids text[], p_minutes integer, out due uuid[], out known integer)
language sql volatile set search_path = ''
as $$
  with answer as materialized (
    select distinct given.id from unnest(p_ids) as given (id)
  ), open as materialized (
    select r.id, r.organization_id,
      -- A table or a note does not say that the party comes; a guest's answer is no mark by staff.
      a.id is null and r.arrived_at is null
        and (not r.staff_marks ? 'status' or r.guest_answer is not distinct from r.status) as is_gone
    from public.reservations r left join answer a on a.id = r.external_id
    -- Before 06:00 an entry may be of its own date or of the dinner before, as the PMS counts: so only those
    -- of which both are among the days.
    where r.location_id = p_location and r.service_date between p_from and p_to
      and r.reservation_date <= p_to and r.source = 'pms' and r.status in ('pending', 'confirmed')
  ), returned as (
    delete from private.missing_bookings m using open o
    where m.location_id = p_location and m.reservation_id = o.id and not o.is_gone
      and m.cancelled_at is null
  ), noted as (
    insert into private.missing_bookings (reservation_id, organization_id, location_id, missing_since)
    select o.id, o.organization_id, p_location, p_at from open o where o.is_gone
    -- Cancelled before, and open again without a mark: it counts from now on.
    on conflict (reservation_id) do update set missing_since = excluded.missing_since, held_at = null,
      cancelled_at = null where missing_bookings.cancelled_at is not null
  )
  select array_agg(m.reservation_id order by m.reservation_id), (select count(*)::integer from open)
  from private.missing_bookings m join open o on o.id = m.reservation_id
  where m.location_id = p_location and o.is_gone and m.cancelled_at is null
    and m.missing_since <= p_at - make_interval(mins => p_minutes)
$$;
comment on function private.note_missing(uuid, timestamptz, date, date, text[], integer) is
  'Compares the location''s pending and confirmed PMS bookings (known: how many) of some days with a complete answer. due: those that an earlier answer, at least p_minutes ago, did not contain either, nor any since.';

create or replace function public.take_out_missing(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_ids text[], p_minutes integer, p_reader text) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_found record;
  v_customers uuid[];
  v_ids jsonb;
begin
  if coalesce(cardinality(p_ids), 0) = 0 then
    return '{}';
  end if;
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  select * into v_found from private.note_missing(p_location, p_at, p_from, p_to, p_ids, p_minutes);
  if v_found.due is null then
    return '{}';
  elsif cardinality(v_found.due) > 5 and cardinality(v_found.due) * 5 > v_found.known then
    update private.missing_bookings m set held_at = p_at where m.reservation_id = any(v_found.due);
    return case when private.tell_once(p_location, 'not_applied', '{""}', p_at, p_reader) = '{}' then '{}'
      else jsonb_build_object('not_applied', cardinality(v_found.due)) end;
  end if;
  with gone as (
    update public.reservations r set status = 'cancelled', pms_status = 'missing',
      staff_marks = r.staff_marks - 'status'
    where r.id = any(v_found.due) returning r.id, r.external_id, r.customer_id
  ), noted as (
    update private.missing_bookings m set cancelled_at = p_at, held_at = null
    from gone where m.reservation_id = gone.id
  )
  select array_agg(distinct gone.customer_id) filter (where gone.customer_id is not null),
    jsonb_agg(gone.external_id order by gone.external_id)
  into v_customers, v_ids from gone;
  perform private.refresh_customers(coalesce(v_customers, '{}'));
  return jsonb_build_object('missing', v_ids);
end
$$;
comment on function public.take_out_missing(uuid, timestamptz, date, date, text[], integer, text) is
  'Cancels the location''s bookings of the days from p_from to p_to that left the PMS, given the ids of a complete answer about them; none when p_ids is null or empty. Returns missing, their PMS ids; or not_applied, how many would be when these are too many (more than five and more than a fifth), the first time of a day for this reader.';

create or replace function private.missing_now(p_now timestamptz)
returns table (location_id uuid, location text, reservation_id uuid, customer_name text, service_date date,
  reservation_date date, reservation_time time, is_cancelled boolean)
language sql stable security definer set search_path = ''
as $$
  select l.id, l.name, r.id, r.customer_name, r.service_date, r.reservation_date, r.reservation_time,
    m.cancelled_at is not null
  from public.locations l
  join private.missing_bookings m on m.location_id = l.id
    and greatest(m.cancelled_at, m.held_at) > p_now - interval '1 day'
  join public.reservations r on r.id = m.reservation_id
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and r.status = any(case when m.cancelled_at is null then array['pending', 'confirmed']
      else array['cancelled'] end)
  order by r.service_order, r.id
$$;
comment on function private.missing_now(timestamptz) is
  'The bookings in the caller''s locations that left the PMS: cancelled for that within the last 24 hours, or too many at once and therefore not.';

create or replace function private.missing_of(p_now timestamptz, p_shown integer)
returns table (location_id uuid, location text, cancelled integer, not_applied integer, bookings jsonb)
language sql stable set search_path = ''
as $$
  select n.location_id, n.location, count(*) filter (where n.is_cancelled)::integer,
    count(*) filter (where not n.is_cancelled)::integer, coalesce(jsonb_agg(jsonb_build_object(
      'id', n.reservation_id, 'customer_name', n.customer_name, 'service_date', n.service_date,
      'reservation_date', n.reservation_date, 'reservation_time', to_char(n.reservation_time, 'HH24:MI'))
      order by n.place) filter (where n.is_cancelled and n.place <= p_shown), '[]')
  from (
    select m.*, row_number() over (partition by m.location_id, m.is_cancelled
      order by m.reservation_date, m.reservation_time, m.reservation_id) as place
    from private.missing_now(p_now) as m) as n
  group by n.location_id, n.location
$$;
comment on function private.missing_of(timestamptz, integer) is
  'missing_now by location: how many were cancelled and how many were not, and the first p_shown of the former.';

create or replace function public.missing_bookings(p_now timestamptz default now()) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(m) order by m.location), '[]')
  from private.missing_of((select private.clock(p_now)), 20) as m
$$;
comment on function public.missing_bookings(timestamptz) is
  'What left the PMS within the last 24 hours in the caller''s locations: [{location_id, location, cancelled, not_applied, bookings: [{id, customer_name, service_date, reservation_date, reservation_time}]}], of each the first 20.';
grant execute on function private.missing_now(timestamptz), private.missing_of(timestamptz, integer),
  public.missing_bookings(timestamptz) to authenticated;
grant execute on function private.tell_once(uuid, text, text[], timestamptz, text),
  private.note_missing(uuid, timestamptz, date, date, text[], integer),
  public.take_out_missing(uuid, timestamptz, date, date, text[], integer, text) to service_role;
-- << supabase/logic/reservations/missing.sql

-- >> supabase/logic/reservations/sync.sql
-- The sync. sync_reservations turns a batch of one location's PMS rows into customers, reservations,
-- statistics and tiers, in one transaction. record_sync and record_look_ahead keep which days of a location
-- the PMS has delivered. lib/pms calls them, with normalised rows, and then what takes out the bookings that
-- left the PMS (missing.sql).

create or replace function private.sync_read_rows(p_organization uuid, p_location uuid, p_rows jsonb,
  p_service date) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  drop table if exists pg_temp.sync_batch;
  create temp table sync_batch on commit drop as
  with given as (
    select distinct on (r.external_id) r.*
    from rows from (jsonb_to_recordset(p_rows) as (
      external_id text, email text, phone text, first_name text, last_name text, customer_name text,
      reservation_date date, reservation_time time, party_size integer, status text, pms_status text,
      notes text, zone_name text, table_name text, bad_email boolean, further_phones text[],
      phone_words text
    )) with ordinality as r (external_id, email, phone, first_name, last_name, customer_name,
      reservation_date, reservation_time, party_size, status, pms_status, notes, zone_name, table_name,
      bad_email, further_phones, phone_words, position)
    order by r.external_id, r.position desc
  ), incoming as (
    select b.external_id, b.position, b.reservation_date, b.reservation_time, b.party_size, b.pms_status,
      b.zone_name,
      case when marked.status then e.status else b.status end as status,
      case when marked.table_name then e.table_name else b.table_name end as table_name,
      personal.email, personal.phone, personal.first_name, personal.last_name, personal.customer_name,
      personal.bad_email, personal.further_phones,
      case when marked.notes then e.notes else personal.all_notes end as notes,
      coalesce(e.staff_marks, '{}') - array_remove(array[case when not marked.status then 'status' end,
        case when not marked.table_name then 'table_name' end, case when not marked.notes then 'notes' end],
          null)
        as staff_marks
    from given b
    left join public.reservations e on e.organization_id = p_organization and e.external_id = b.external_id
    -- A booking whose customer was erased takes no personal data from the PMS again.
    left join lateral (
      select b.email, b.phone, b.first_name, b.last_name, b.customer_name, b.notes, b.bad_email,
        b.further_phones, nullif(left(concat_ws(E'\n', b.notes, b.phone_words), 5000), '') as all_notes
      where e.erased_at is null
    ) as personal on true
    -- A value set by staff stays until the PMS sends something other than what it sent when staff set it. A
    -- status we do not know counts as no change.
    cross join lateral (select
      coalesce(e.staff_marks ? 'status' and coalesce(b.status = e.staff_marks ->> 'status', true), false)
      as status, coalesce(e.staff_marks ? 'table_name', false)
        and e.location_id = p_location
        and b.table_name is not distinct from e.staff_marks ->> 'table_name' as table_name,
      coalesce(e.staff_marks ? 'notes', false)
        and (e.location_id = p_location
          or (b.email, b.phone) is not distinct from (e.customer_email, e.customer_phone))
        and (personal.notes is not distinct from e.staff_marks ->> 'notes'
          or personal.all_notes is not distinct from e.staff_marks ->> 'notes') as notes
    ) as marked
  )
  select i.*, next.status as next_status, holder.id is not null as is_held,
    case when e.id is null or (i.customer_name, i.email, i.phone)
        is distinct from (e.customer_name, e.customer_email, e.customer_phone)
      then private.name_key(coalesce(i.first_name, '') || ' ' || coalesce(i.last_name, '')) end as name_key,
    row_number() over (order by i.reservation_date, i.reservation_time, i.position) as recency,
    e.id as reservation_id, e.customer_id as previous_customer_id, e.customer_id,
    -- An invalid e-mail is no change of contact: the reservation keeps its customer.
    e.id is null or (case when i.bad_email then e.customer_email else i.email end, i.phone) is distinct
    from (e.customer_email, e.customer_phone) as contact_changed, e.id is null or i.customer_name is distinct
    from e.customer_name
      or (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone) as person_changed,
    e.id is null or (p_location, i.customer_name, i.email, i.phone, i.reservation_date, i.reservation_time,
        i.party_size, next.status, i.pms_status, i.notes, i.zone_name, i.table_name,
        i.staff_marks, coalesce(i.bad_email, false))
      is distinct from (e.location_id, e.customer_name, e.customer_email, e.customer_phone,
        e.reservation_date, e.reservation_time, e.party_size, e.status, e.pms_status, e.notes, e.zone_name,
        e.table_name, e.staff_marks, e.email_unread)
      as changed,
    -- Another location uses the id anew, for another party.
    coalesce(e.location_id <> p_location
      and (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone), false) as is_another,
    private.service_day(i.reservation_date, i.reservation_time) < p_service as service_over,
    coalesce(i.bad_email, false) and e.email_unread is not true as email_broke,
    false as is_new
  from incoming i
  left join public.reservations e on e.organization_id = p_organization and e.external_id = i.external_id
  left join private.missing_bookings m on m.reservation_id = e.id
  cross join lateral (
    select coalesce(e.status = 'cancelled' and e.pms_status = 'missing', false) as is_gone
  ) as was
  -- A booking stays with the location that has it, as long as the sync asks that one and it is not cancelled
  -- as missing. Of too many missing at once another may have the very same one: two PMS ids were swapped.
  left join public.locations holder on holder.id = e.location_id and holder.id <> p_location
    and holder.is_active and holder.pms_id is not null and not was.is_gone
    and (m.held_at is null or (i.reservation_date, i.reservation_time, i.email, i.phone)
      is distinct from (e.reservation_date, e.reservation_time, e.customer_email, e.customer_phone))
  -- One that comes again with a status that we do not know is pending, as a new one is.
  cross join lateral (
    select coalesce(i.status, case when not was.is_gone then e.status end, 'pending') as status
  ) as next;
  -- A known reservation keeps its customer while its contact data stays the same.
  update pg_temp.sync_batch set customer_id = null where contact_changed and customer_id is not null;
  analyze pg_temp.sync_batch;
end
$$;
comment on function private.sync_read_rows(uuid, uuid, jsonb, date) is
  'Makes pg_temp.sync_batch, one row a reservation: the incoming values, the stored ones, which changed, and which another location holds. Services before p_service are over.';

create or replace function private.sync_set_aside(p_location uuid, p_now timestamptz, p_reader text)
  returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_held text[];
begin
  with held as (delete from pg_temp.sync_batch b where b.is_held returning b.external_id)
  select coalesce(array_agg(held.external_id), '{}') into v_held from held;
  -- What comes again has not left the PMS.
  delete from private.missing_bookings m using pg_temp.sync_batch b where m.reservation_id = b.reservation_id;
  return private.tell_once(p_location, 'held_elsewhere', v_held, p_now, p_reader);
end
$$;
comment on function private.sync_set_aside(uuid, timestamptz, text) is
  'Takes the rows that another location holds out of the batch; returns the ids of those that this reader was not told on this day yet. The others are no longer missing.';

create or replace function private.sync_match_people(p_organization uuid) returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_created bigint;
begin
  if not exists (select from pg_temp.sync_batch where contact_changed and coalesce(email, phone) is not null)
  then
    return 0;
  end if;
  update pg_temp.sync_batch b set customer_id = m.customer_id, is_new = m.is_new
  from private.match_people(p_organization, (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('place', position, 'recency', recency,
      'email', email, 'phone', phone, 'first_name', first_name, 'last_name', last_name,
      'customer_id', customer_id)))
    from pg_temp.sync_batch where contact_changed or customer_id is not null)) as m
  where b.position = m.place;

  insert into public.customers (id, organization_id, source, email, phone, first_name, last_name)
  select b.customer_id, p_organization, 'PMS', b.own_email,
    (array_agg(b.phone order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.phone is not null))[1],
    (array_agg(b.first_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1],
    (array_agg(b.last_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1]
  from (
    select *, first_value(email) over (partition by customer_id order by email is null, position) as own_email
    from pg_temp.sync_batch where is_new
  ) as b
  group by b.customer_id, b.own_email;
  get diagnostics v_created = row_count;
  return v_created;
end
$$;
comment on function private.sync_match_people(uuid) is
  'Gives rows of the batch with a new contact their customers, and creates those who are new: under their first e-mail, with the latest phone and name. Returns how many are new.';

create or replace function private.sync_update_profiles(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A booking under the customer's own e-mail replaces name and phone; a name that differs only in case or
  -- accents is kept. A booking matched by phone or alias only fills a blank name or e-mail. A booking's
  -- e-mail that differs becomes an alias. Materialized: while the planner still thinks the table is empty, it
  -- would recompute this query for every customer.
  with news as materialized (
    select c as known,
      bool_or(b.email = c.email and b.name_key <> '') is true as own_name,
      (array_agg(b.first_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as first_name,
      (array_agg(b.last_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as last_name,
      (array_agg(b.name_key order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as name_key,
      (array_agg(b.phone order by b.recency desc) filter (where b.email = c.email and b.phone is not null))[1]
      as phone, (array_agg(b.email order by b.position) filter (where b.email is not null))[1] as email
    from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
    where b.person_changed
    group by c.id
  ), profile as materialized (
    select (n.known).id, coalesce((n.known).email, n.email) as email,
      coalesce(n.phone, (n.known).phone) as phone,
      case when takes.name then n.first_name else (n.known).first_name end as first_name,
      case when takes.name then n.last_name else (n.known).last_name end as last_name
    from news n
    cross join lateral private.name_key(coalesce((n.known).first_name, '') || ' ' ||
      coalesce((n.known).last_name, '')) as held (name_key)
    cross join lateral (select n.name_key <> held.name_key and (n.own_name or held.name_key = ''))
      as takes (name)
  )
  update public.customers c
  set email = p.email, phone = p.phone, first_name = p.first_name, last_name = p.last_name
  from profile p
  where c.id = p.id and (c.email, c.phone, c.first_name, c.last_name)
    is distinct from (p.email, p.phone, p.first_name, p.last_name);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct p_organization, b.customer_id, b.email
  from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
  where b.contact_changed and b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;
  perform private.add_phones(p_organization, array_agg(b.customer_id order by b.position, f.place),
    array_agg(f.phone order by b.position, f.place))
  from pg_temp.sync_batch b cross join unnest(b.further_phones) with ordinality as f (phone, place)
  having count(*) > 0;
end
$$;
comment on function private.sync_update_profiles(uuid) is
  'Customers take the latest name and phone of the batch''s new or changed bookings under their own e-mail; other bookings only fill a blank name or e-mail. No e-mail is replaced. Further phones are kept as such.';

create or replace function private.sync_write_reservations(p_organization uuid, p_location uuid,
  p_counts_unmarked boolean, out created integer, out updated integer)
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
    customer_email, customer_phone, reservation_date, reservation_time, party_size, status, pms_status, notes,
    source, zone_name, table_name, service_over, counts_unmarked, email_unread)
  select p_organization, p_location, customer_id, external_id, customer_name, email, phone, reservation_date,
    reservation_time, party_size, next_status, pms_status, notes, 'pms', zone_name, table_name, service_over,
    p_counts_unmarked, coalesce(bad_email, false)
  from pg_temp.sync_batch where reservation_id is null
  order by reservation_date, reservation_time;
  get diagnostics created = row_count;

  -- The audit log records a mark that the PMS replaces.
  insert into public.audit_log (organization_id, action, subject_type, subject_id, details)
  select p_organization, 'reservation.overruled', 'reservation', e.id, jsonb_strip_nulls(jsonb_build_object(
    'fields', replaced.fields, 'status', case when 'status' = any(replaced.fields) then
      jsonb_build_object('from', e.status, 'to', b.next_status) end))
  from pg_temp.sync_batch b
  join public.reservations e on e.id = b.reservation_id
  cross join lateral (
    select array_agg(mark.field order by mark.field) as fields
    from (values ('status', e.status, b.next_status), ('table_name', e.table_name, b.table_name),
      ('notes', e.notes, b.notes)) as mark (field, ours, theirs)
    where e.staff_marks ? mark.field and mark.ours is distinct from mark.theirs
  ) as replaced
  where b.changed and e.staff_marks <> b.staff_marks and replaced.fields is not null;

  update public.reservations r set location_id = p_location, customer_id = b.customer_id,
    customer_name = b.customer_name, customer_email = b.email, customer_phone = b.phone,
    reservation_date = b.reservation_date, reservation_time = b.reservation_time, party_size = b.party_size,
    status = b.next_status, pms_status = b.pms_status, notes = b.notes,
    zone_name = b.zone_name, table_name = b.table_name, staff_marks = b.staff_marks,
    service_over = b.service_over, counts_unmarked = p_counts_unmarked,
    email_unread = coalesce(b.bad_email, false),
    total_amount = case when not b.is_another then r.total_amount end,
    guest_answer = case when not b.is_another then r.guest_answer end,
    guest_answered_at = case when not b.is_another then r.guest_answered_at end
  from pg_temp.sync_batch b where r.id = b.reservation_id and b.changed;
  get diagnostics updated = row_count;
end
$$;
comment on function private.sync_write_reservations(uuid, uuid, boolean) is
  'Inserts the new reservations of the batch and updates the changed ones; does not touch the others. Returns how many were inserted and updated.';

create or replace function private.sync_learn_tables(p_organization uuid, p_location uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A party at "4+5" sits at two tables joined. A name with control characters could not be saved again by
  -- staff, nor more tables than the API accepts.
  insert into public.dining_tables (organization_id, location_id, zone, name, capacity)
  select p_organization, p_location,
    (array_agg(b.zone order by b.recency desc) filter (where b.zone <> ''))[1],
    b.name, max(b.party_size)
  from (
    select left(t.name, 100) as name, recency,
      nullif(least(ceil(party_size::numeric / array_length(names, 1)), 999), 0)::integer as party_size,
      left(btrim(regexp_replace(zone_name, '[\u0001-\u001f\u007f-\u009f]+', ' ', 'g')), 100) as zone
    from pg_temp.sync_batch
    cross join lateral regexp_split_to_array(btrim(table_name), '\s*\+\s*') as names
    cross join lateral unnest(names) as t (name)
    where changed and t.name <> '' and table_name !~ '[\u0001-\u001f\u007f-\u009f]'
  ) as b
  where not exists (select from public.dining_tables t where t.location_id = p_location and t.name = b.name)
  group by b.name
  order by b.name
  limit greatest(0, 1000 - (select count(*) from public.dining_tables t where t.location_id = p_location))
  on conflict (location_id, name) do nothing;
end
$$;
comment on function private.sync_learn_tables(uuid, uuid) is
  'Adds the tables that the batch names and the location does not have yet, up to 1000 in all; the largest party seen is their first capacity.';

create or replace function public.sync_reservations(p_location uuid, p_rows jsonb,
  p_now timestamptz default now(), p_reader text default 'requests') returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_service date;
  v_counts_unmarked boolean;
  v_new_customers bigint;
  v_held text[];
  v_written record;
begin
  select organization_id, private.current_service(timezone, p_now), count_unmarked_visits
  into v_organization, v_service, v_counts_unmarked
  from public.locations where id = p_location;
  if v_organization is null then
    raise exception 'unknown location' using errcode = '22023';
  end if;
  -- One writer of identities at a time: two batches never create the same person twice.
  perform private.lock_identities(v_organization);

  -- Each step reads and completes pg_temp.sync_batch.
  perform private.sync_read_rows(v_organization, p_location, p_rows, v_service);
  v_held := private.sync_set_aside(p_location, p_now, p_reader);
  v_new_customers := private.sync_match_people(v_organization);
  perform private.sync_update_profiles(v_organization);
  select * into v_written from private.sync_write_reservations(v_organization, p_location, v_counts_unmarked);
  perform private.sync_learn_tables(v_organization, p_location);
  -- Recounts the customers, present and former, of every new or changed reservation.
  perform private.refresh_customers(array(
    select customer_id from pg_temp.sync_batch where changed and customer_id is not null
    union
    select previous_customer_id from pg_temp.sync_batch where changed and previous_customer_id is not null));

  return jsonb_build_object('created', v_written.created, 'updated', v_written.updated,
    'customers', (select count(distinct customer_id) from pg_temp.sync_batch), 'customers_created',
    v_new_customers, 'bad_emails', (
      select coalesce(jsonb_agg(external_id order by external_id), '[]') from pg_temp.sync_batch
      where email_broke), 'held_elsewhere', to_jsonb(v_held));
end
$$;
comment on function public.sync_reservations(uuid, jsonb, timestamptz, text) is
  'Saves one location''s normalised PMS rows (external_id, email, phone, names, date, time, party size, status, …). Returns counts, and bad_emails: the ids of bookings that come with an e-mail that is none and did not before; held_elsewhere: the ids of rows that change nothing because another location holds them, each once a day to each p_reader.';

create or replace function private.known_days(p_from date, p_until date, p_asked daterange) returns daterange
language sql immutable set search_path = ''
as $$
  select case when p_from is null then p_asked
    when known.days && p_asked or known.days -|- p_asked then known.days + p_asked
    else p_asked end
  from (select daterange(p_from, p_until, '[]') as days) as known
$$;
comment on function private.known_days(date, date, daterange) is
  'Joins the known days with those just fetched. If there is a gap between them, only the days just fetched stay known: one range cannot have a gap.';

create or replace function public.record_sync(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_failure text default null) returns void
language sql volatile set search_path = ''
as $$
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1, synced_at = p_at,
    sync_failing_since = null, sync_failure = null
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_failure is null;
  update public.locations
  set sync_failing_since = coalesce(sync_failing_since, p_at), sync_failure = p_failure
  where id = p_location and p_failure is not null;
$$;
comment on function public.record_sync(uuid, timestamptz, date, date, text) is
  'Records that the PMS delivered a location''s days from p_from to p_to, or with p_failure why it did not.';

create or replace function public.record_look_ahead(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_outcome text) returns void
language sql volatile set search_path = ''
as $$
  update public.locations set ahead_tried_at = p_at where id = p_location;
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1,
    looked_ahead_at = case when p_outcome = 'done' then p_at else l.looked_ahead_at end,
    ahead_until = case when p_outcome = 'more' then p_to end
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_outcome in ('done', 'more')
$$;
comment on function public.record_look_ahead(uuid, timestamptz, date, date, text) is
  'Records a request for some of a location''s days ahead: done (the last part), more (parts are left) or failed.';
grant execute on function private.sync_read_rows(uuid, uuid, jsonb, date),
  private.sync_set_aside(uuid, timestamptz, text),
  private.sync_match_people(uuid), private.sync_update_profiles(uuid),
  private.sync_write_reservations(uuid, uuid, boolean), private.sync_learn_tables(uuid, uuid),
  public.sync_reservations(uuid, jsonb, timestamptz, text),
  private.known_days(date, date, daterange), public.record_sync(uuid, timestamptz, date, date, text),
  public.record_look_ahead(uuid, timestamptz, date, date, text) to service_role;
-- << supabase/logic/reservations/sync.sql

-- >> supabase/logic/service/board.sql
-- Tonight, as the host sees it: the parties of a service day with what to know about each, and what staff tap
-- (arrived, seated, table assigned, no-show, finished, walk-in, undo). Telephones lose their connection, so a
-- tap has a key: sent twice, it counts once.

create or replace function private.tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('status', p_reservation.status, 'table_name', p_reservation.table_name,
    'arrived_at', p_reservation.arrived_at, 'seated_at', p_reservation.seated_at,
    'finished_at', p_reservation.finished_at)
$$;
comment on function private.tapped_fields(public.reservations) is 'The fields of a reservation that taps change.';

create or replace function private.refused_tap(p_key uuid, p_reservation uuid, p_saved jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(f.key, f.value)
  from jsonb_each(jsonb_build_object('key', p_key, 'reservation_id', p_reservation,
    'outcome', coalesce(lower(p_saved ->> 'code'), p_saved ->> 'outcome'), 'code', p_saved -> 'code',
    'questions', p_saved -> 'questions', 'current', p_saved -> 'current')) as f
  where f.value <> 'null'
$$;
comment on function private.refused_tap(uuid, uuid, jsonb) is
  'The answer to a tap that save_reservation did not save: its outcome, or what it asks first, in lower case, with all questions and the party at the table.';

create or replace function private.seat_walk_in(p_location uuid, p_tap jsonb, p_at timestamptz,
  p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_place public.locations;
  v_next public.reservations;
  v_saved jsonb;
begin
  select * into v_place from public.locations where id = p_location;
  v_saved := public.save_reservation(jsonb_build_object('location_id', p_location,
    'customer_name', p_tap -> 'customer_name', 'party_size', p_tap -> 'party_size', 'status', 'seated',
    'table_name', p_tap -> 'table_name', 'reservation_date', (p_at at time zone v_place.timezone)::date,
    'reservation_time', to_char(p_at at time zone v_place.timezone, 'HH24:MI'),
    -- Who has come is asked about tables only.
    'confirm', coalesce(p_tap -> 'confirm', '[]') || '["service_over", "closed", "outside_hours"]'),
    null, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, null, v_saved || case when v_saved ? 'questions'
      then jsonb_build_object('questions',
        (v_saved -> 'questions') - '{SERVICE_OVER,CLOSED,OUTSIDE_HOURS}'::text[])
      else '{}' end);
  end if;
  update public.reservations set walk_in = true, arrived_at = p_at, seated_at = p_at
  where id = (v_saved #>> '{reservation,id}')::uuid returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  values (v_key, v_next.organization_id, v_next.id, 'walk_in', '{}', private.tapped_fields(v_next), p_now);
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_next.id);
end
$$;
comment on function private.seat_walk_in(uuid, jsonb, timestamptz, timestamptz) is
  'Books and seats at p_at the party of a tap that came without a booking: as take_tap.';

create or replace function private.fields_after(p_old public.reservations, p_tap jsonb, p_at timestamptz)
  returns jsonb
language sql stable set search_path = ''
as $$
  select private.tapped_fields(p_old) || case p_tap ->> 'action'
    when 'arrive' then jsonb_build_object('arrived_at', p_at,
      'status', case when p_old.status in ('pending', 'no_show', 'cancelled') then 'confirmed'
        else p_old.status end)
    when 'seat' then jsonb_build_object('arrived_at', coalesce(p_old.arrived_at, p_at), 'seated_at', p_at,
      'finished_at', null, 'status', 'seated', 'table_name',
      coalesce(p_tap ->> 'table_name', p_old.table_name))
    when 'assign' then jsonb_build_object('table_name', p_tap -> 'table_name')
    when 'no_show' then '{"status": "no_show", "arrived_at": null, "seated_at": null}'
    when 'finish' then jsonb_build_object('status', 'completed', 'finished_at', p_at) end
$$;
comment on function private.fields_after(public.reservations, jsonb, timestamptz) is
  'What a reservation has of tapped_fields after a tap at p_at: arrive, seat, assign, no_show or finish.';

create or replace function private.take_tap(p_location uuid, p_tap jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  -- A walk-in that was tapped without a connection has no id yet: later taps name its key.
  v_id uuid := coalesce((p_tap ->> 'reservation_id')::uuid, (
    select t.reservation_id from private.service_taps t where t.key = (p_tap ->> 'of')::uuid));
  -- A telephone without a connection sends what was tapped earlier, within the day.
  v_at timestamptz := greatest(least(coalesce((p_tap ->> 'at')::timestamptz, p_now), p_now),
    p_now - interval '1 day');
  v_old public.reservations;
  v_next public.reservations;
  v_undone private.service_taps;
  v_fields jsonb;
  v_saved jsonb;
begin
  if exists (select from private.service_taps t where t.key = v_key) then
    return jsonb_build_object('key', v_key, 'outcome', 'repeated');
  end if;
  if v_action = 'walk_in' then
    return private.seat_walk_in(p_location, p_tap, v_at, p_now);
  end if;

  -- First this lock and then the reservation, as save_reservation and the sync do: the other way round a tap
  -- and a sync would wait for each other, and one of them would fail.
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  select * into v_old from public.reservations r
  where r.id = v_id and r.location_id = p_location and r.source <> 'import' for update;
  if v_old.id is null then
    return jsonb_build_object('key', v_key, 'outcome', 'not_found');
  end if;
  if v_action = 'undo' then
    select * into v_undone from private.service_taps t
    where t.key = (p_tap ->> 'undoes')::uuid and t.reservation_id = v_old.id;
    if v_undone.key is null then
      return jsonb_build_object('key', v_key, 'outcome', 'not_found');
    elsif private.tapped_fields(v_old) <> v_undone.after then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    -- An undone walk-in never came.
    v_fields := case v_undone.action when 'walk_in'
      then private.tapped_fields(v_old) || '{"status": "cancelled", "seated_at": null, "arrived_at": null}'
      else v_undone.before end;
  else
    -- Another person or the PMS was faster: the state that this person saw is outdated.
    if v_old.status <> coalesce(p_tap ->> 'seen', v_old.status) then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    v_fields := private.fields_after(v_old, p_tap, v_at);
  end if;
  v_saved := public.save_reservation(jsonb_build_object('status', v_fields -> 'status',
    'table_name', v_fields -> 'table_name', 'confirm', p_tap -> 'confirm'), v_old.id, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, v_old.id, v_saved);
  end if;
  update public.reservations r set arrived_at = (v_fields ->> 'arrived_at')::timestamptz,
    seated_at = (v_fields ->> 'seated_at')::timestamptz,
    finished_at = (v_fields ->> 'finished_at')::timestamptz
  where r.id = v_old.id returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  values (v_key, v_old.organization_id, v_old.id, v_action, private.tapped_fields(v_old),
    private.tapped_fields(v_next), p_now);
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_old.id);
end
$$;
comment on function private.take_tap(uuid, jsonb, timestamptz) is
  'Applies one tap, once: saved, repeated, conflict (the reservation has changed since the person saw it; nothing changes), not_found, or refused_tap. Its confirm answers the questions of save_reservation.';

create or replace function public.take_taps(p_location uuid, p_taps jsonb, p_now timestamptz default now())
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_tap jsonb;
  v_answers jsonb := '[]';
begin
  p_now := private.clock(p_now);
  if p_location is null or p_location <> all(array(select private.my_locations('canAccessOperaciones'))) then
    return null;
  end if;
  -- In the order in which they were tapped: one may build on another. A queue is short.
  for v_tap in select value from jsonb_array_elements(p_taps) limit 50 loop
    v_answers := v_answers || private.take_tap(p_location, v_tap, p_now);
  end loop;
  return v_answers;
end
$$;
comment on function public.take_taps(uuid, jsonb, timestamptz) is
  'Taps of the service of a location, at most 50, in order: one answer each {key, outcome, reservation_id}. Null without the right. See private.take_tap.';

create or replace function public.service_list(p_location uuid, p_day date default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with place as materialized (
    select l.*, coalesce(p_day, private.current_service(l.timezone, (select private.clock(p_now)))) as day
    from public.locations l
    where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
  ), bound as materialized (
    select private.bound_to() as locations
  ), birthdays as materialized (
    select n as days, unnest(private.birth_days(p.day + n, 0)) as birth_day
    from place p cross join generate_series(-3, 3) as n
  ), parties as (
    select r.service_order, r.id,
      jsonb_build_object('id', r.id, 'time', to_char(r.reservation_time, 'HH24:MI'),
      'shift_id', private.shift_at(r.location_id, r.service_date, r.reservation_time),
      'name', coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')),
      'phone', coalesce(r.customer_phone, c.phone), 'party_size', r.party_size, 'status', r.status,
      'table_name', r.table_name, 'zone_name', r.zone_name,
      'arrived_at', r.arrived_at, 'seated_at', r.seated_at, 'finished_at', r.finished_at, 'walk_in',
      r.walk_in,
      'notes', nullif(btrim(r.notes), ''), 'customer_id', c.id, 'customer_notes', nullif(btrim(c.notes), ''),
      'tags', coalesce(to_jsonb(c.tags), '[]'), 'tier', t.name,
      'vip', coalesce(t.rank >= (
        select coalesce(min(o.rank) filter (where o.name = 'Oro'), 3) from public.loyalty_tiers o
        where o.organization_id = c.organization_id), false),
      'birthday_in', b.days, 'first_visit', coalesce(c.total_visits = 0, false),
      'facts', coalesce((
        select jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note)
          order by f.kind, f.code)
        from public.customer_facts f where f.customer_id = c.id), '[]'),
      'no_shows', coalesce((
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.status = 'no_show' and o.source <> 'import' and o.id <> r.id
          and (w.locations is null or o.location_id = any(w.locations))), 0)) as party
    from place p cross join bound w
    join public.reservations r on r.location_id = p.id and r.service_date = p.day and r.source <> 'import'
    left join public.customers c on c.id = r.customer_id
      and c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    left join birthdays b on b.birth_day = c.birth_day
  )
  select jsonb_build_object('location',
    jsonb_build_object('id', p.id, 'name', p.name, 'timezone', p.timezone, 'stay_minutes', p.stay_minutes),
    'day', p.day, 'at', (select private.clock(p_now)), 'closed', (
      select jsonb_build_object('name', d.name) from public.closed_days d where d.location_id = p.id
        and d.day = p.day and num_nonnulls(d.shift, d.zone) = 0),
    'closings', coalesce((
      select jsonb_agg(private.closing_json(d) order by d.shift nulls first, d.zone nulls first, d.id)
      from public.closed_days d where d.location_id = p.id and d.day = p.day), '[]'),
    'shifts', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'opens', to_char(s.opens, 'HH24:MI'),
        'closes', to_char(s.closes, 'HH24:MI'), 'capacity', s.capacity) order by s.opens_at)
      from public.shifts s
      where s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)), '[]'),
    'tables', coalesce((
      select jsonb_agg(jsonb_build_object('name', d.name, 'zone', d.zone, 'capacity', d.capacity)
        -- As people count: 2 before 10.
        order by d.zone nulls last, substring(d.name from '^\D*'),
          substring(d.name from '\d+')::numeric nulls first, d.name)
      from public.dining_tables d where d.location_id = p.id and d.is_active), '[]'),
    'waiting', public.list_waiting(p.id),
    'parties', coalesce((select jsonb_agg(x.party order by x.service_order, x.id) from parties x), '[]'))
  from place p
$$;
comment on function public.service_list(uuid, date, timestamptz) is
  'A service day of a location, by default the current one: its closings, shifts, tables, waitlist, and parties by time with facts and notes of each. Null without the right.';

create or replace function public.services(p_day date, p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(public.service_list(l.id, p_day, (select private.clock(p_now)))
    order by l.name, l.id), '[]')
  from public.locations l
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and case when p_location is null then l.is_active else l.id = p_location end
$$;
comment on function public.services(date, uuid, timestamptz) is
  'A day''s services of the caller''s active locations, or of one: see service_list.';

-- Figures without names, as in service_summary: everyone's, each in their locations.
create or replace function public.shift_occupancy(p_location uuid default null, p_date date default null,
  p_now timestamptz default now())
returns table (location_id uuid, shift_id uuid, name text, capacity integer, covers bigint)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id, d.day from public.locations l
    cross join lateral (
      select coalesce(p_date, private.current_service(l.timezone, (select private.clock(p_now)))) as day) as d
    where l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
      and exists (select from public.shifts s where s.location_id = l.id and s.capacity is not null)
      and not exists (select from public.closed_days c where c.location_id = l.id and c.day = d.day
        and num_nonnulls(c.shift, c.zone) = 0)
  ), taken as materialized (
    -- A shift is looked up for each time, not for each reservation.
    select private.shift_at(t.id, t.day, t.reservation_time) as shift_id, sum(t.covers)::bigint as covers
    from (
      select p.id, p.day, r.reservation_time, sum(r.party_size) as covers
      from places p join public.reservations r on r.location_id = p.id and r.service_date = p.day
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
      group by p.id, p.day, r.reservation_time) as t
    group by 1
  )
  select s.location_id, s.id, s.name, s.capacity, coalesce(t.covers, 0)
  from places p
  join public.shifts s on s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)
  left join taken t on t.shift_id = s.id
  where s.capacity is not null
  order by s.location_id, s.opens_at
$$;
comment on function public.shift_occupancy(uuid, date, timestamptz) is
  'The covers and capacity of a date''s shifts, else of the current service''s; without shifts of unknown capacity and closed days.';
grant execute on function public.take_taps(uuid, jsonb, timestamptz),
  public.service_list(uuid, date, timestamptz), public.services(date, uuid, timestamptz),
  public.shift_occupancy(uuid, date, timestamptz) to authenticated;
-- << supabase/logic/service/board.sql

reset check_function_bodies;
