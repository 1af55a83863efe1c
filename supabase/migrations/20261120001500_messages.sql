-- The outbox: every message is sent from it. The comment on the table lists the states of a row. The
-- functions that work on it are in enqueue.sql, outbox.sql, channels.sql and delivery.sql.

create table public.messages (
  id uuid primary key default private.new_id(),
  organization_id uuid not null references public.organizations on delete cascade,
  kind text not null check (kind in ('marketing', 'transactional', 'notification')),
  automation_id uuid references public.automations on delete set null,
  run_id uuid references public.automation_runs on delete set null,
  customer_id uuid references public.customers on delete set null,
  reservation_id uuid references public.reservations on delete set null,
  location_id uuid references public.locations on delete set null,
  channel text not null check (channel in ('whatsapp', 'sms', 'email')),
  recipient text check (length(recipient) <= 254),
  status text not null default 'queued' check (status in
    ('queued', 'sending', 'sent', 'delivered', 'failed', 'skipped', 'unknown')),
  reason text check (length(reason) <= 500),
  dedupe_key text not null check (length(dedupe_key) <= 500),
  content jsonb not null default '{}' check (jsonb_typeof(content) = 'object')
    check (pg_column_size(content) <= 1048576 and not jsonb_path_exists(content, '$.**{8}')),
  not_before timestamptz not null default now(),
  attempts integer not null default 0 check (attempts between 0 and 1000),
  lease_token uuid,
  lease_until timestamptz,
  idempotency_key text check (length(idempotency_key) <= 300),
  frozen_at timestamptz,
  maybe_accepted boolean not null default false,
  provider text check (length(provider) <= 60),
  simulated boolean not null generated always as (coalesce(provider = 'sandbox', false)) stored,
  provider_id text check (length(provider_id) <= 300),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  delivered_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint messages_instants_check check (
    least(not_before, lease_until, frozen_at, created_at, sent_at, delivered_at, updated_at) >= '1900-01-01Z'
    and greatest(not_before, lease_until, frozen_at, created_at, sent_at, delivered_at, updated_at) < '2200-01-01Z')
);
comment on table public.messages is
  'The outbox. queued → sending (leased) → sent → delivered; or skipped, failed, unknown, each with its reason.';
comment on column public.messages.kind is
  'marketing: cap, quiet hours and consent apply; transactional: to a customer about their reservation or event; notification: to staff.';
comment on column public.messages.location_id is
  'The reservation''s or event''s location, else the customer''s at the time of planning. Its staff may see the message, as may the staff of every location.';
comment on column public.messages.dedupe_key is 'The subject of the message: a birthday of a year, a reservation, an event. Unique, so that no message is sent twice.';
comment on column public.messages.content is 'Rendered subject and body, or Content SID and variables; frozen before the first attempt.';
comment on column public.messages.idempotency_key is
  'The Resend key of the request it is part of; e-mails that share one go again together or not at all.';
comment on column public.messages.maybe_accepted is
  'An earlier attempt of this e-mail may have been accepted: it ends as sent or unknown, never as skipped or failed.';
comment on column public.messages.simulated is 'The sandbox took it: recorded and shown, sent nowhere.';

create unique index messages_dedupe_key on public.messages (organization_id, dedupe_key);
-- Also finds the messages of a run, whatever their status.
create unique index messages_run_key on public.messages
  (run_id, customer_id, channel, (coalesce(reservation_id, '00000000-0000-0000-0000-000000000000')))
  where run_id is not null;
create index messages_queue_idx on public.messages (organization_id, channel, not_before, id) where status = 'queued';
create index messages_batch_idx on public.messages (idempotency_key) where idempotency_key is not null;
create index messages_leases_idx on public.messages (lease_until) where status = 'sending';
create index messages_recent_idx on public.messages (organization_id, created_at desc, id desc);
-- Not of those that are sent or being sent, so that sending does not write to it.
create index messages_run_idx on public.messages (run_id, status) where status in ('queued', 'skipped', 'failed', 'unknown');
create index messages_automation_idx on public.messages (automation_id, created_at desc, id desc);
-- Also "once in N days" and the frequency cap: a customer has few messages.
create index messages_customer_idx on public.messages (customer_id, created_at desc, id desc);
create index messages_reservation_idx on public.messages (reservation_id) where reservation_id is not null;
create index messages_location_idx on public.messages (location_id, created_at desc, id desc) where location_id is not null;
create index messages_provider_idx on public.messages (provider, provider_id) where provider_id is not null;
-- "Once a reservation".
create index messages_once_idx on public.messages (automation_id, reservation_id) where reservation_id is not null;
-- Rare outcomes among millions of messages that were sent.
create index messages_trouble_idx on public.messages (organization_id, status, created_at desc, id desc)
  where status in ('skipped', 'failed', 'unknown');
create index messages_notices_idx on public.messages (organization_id, channel, not_before, id)
  where status = 'queued' and automation_id is null;
-- The keys of queued notices start with their record, `ticket:<id>:…`.
create index messages_about_idx on public.messages (organization_id, (split_part(dedupe_key, ':', 2))) where kind = 'notification';

-- The statements of the outbox set it themselves, which takes less time.
create trigger messages_touch before update on public.messages
  for each row when (new.updated_at = old.updated_at) execute function private.touch_updated_at();

alter table public.messages enable row level security;
revoke all on public.messages from anon, authenticated;
grant select on public.messages to authenticated;
grant select, insert, update, delete on public.messages to service_role;

create policy "marketing staff read messages to customers" on public.messages for select to authenticated
  using (kind <> 'notification'
    and organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and ((select private.works_everywhere()) or location_id = any(array(select private.my_locations()))));

create function private.count_run_messages() returns trigger
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
      -- Added up, not joined: a join keeps the plan of the connection's first update, a nested loop after a small one.
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
  where run.id in (select c.run_id from jsonb_to_recordset(v_changes) as c (run_id uuid)) order by run.id for update;
  update public.automation_runs run
  set processed = total.processed, sent = total.sent, skipped = total.skipped, failed = total.failed,
    simulated = total.simulated,
    status = case when run.status in ('paused', 'refused', 'expired', 'stopped') then run.status
      when total.open and run.expires_at is not null then 'waiting_approval'
      when total.open then 'running' else 'finished' end,
    finished_at = case when total.open then null else coalesce(run.finished_at, greatest(now(), run.started_at)) end
  from (
    select *, t.planning or t.processed > t.sent + t.skipped + t.failed as open from (
      select r.id, r.planning, r.processed + c.processed as processed, r.sent + c.sent as sent, r.skipped + c.skipped as skipped,
        r.failed + c.failed as failed, r.simulated + c.simulated as simulated
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
create trigger messages_count_new after insert on public.messages
  referencing new table as new_rows for each statement execute function private.count_run_messages();
create trigger messages_count_changed after update on public.messages
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.count_run_messages();

create function private.message_facts(o public.organizations, c public.customers, r public.reservations,
  l public.locations, p_tier text) returns jsonb
-- In plpgsql because it is called for many rows: an SQL function with a search_path of its own takes several times as long.
language plpgsql stable set search_path = ''
as $$
begin
  return jsonb_build_object('organization_name', o.name, 'first_name', c.first_name, 'last_name', c.last_name,
    'birth_date', c.birth_date, 'total_visits', c.total_visits,
    'last_visit', (c.last_visit_at at time zone coalesce(l.timezone, 'Europe/Madrid'))::date,
    'tier', p_tier, 'location_name', l.name, 'reservation_date', r.reservation_date,
    'reservation_time', to_char(r.reservation_time, 'HH24:MI'), 'party_size', r.party_size);
end
$$;
comment on function private.message_facts(public.organizations, public.customers, public.reservations, public.locations, text)
  is 'The customer''s data for a template, p_tier being the name of their tier; lib/messaging/template.ts reads it.';

create function private.template_of(a public.automations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('id', a.id, 'subject', a.subject, 'body', a.body, 'content_sid', a.content_sid,
    'content_variables', a.content_variables, 'email_design', a.email_design,
    'question', case when a.criteria ->> 'answers' = 'true' then a.criteria ->> 'question' end)
$$;
comment on function private.template_of(public.automations) is
  'An automation''s template, as lib/messaging/template.ts takes it.';

revoke execute on function private.count_run_messages() from public;
revoke execute on function private.message_facts(public.organizations, public.customers, public.reservations, public.locations, text),
  private.template_of(public.automations) from public;
grant execute on function private.message_facts(public.organizations, public.customers, public.reservations, public.locations, text),
  private.template_of(public.automations) to service_role;
