-- The outbox at work: enqueue_run → claim_messages → freeze_messages → (provider) → finish_messages, and
-- sweep_leases for what a dead process left. Only the service calls these; lib/messaging/drain.ts is the caller.

alter table public.automation_runs
  add column event jsonb not null default '{}',
  add column sent integer not null default 0,
  add column skipped integer not null default 0,
  add column failed integer not null default 0,
  add column simulated integer not null default 0,
  add column started_by uuid,
  add column started_by_name text,
  add column guests integer,
  add column expires_at timestamptz,
  add column template jsonb,
  add column decided_by text,
  add column decided_at timestamptz,
  add column stopped_by text,
  add column stopped_at timestamptz;
comment on table public.automation_runs is 'The automation log: one row a run. A trigger on messages keeps its counts.';
comment on column public.automation_runs.processed is
  'Messages planned, one a matching customer or reservation: sent + skipped + failed + those still open.';
comment on column public.automation_runs.simulated is 'Of those sent, the ones that the sandbox took.';
comment on column public.automation_runs.failed is 'Failed, or with an unknown outcome.';
comment on column public.automation_runs.event is
  'What started it: {name: automation/run, data: {automation_id, triggered_by}}.';
comment on column public.automation_runs.started_by is 'Who ran it by hand; they cannot approve it.';
comment on column public.automation_runs.guests is 'How many it would write to, where that was counted because of approve_above.';
comment on column public.automation_runs.expires_at is
  'Set while it waits for approval (or is still being planned for it): nothing of it is sent, and after this it is over.';
comment on column public.automation_runs.template is
  'The template that approval is asked for: messages are not sent with another one.';
comment on column public.automation_runs.decided_by is 'Who approved or refused it: a name that outlives the profile.';
comment on column public.automation_runs.stopped_by is 'Who stopped it: a name that outlives the profile.';
-- Being sent once more under its idempotency key must not make us forget the attempt before.
alter table public.messages add column maybe_accepted boolean not null default false;
comment on column public.messages.maybe_accepted is
  'An earlier attempt of this e-mail may have been accepted: it ends as sent or unknown, never as skipped or failed.';
create index automation_runs_held_idx on public.automation_runs (organization_id)
  where status in ('paused', 'waiting_approval', 'refused', 'expired', 'stopped')
    and processed > sent + skipped + failed;
-- Rare outcomes among millions of messages that were sent.
create index messages_trouble_idx on public.messages (organization_id, status, created_at desc, id desc)
  where status in ('skipped', 'failed', 'unknown');

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
      select n.run_id, 0 as processed,
        count(*) filter (where n.status in ('sent', 'delivered'))
          - count(*) filter (where o.status in ('sent', 'delivered')) as sent,
        count(*) filter (where n.status = 'skipped') - count(*) filter (where o.status = 'skipped') as skipped,
        count(*) filter (where n.status in ('failed', 'unknown'))
          - count(*) filter (where o.status in ('failed', 'unknown')) as failed,
        count(*) filter (where n.status in ('sent', 'delivered') and n.simulated)
          - count(*) filter (where o.status in ('sent', 'delivered') and o.simulated) as simulated
      from new_rows n join old_rows o on o.id = n.id
      where n.run_id is not null and n.status <> o.status group by n.run_id) as change;
  end if;
  if v_changes is null then
    return null;
  end if;
  -- Locked in one order: two batches with messages of the same runs do not wait for each other in a circle.
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
    select *, t.processed > t.sent + t.skipped + t.failed as open from (
      select r.id, r.processed + c.processed as processed, r.sent + c.sent as sent, r.skipped + c.skipped as skipped,
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

create function private.hold_large_run(p_run uuid, p_planned boolean) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_guests integer;
begin
  update public.automation_runs set guests = processed - skipped where id = p_run and expires_at is not null;
  if not found or not p_planned then
    return;
  end if;
  v_guests := (select count(distinct customer_id) from public.messages where run_id = p_run and status = 'queued');
  update public.automation_runs run
  set guests = v_guests,
    status = case when v_guests <= o.approve_above and run.status = 'waiting_approval' then 'running' else run.status end,
    expires_at = case when v_guests > coalesce(o.approve_above, 0) then run.expires_at end,
    template = case when v_guests > coalesce(o.approve_above, 0) then run.template end
  from public.organizations o where run.id = p_run and o.id = run.organization_id;
end
$$;
comment on function private.hold_large_run(uuid, boolean) is
  'Counts the guests of a run that waits. Planned whole, it goes on by itself when they are no more than approve_above.';

create function public.enqueue_run(p_organization uuid, p_automation uuid, p_triggered_by text,
  p_now timestamptz default now(), p_run uuid default null, p_limit integer default 10000,
  p_closed jsonb default '{}', p_person uuid default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
  o public.organizations;
  v_run uuid := p_run;
  v_planned integer;
begin
  -- One plan at a time: two automations at once do not both count on the same customer's frequency cap.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('outbox:' || p_organization::text, 0));
  select * into a from public.automations
  where id = p_automation and organization_id = p_organization and deleted_at is null for update;
  if a.id is null then
    return jsonb_build_object('outcome', 'unknown');
  elsif a.status <> 'active' then
    return jsonb_build_object('outcome', 'inactive');
  end if;
  select * into o from public.organizations where id = p_organization;
  if o.sending_stopped_at is not null then
    return jsonb_build_object('outcome', 'stopped');
  end if;
  if v_run is null then
    -- Where large sends need approval a run waits until it is planned whole: only then its size is known.
    insert into public.automation_runs (organization_id, automation_id, automation_name, location_ids, triggered_by,
      started_at, started_by, started_by_name, status, expires_at, template, event)
    values (p_organization, a.id, a.name, a.location_ids, p_triggered_by, p_now, p_person,
      (select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p where p.id = p_person),
      case when o.approve_above is null then 'running' else 'waiting_approval' end,
      case when o.approve_above is not null then p_now + interval '24 hours' end,
      case when o.approve_above is not null then private.template_of(a) end, jsonb_build_object('name', 'automation/run', 'data',
      jsonb_build_object('automation_id', a.id, 'triggered_by', p_triggered_by)))
    returning id into v_run;
  end if;
  -- Locked, so that nothing is decided on it until this part of it is there.
  perform 1 from public.automation_runs run where run.id = v_run for update;
  if exists (
    select 1 from public.automation_runs run
    where run.id = v_run and (run.decided_at is not null or run.status in ('refused', 'expired', 'stopped'))) then
    -- What was approved is what was there; nothing joins it, nor a run that is over.
    return jsonb_build_object('outcome', 'enqueued', 'run_id', v_run, 'more', false);
  end if;

  drop table if exists pg_temp.outbox_plan;
  create temp table outbox_plan on commit drop as
  select * from private.plan_messages(a.id, p_now,
    case p_triggered_by when 'schedule' then interval '1 day' else interval '0' end, p_run, p_limit, p_closed);
  get diagnostics v_planned = row_count;
  analyze pg_temp.outbox_plan;

  -- What is tried again: a skipped message has nothing to tell, a failed one stays and gives up its key.
  delete from public.messages m using pg_temp.outbox_plan p
  where m.organization_id = p_organization and m.dedupe_key = p.dedupe_key and m.status = 'skipped';
  update public.messages m set dedupe_key = m.dedupe_key || ':failed:' || m.id
  from pg_temp.outbox_plan p
  where m.organization_id = p_organization and m.dedupe_key = p.dedupe_key and m.status = 'failed';

  insert into public.messages (organization_id, kind, automation_id, run_id, customer_id, reservation_id, location_id,
    channel, recipient, status, reason, dedupe_key, not_before, created_at)
  select p_organization, p.kind, a.id, v_run, p.customer_id, p.reservation_id, coalesce(r.location_id, c.location_id),
    p.channel, p.recipient, case when p.reason is null then 'queued' else 'skipped' end, p.reason, p.dedupe_key,
    p.not_before, p_now
  from pg_temp.outbox_plan p
  left join public.customers c on c.id = p.customer_id
  left join public.reservations r on r.id = p.reservation_id
  on conflict do nothing;

  perform private.hold_large_run(v_run, v_planned < p_limit);
  update public.automation_runs set status = 'finished', finished_at = started_at, expires_at = null
  where id = v_run and processed = 0;
  return jsonb_build_object('outcome', 'enqueued', 'run_id', v_run, 'more', v_planned >= p_limit);
end
$$;
comment on function public.enqueue_run(uuid, uuid, text, timestamptz, uuid, integer, jsonb, uuid) is
  'Starts a run (manual, by p_person, or schedule), or goes on with p_run: writes the run and its messages. p_closed: see plan_of. outcome is enqueued (run_id; more when p_limit ended it), inactive, stopped (all sending is) or unknown.';

create function public.claim_messages(p_organization uuid, p_channel text, p_limit integer default 100,
  p_lease_seconds integer default 180, p_now timestamptz default now(), p_run uuid default null,
  p_notices boolean default false, p_pace double precision default null, p_connected boolean default false,
  p_links boolean default true, p_automation uuid default null)
returns jsonb
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_held uuid[];
  v_stopped boolean;
  v_next timestamptz;
  v_ids uuid[];
  v_claimed uuid[];
  v_ended uuid[];
begin
  -- One claim at a time: two messages to one customer are never judged without knowing of each other.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  v_stopped := (select o.sending_stopped_at is not null from public.organizations o where o.id = p_organization);
  if p_connected and not private.is_connected(p_organization, p_channel) then
    return jsonb_build_object('examined', 0, 'templates', '[]'::jsonb, 'messages', '[]'::jsonb,
      'ended', case when not p_notices and not v_stopped
        then private.hold_channel(p_organization, p_channel, p_now, p_run, p_automation, p_links) end);
  end if;
  v_held := array(
    select id from public.automation_runs
    where organization_id = p_organization and status in ('paused', 'waiting_approval', 'refused', 'expired', 'stopped')
      and processed > sent + skipped + failed);
  v_next := (
    select next_at from public.channel_pace where organization_id = p_organization and channel = p_channel);
  v_ids := array(
    select m.id from public.messages m
    where m.organization_id = p_organization and m.channel = p_channel and m.status = 'queued'
      -- While the channel waits: whether anything will be due after that.
      and m.not_before <= greatest(p_now, v_next) and (p_run is null or m.run_id = p_run)
      and (not p_notices or m.automation_id is null) and (p_automation is null or m.automation_id = p_automation)
      and (v_held = '{}' or m.run_id is null or m.run_id <> all(v_held))
      and (not v_stopped or m.automation_id is null)
    -- With a pace, a second's worth; the next claim waits until that second is over.
    order by m.not_before, m.id limit least(p_limit, 500, case when p_pace > 0 then greatest(ceil(p_pace), 1) end)
    for update skip locked);
  if p_channel = 'email' then
    -- What may have been accepted in one request goes again in one: its key stands for all of them.
    v_ids := v_ids || array(
      select m.id from public.messages m
      where m.status = 'queued' and m.id <> all(v_ids) and m.idempotency_key in (
        select k.idempotency_key from public.messages k where k.id = any(v_ids)) for update);
  end if;
  if v_next > p_now then
    return jsonb_build_object('examined', 0, 'wait_until', case when v_ids <> '{}' then v_next end,
      'templates', '[]'::jsonb, 'messages', '[]'::jsonb);
  end if;

  with judged as (
    select m.id, m.customer_id, m.not_before, m.kind, m.maybe_accepted, m.idempotency_key as key, now_at.address, o.frequency_cap_days as cap,
      case
        when m.run_id is not null and (a.id is null or a.status <> 'active') then 'automation_inactive'
        when run.template is not null and m.frozen_at is null and run.template <> private.template_of(a)
          then 'message_changed'
        when m.automation_id is not null and c.id is null then 'customer_gone'
        when now_at.address is null then 'no_address'
        when exists (
          select 1 from public.suppressions s
          where s.organization_id = p_organization and s.channel = p_channel
            and s.address in (now_at.address, case p_channel when 'whatsapp' then c.whatsapp_id end)
            and (m.kind = 'marketing' or s.reason in ('bounce', 'complaint'))) then 'suppressed'
        when m.kind = 'marketing' and private.consent_basis(c.consents, c.total_visits, p_channel) = 'none'
          then 'no_consent'
        when p_channel = 'email' and not p_links and m.kind = 'marketing' and m.frozen_at is null then 'no_app_url'
        when a.type = 'reservation_confirmation' and (r.status is distinct from 'confirmed'
          or r.service_order at time zone l.timezone <= p_now) then 'reservation_changed'
        -- An event that begins right now may still be told of.
        when m.frozen_at is null and (m.content ->> 'event_datetime')::timestamptz < p_now - interval '1 minute'
          then 'too_late'
        when p_channel = 'whatsapp' and a.id is not null and a.content_sid is null
          and not public.whatsapp_open(p_organization, now_at.address, p_now) then 'needs_template'
        -- Who may have heard already hears no more by hearing the same again.
        when m.kind = 'marketing' and o.frequency_cap_days > 0 and not m.maybe_accepted and exists (
          select 1 from public.messages other
          where other.customer_id = m.customer_id and other.kind = 'marketing' and other.id <> m.id
            and (other.status in ('sending', 'sent', 'delivered', 'unknown') or other.maybe_accepted)
            and coalesce(other.sent_at, other.created_at) > p_now - make_interval(days => o.frequency_cap_days))
          then 'frequency_cap'
      end as reason,
      case m.kind when 'marketing' then private.after_quiet_hours(p_now, coalesce(l.timezone, 'Europe/Madrid'),
        o.quiet_from, o.quiet_until) else p_now end as send_at
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automations a on a.id = m.automation_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    -- Where the customer is reached now; what is frozen goes where it was going.
    cross join lateral (select case when m.automation_id is null or m.frozen_at is not null then m.recipient
      when p_channel = 'email' then c.email when p_channel = 'whatsapp' then coalesce(c.phone, c.whatsapp_id)
      else c.phone end) as now_at (address)
    where m.id = any(v_ids)
  ), batches as (
    select *, coalesce(bool_or(reason is not null) over batch or key is not null and count(*) over batch < (
        select count(*) from public.messages k where k.idempotency_key = judged.key), false) as broken,
      -- Its members may be in different time zones.
      max(send_at) over batch as batch_send_at
    from judged window batch as (partition by coalesce(key, id::text))
  ), verdicts as (
    select id, address, batch_send_at as send_at, maybe_accepted, case
      when reason is not null then reason
      when broken then 'batch_incomplete'
      when kind = 'marketing' and cap > 0 and send_at <= p_now and customer_id is not null and not maybe_accepted
        and row_number() over (partition by customer_id, kind, reason is null, send_at <= p_now
          order by maybe_accepted desc, not_before, id) > 1 then 'frequency_cap'
    end as reason
    from batches
  ), written as (
    update public.messages m
    set status = case when v.reason is not null and v.maybe_accepted then 'unknown' when v.reason is not null then 'skipped'
        when v.send_at > p_now then 'queued' else 'sending' end,
      reason = v.reason, recipient = v.address,
      not_before = greatest(m.not_before, v.send_at),
      attempts = m.attempts + case when v.reason is null and v.send_at <= p_now then 1 else 0 end,
      lease_token = case when v.reason is null and v.send_at <= p_now then gen_random_uuid() end,
      lease_until = case when v.reason is null and v.send_at <= p_now
        then p_now + make_interval(secs => p_lease_seconds) end
    from verdicts v where m.id = v.id
    returning m.id, m.status
  )
  select coalesce(array_agg(id) filter (where status = 'sending'), '{}'),
    coalesce(array_agg(id) filter (where status in ('skipped', 'unknown')), '{}') into v_claimed, v_ended from written;

  if p_pace > 0 and v_claimed <> '{}' then
    insert into public.channel_pace as p (organization_id, channel, next_at)
    values (p_organization, p_channel, p_now + make_interval(secs => cardinality(v_claimed) / p_pace))
    on conflict (organization_id, channel) do update set next_at = excluded.next_at, reason = null;
  end if;

  return (
    select jsonb_build_object('examined', cardinality(v_ids), 'ended', to_jsonb(v_ended),
      'templates', coalesce((
        select jsonb_agg(private.template_of(a)) from public.automations a
        where a.id in (select m.automation_id from public.messages m where m.id = any(v_claimed))), '[]'),
      'messages', coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'lease_token', m.lease_token, 'kind', m.kind,
        'run_id', m.run_id, 'channel', m.channel, 'recipient', m.recipient, 'attempts', m.attempts, 'automation_id', m.automation_id,
        'content', m.content, 'frozen', m.frozen_at is not null, 'idempotency_key', m.idempotency_key,
        'facts', private.message_facts(o, c, r, l)) order by m.not_before, m.id), '[]'))
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    where m.id = any(v_claimed));
end
$$;
comment on function public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, boolean, boolean, uuid) is
  'Leases the next due messages of a channel (of one run; of one automation; only notices), once consent, cap, quiet hours and pace (messages a second) allow: {examined, templates, messages, wait_until, ended}. examined 0: nothing is due, or it has to wait until wait_until. p_connected: only while its integration is enabled, else see hold_channel. p_links: an e-mail can carry an unsubscribe link. ended: ids of those that will not be sent.';

create function public.freeze_messages(p_contents jsonb, p_now timestamptz default now()) returns jsonb
language sql volatile set search_path = ''
as $$
  with frozen as (
    update public.messages m
    set content = case when m.frozen_at is null then f.content else m.content end,
      idempotency_key = coalesce(m.idempotency_key, f.idempotency_key), frozen_at = coalesce(m.frozen_at, p_now)
    from jsonb_to_recordset(p_contents) as f (id uuid, lease_token uuid, content jsonb, idempotency_key text)
    where m.id = f.id and m.status = 'sending' and m.lease_token = f.lease_token and m.lease_until > p_now
    returning m.id
  )
  select coalesce(jsonb_agg(id), '[]') from frozen
$$;
comment on function public.freeze_messages(jsonb, timestamptz) is
  'Stores what is about to be sent ({id, lease_token, content, idempotency_key}). Only the ids it returns may go to the provider: the others'' lease is lost.';

create function private.retry_verdict(m public.messages, p_now timestamptz) returns text
language sql stable set search_path = ''
as $$
  -- A provider keeps an e-mail's idempotency key for 24 hours; after 23 nothing is sent under it again.
  select case when m.channel = 'email' and m.frozen_at <= p_now - interval '23 hours' then 'too_late'
    when (m.content ->> 'expires_at')::timestamptz < p_now then 'too_late'
    when m.attempts >= 8 then 'too_often' else 'retry' end
$$;

create function public.finish_messages(p_results jsonb, p_now timestamptz default now()) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_written uuid[];
begin
  with results as (
    select distinct on (f.id) f.*
    from jsonb_to_recordset(p_results) as f (id uuid, lease_token uuid, outcome text, reason text, provider text,
      provider_id text, retry_seconds integer)
    where f.outcome in ('sent', 'failed', 'unknown', 'retry')
    order by f.id
  ), timed as (
    select r.*, p_now + make_interval(secs => least(greatest(
      coalesce(r.retry_seconds, 30 * (2 ^ least(m.attempts, 10))::integer), 1), 21600)) as next_at
    from results r join public.messages m on m.id = r.id and m.lease_token = r.lease_token
  ), judged as (
    select r.*, case
      when r.outcome = 'sent' then 'sent'
      when r.outcome = 'failed' then case when m.maybe_accepted then 'unknown' else 'failed' end
      -- SMS and WhatsApp have no idempotency key: what may have been accepted is never sent again.
      when r.outcome = 'unknown' and (m.channel <> 'email' or m.idempotency_key is null) then 'unknown'
      when private.retry_verdict(m, r.next_at) = 'retry' then 'queued'
      when r.outcome = 'unknown' or m.maybe_accepted then 'unknown' else 'failed' end as status
    from timed r
    join public.messages m on m.id = r.id and m.lease_token = r.lease_token
    -- Someone swept the lease; nobody else sends what is unknown, so the true outcome may still be told.
    where m.status = 'sending' or (m.status = 'unknown' and r.outcome in ('sent', 'failed'))
  ), written as (
    update public.messages m
    set status = j.status, reason = case when j.status = 'sent' then null else left(j.reason, 300) end,
      maybe_accepted = m.maybe_accepted or (j.status = 'queued' and j.outcome = 'unknown'),
      provider = coalesce(j.provider, m.provider), provider_id = coalesce(j.provider_id, m.provider_id),
      sent_at = case when j.status = 'sent' then p_now else m.sent_at end,
      not_before = case when j.status = 'queued' then j.next_at else m.not_before end,
      -- What was not even tried has used up no attempt.
      attempts = m.attempts - case when j.status = 'queued' and j.reason = 'held_back' then 1 else 0 end,
      -- An e-mail goes again as it was; of the others nothing was accepted, so they are written anew.
      frozen_at = case when j.status = 'queued' and m.channel <> 'email' then null else m.frozen_at end,
      -- Nothing was accepted under the key: next time it may go with others.
      idempotency_key = case when j.status <> 'queued' or m.maybe_accepted or j.outcome = 'unknown'
        then m.idempotency_key end,
      lease_token = case when j.status = 'unknown' then m.lease_token end, lease_until = null
    from judged j where m.id = j.id
    returning m.id
  )
  select coalesce(array_agg(id), '{}') into v_written from written;
  perform private.note_trouble(p_results, v_written, p_now);
  perform private.suppress_refused(v_written);
  return cardinality(v_written);
end
$$;
comment on function public.finish_messages(jsonb, timestamptz) is
  'Records what became of claimed messages: {id, lease_token, outcome sent|failed|unknown|retry, reason, provider, provider_id, retry_seconds}. Returns how many; a lost lease does not count.';

create function public.sweep_leases(p_now timestamptz default now()) returns jsonb
language sql volatile set search_path = ''
as $$
  with lost as (
    select m.id, case
      -- Never frozen: it had not gone to the provider.
      when m.frozen_at is null then 'queued'
      when m.channel = 'email' and m.idempotency_key is not null and private.retry_verdict(m, p_now) = 'retry'
        then 'queued'
      else 'unknown' end as status
    from public.messages m
    where m.status = 'sending' and m.lease_until <= p_now
    for update skip locked
  ), swept as (
    update public.messages m
    set status = lost.status, reason = case when lost.status = 'unknown' then 'lease_expired' end,
      maybe_accepted = m.maybe_accepted or (lost.status = 'queued' and m.frozen_at is not null),
      not_before = greatest(m.not_before, p_now),
      lease_token = case when lost.status = 'unknown' then m.lease_token end, lease_until = null
    from lost where m.id = lost.id
    returning m.status
  )
  select jsonb_build_object('requeued', count(*) filter (where status = 'queued'),
    'unknown', count(*) filter (where status = 'unknown')) from swept
$$;
comment on function public.sweep_leases(timestamptz) is
  'Takes over what processes that died were sending: back into the queue when that cannot double it, else unknown. Returns {requeued, unknown}.';

revoke execute on function private.count_run_messages(), private.hold_large_run(uuid, boolean),
  private.retry_verdict(public.messages, timestamptz) from public;
grant execute on function private.retry_verdict(public.messages, timestamptz),
  private.hold_large_run(uuid, boolean) to service_role;
revoke execute on function public.enqueue_run(uuid, uuid, text, timestamptz, uuid, integer, jsonb, uuid),
  public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, boolean, boolean, uuid),
  public.freeze_messages(jsonb, timestamptz), public.finish_messages(jsonb, timestamptz),
  public.sweep_leases(timestamptz) from public, anon, authenticated;
grant execute on function public.enqueue_run(uuid, uuid, text, timestamptz, uuid, integer, jsonb, uuid),
  public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, boolean, boolean, uuid),
  public.freeze_messages(jsonb, timestamptz), public.finish_messages(jsonb, timestamptz),
  public.sweep_leases(timestamptz) to service_role;
