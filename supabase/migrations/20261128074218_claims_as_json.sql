-- Schema 20261128074218. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- What went, or cannot be replaced

drop function private.claimed_json(uuid[]);
drop function private.message_facts(public.organizations, public.customers, public.reservations, public.locations, text);
drop function public.claim_messages(uuid, text, integer, integer, timestamp with time zone, uuid, boolean, double precision, text[], jsonb, uuid, jsonb);

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261128074218', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/messages/claim.sql
-- The outbox at work: claim_messages → freeze_messages → (provider) → finish_messages, and sweep_leases for
-- messages that a dead process was sending. Here what is due is chosen, judged once more, and leased;
-- outcomes.sql has the rest. Only the service calls these; lib/messaging/drain.ts is the caller.

create or replace function private.due_messages(p_organization uuid, p_channel text, p_until timestamptz,
  p_limit integer, p_run uuid, p_automation uuid, p_notices boolean, p_after timestamptz, p_after_id uuid,
  out ids uuid[], out last_at timestamptz, out last_id uuid)
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_held uuid[] := array(
    select id from public.automation_runs
    where organization_id = p_organization
      and status in ('paused', 'waiting_approval', 'refused', 'expired', 'stopped')
      and processed > sent + skipped + failed
    union all
    select run.id from public.campaigns c
    join public.automations a on a.campaign_id = c.id
    join public.automation_runs run on run.automation_id = a.id
    where c.organization_id = p_organization and c.status in ('paused', 'waiting_approval'));
  v_keys text[];
begin
  with due as (
    select m.id, m.not_before, m.idempotency_key from public.messages m
    where m.organization_id = p_organization and m.channel = p_channel and m.status = 'queued'
      and m.not_before <= p_until and (m.not_before, m.id) > (p_after, p_after_id)
      and (p_run is null or m.run_id = p_run)
      and (not p_notices or m.automation_id is null)
        and (p_automation is null or m.automation_id = p_automation)
      and (v_held = '{}' or m.run_id is null or m.run_id <> all(v_held))
    order by m.not_before, m.id limit p_limit
    for update skip locked
  )
  select coalesce(array_agg(d.id order by d.not_before, d.id), '{}'), max(d.not_before),
    array_agg(d.idempotency_key) filter (where d.idempotency_key is not null) into ids, last_at, v_keys
      from due d;
  last_id := ids[cardinality(ids)];
  if p_channel = 'email' and v_keys is not null then
    -- E-mails that may have been accepted in one request are repeated in one: they share its key.
    ids := ids || array(
      select m.id from public.messages m
      where m.status = 'queued' and m.id <> all(ids) and m.idempotency_key = any(v_keys) for update);
  end if;
end
$$;
comment on function private.due_messages(uuid, text, timestamptz, integer, uuid, uuid, boolean, timestamptz, uuid) is
  'Locks the next queued messages of a channel that are due at p_until (of one run; of one automation; only those of no automation), without those of held runs, behind the place (p_after, p_after_id) of the queue. Returns their ids and the place of the last one.';

create or replace function private.judge_messages(p_organization uuid, p_channel text, p_ids uuid[],
  p_now timestamptz, p_closed jsonb)
returns table (id uuid, channel text, address text, send_at timestamptz, maybe_accepted boolean,
  reason text, detail jsonb)
-- The joins follow keys, in a good order: to look for a better one would take longer than to run them.
language plpgsql stable rows 100 set search_path = '' set plan_cache_mode = force_custom_plan
  set join_collapse_limit = 1
as $$
#variable_conflict use_column
begin
  return query
  with windows as materialized (
    select * from private.send_windows(p_organization, 'marketing', p_now)
  ), judged as materialized (
    select m.id, m.customer_id, m.not_before, m.kind, m.maybe_accepted, m.idempotency_key as key,
      way.channel, way.address, o.frequency_cap_days as cap, its.uncounted,
      coalesce(a.campaign_id, m.run_id) as among, a.step,
      case
        when m.run_id is not null and (a.id is null or a.status <> 'active') then 'automation_inactive'
        when run.template is not null and m.frozen_at is null
          and run.template - 'email_look' <> private.template_of(a)
          then 'message_changed'
        when m.automation_id is not null and c.id is null then 'customer_gone'
        -- The provider has forgotten its key: sent again, it may arrive twice.
        when m.maybe_accepted and private.retry_verdict(m, p_now) = 'too_late' then 'too_late'
        when way.reason is not null then way.reason
        when its.overtaken is not null then its.overtaken
        when coalesce(a.step, 1) > 1 and m.frozen_at is null
          and private.booked_since(m.customer_id, m.created_at) then 'booked'
        -- An event that begins right now is still announced.
        when m.frozen_at is null
          and (m.content ->> 'event_datetime')::timestamptz < p_now - interval '1 minute'
          then 'too_late'
        when m.frozen_at is null and (m.content ->> 'expires_at')::timestamptz < p_now then 'too_late'
        -- Resending a message that may have arrived does not count against the cap.
        when m.kind = 'marketing' and o.frequency_cap_days > 0 and not m.maybe_accepted and exists (
          select from private.counted_messages(p_now - make_interval(days => o.frequency_cap_days), true,
            its.uncounted) as counted
          where counted.customer_id = m.customer_id and counted.id <> m.id) then 'frequency_cap'
        -- Merged with a guest of the control group since it was planned.
        when m.kind = 'marketing' and exists (
          select 1 from private.enrolments e
          where e.automation_id = coalesce(a.campaign_id, m.automation_id) and e.customer_id = m.customer_id
            and e.held)
          and private.control_share(a) > 0 then 'control_group'
        when way.channel <> m.channel then case
          -- An address that is gone takes with it the no that was said there.
          when m.kind = 'marketing' and exists (
            select from public.suppressions s
            where s.organization_id = p_organization and s.channel = m.channel and s.address = m.recipient
              and (s.reason <> 'bounce' or s.opt_out is not null)) then 'suppressed'
          else private.taken_by(m, a, way.channel, way.address) end
      end as reason,
      case m.kind when 'marketing' then windows.send_at else p_now end as send_at,
      case m.kind when 'marketing' then windows.detail end as held
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automations a on a.id = m.automation_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    left join windows on windows.location_id is not distinct from l.id
    -- A frozen message keeps its channel and the address it had; another one takes the guest's way now.
    -- offset 0: each is worked out once, not wherever it is used, which also takes long to plan.
    cross join lateral (select m.automation_id is null or m.frozen_at is not null as fixed,
      case when a.step > 1 then private.uncounted_for(a, o.frequency_cap_days) end as uncounted,
      private.overtaken(a, r, r.service_order at time zone l.timezone, p_now) as overtaken offset 0) as its
    cross join lateral (
      select case when its.fixed then m.channel else a.channel end as channel,
        case when not its.fixed then a.fallback_channel end as fallback,
        case when its.fixed then '{}' else p_closed end as closed,
        a.id is not null and a.content_sid is null as free_text, coalesce(c.consents, '{}') as consents,
        coalesce(c.total_visits, 0) as visits offset 0) as ask
    cross join lateral (
      select case when its.fixed then m.recipient
          else private.address_by(ask.channel, c.email, c.phone, c.whatsapp_id) end as own,
        private.address_by(ask.fallback, c.email, c.phone, c.whatsapp_id) as other,
        private.closed_by(ask.closed, ask.channel, m.kind) as own_closed,
        private.closed_by(ask.closed, ask.fallback, m.kind) as other_closed offset 0) as place
    -- As ways_to. offset 0: each is asked once a message, and the second one rarely.
    cross join lateral (
      select b.reason from private.blocked_by(p_organization, m.kind, ask.channel, place.own, c.whatsapp_id,
        ask.consents, ask.visits, ask.free_text, place.own_closed, p_now) as b offset 0) as first
    left join lateral (
      select b.reason from private.blocked_by(p_organization, m.kind, ask.fallback, place.other,
        c.whatsapp_id, ask.consents, ask.visits, ask.free_text, place.other_closed, p_now) as b
      where first.reason is not null offset 0) as second on true
    cross join lateral private.way_of(ask.channel, ask.fallback, place.own, place.other, place.own_closed,
      place.other_closed, first.reason, second.reason) as way
    where m.id = any(p_ids)
  ), batches as (
    select *, coalesce(bool_or(reason is not null) over batch or key is not null and count(*) over batch < (
        select count(*) from public.messages k where k.idempotency_key = judged.key), false) as broken,
      -- The customers of one batch may be in different time zones.
      max(send_at) over batch as batch_send_at
    from judged window batch as (partition by coalesce(key, id::text))
  ), verdicts as (
    select *, case
      when reason is not null then reason
      when broken then 'batch_incomplete'
      when channel <> p_channel and kind = 'marketing' and channel <> 'email' and row_number() over (
        partition by among, step, channel, address, reason is null order by id) > 1 then 'duplicate'
      when kind = 'marketing' and cap > 0 and send_at <= p_now and customer_id is not null
        and not maybe_accepted
        and row_number() over (partition by customer_id, kind, reason is null, send_at <= p_now
          order by maybe_accepted desc, not_before, id) > 1 then 'frequency_cap'
      end as verdict
    from batches
  )
  select id, channel, address, batch_send_at as send_at, maybe_accepted, verdict as reason,
    case when verdict is null then held
      when verdict in ('suppressed', 'frequency_cap')
      then private.detail_of(p_organization, customer_id, id, channel, address, verdict,
        p_now - make_interval(days => cap), true, uncounted) end as detail
  from verdicts;
end
$$;
comment on function private.judge_messages(uuid, text, uuid[], timestamptz, jsonb) is
  'For each message: its channel and address now, from when it may go, and the reason why it may not (null: it may), with its detail. Messages of one request are sent together or not at all. p_closed: see ways_to.';

create or replace function private.claimed_messages(p_ids uuid[], out templates json, out messages json)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  templates := (
    select coalesce(
      json_agg(private.template_of(a) || jsonb_build_object('email_look', private.email_look_of(a))), '[]')
    from public.automations a
    -- As an array: a semi-join would read all messages of an automation.
    where a.id = any(array(select distinct m.automation_id from public.messages m where m.id = any(p_ids))));
  messages := (
    select coalesce(
      json_agg(json_build_object('id', m.id, 'lease_token', m.lease_token, 'kind', m.kind,
        'run_id', m.run_id, 'email_look', run.template -> 'email_look', 'channel', m.channel, 'recipient',
        m.recipient, 'attempts', m.attempts, 'automation_id', m.automation_id,
        'content', m.content, 'frozen', m.frozen_at is not null, 'idempotency_key', m.idempotency_key,
        'visited', coalesce(r.visited, false), 'facts', private.message_facts(o, c, r, l, t.name))
        order by m.not_before, m.id), '[]')
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    where m.id = any(p_ids));
end
$$;
comment on function private.claimed_messages(uuid[]) is
  'What is needed to render and send the messages: the templates, each once, and the messages with the facts about their customers. As json, which takes two thirds of the time of jsonb.';

create or replace function public.claim_messages(p_organization uuid, p_channel text,
  p_limit integer default 100, p_lease_seconds integer default 180, p_now timestamptz default now(),
  p_run uuid default null, p_notices boolean default false, p_pace double precision default null,
  p_integrations text[] default '{}', p_closed jsonb default '{}', p_automation uuid default null,
  p_after jsonb default null)
returns json
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_only_notices boolean;
  -- An integration that was switched off since the caller looked sends nothing.
  v_closed jsonb := p_closed || (
    select coalesce(jsonb_object_agg(i.channel, 'no_provider'), '{}')
    from unnest(p_integrations) as i (channel) where not private.is_connected(p_organization, i.channel));
  v_next timestamptz;
  v_most integer;
  v_ids uuid[];
  v_last_at timestamptz;
  v_last_id uuid;
  v_claimed uuid[];
  v_ended uuid[];
  v_moved boolean;
begin
  -- One claim at a time, so that a message is judged with all others to the same customer in view.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  v_only_notices := p_notices or (
    select o.sending_stopped_at is not null from public.organizations o where o.id = p_organization);
  if v_closed ->> p_channel = 'no_provider' then
    return '{"examined": 0, "templates": [], "messages": []}'::jsonb || case when v_only_notices then '{}'
      else private.hold_channel(p_organization, p_channel, p_now, p_run, p_automation, v_closed) end;
  end if;

  v_next := (
    select next_at from public.channel_pace where organization_id = p_organization and channel = p_channel);
  -- With a pace it takes what one second allows. While the channel still waits for the end of that second,
  -- it looks for what is due then, to tell whether to come back.
  v_most := least(p_limit, 500, case when p_pace > 0 then greatest(ceil(p_pace), 1) end);
  -- From where the caller's last claim ended: what was sent since leaves dead entries in the index, which
  -- cannot be removed while another transaction holds its snapshot.
  select d.ids, d.last_at, d.last_id into v_ids, v_last_at, v_last_id
  from private.due_messages(p_organization, p_channel, greatest(p_now, v_next), v_most, p_run, p_automation,
    v_only_notices, coalesce((p_after ->> 'not_before')::timestamptz, '-infinity'),
    coalesce((p_after ->> 'id')::uuid, '00000000-0000-0000-0000-000000000000')) d;
  if v_next > p_now or v_ids = '{}' then
    return json_build_object('examined', 0, 'wait_until', case when v_ids <> '{}' then v_next end,
      'templates', '[]'::json, 'messages', '[]'::json);
  end if;

  with judged as (
    select *, reason is null and channel <> p_channel as moves, reason is null and channel = p_channel
      and send_at <= p_now as goes
    from private.judge_messages(p_organization, p_channel, v_ids, p_now, v_closed)
  ), written as (
    update public.messages m
    set status = case when v.reason is not null and v.maybe_accepted then 'unknown'
        when v.reason is not null then 'skipped' when v.goes then 'sending' else 'queued' end,
      reason = v.reason, detail = v.detail, updated_at = now(),
      channel = case when v.moves then v.channel else m.channel end,
      recipient = case when v.reason is null or v.channel = m.channel then v.address else m.recipient end,
      not_before = greatest(m.not_before, v.send_at),
      attempts = case when v.moves then 0 when v.goes then m.attempts + 1 else m.attempts end,
      content = case when v.moves then '{}' else m.content end,
      idempotency_key = case when not v.moves then m.idempotency_key end,
      lease_token = case when v.goes then gen_random_uuid() end,
      lease_until = case when v.goes then p_now + make_interval(secs => p_lease_seconds) end
    from judged v where m.id = v.id
    returning m.id, m.status, v.moves
  )
  select coalesce(array_agg(id) filter (where status = 'sending'), '{}'),
    coalesce(array_agg(id) filter (where status in ('skipped', 'unknown')), '{}'),
    coalesce(bool_or(moves), false) into v_claimed, v_ended, v_moved
      from written;
  if p_pace > 0 and v_claimed <> '{}' then
    insert into public.channel_pace as p (organization_id, channel, next_at)
    values (p_organization, p_channel, p_now + make_interval(secs => cardinality(v_claimed) / p_pace))
    on conflict (organization_id, channel) do update set next_at = excluded.next_at, reason = null;
  end if;

  return (
    select json_build_object('examined', cardinality(v_ids), 'ended', v_ended, 'moved', v_moved,
      'last', case when v_last_id is not null
        then json_build_object('not_before', v_last_at, 'id', v_last_id) end,
      'templates', c.templates, 'messages', c.messages)
    from private.claimed_messages(v_claimed) as c);
end
$$;
comment on function public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, text[], jsonb, uuid, jsonb) is
  'Leases the next due messages of a channel (of one run; of one automation; only notices), once consent, cap, quiet hours and pace (messages a second) allow: {examined, templates, messages, wait_until, ended}. examined 0: nothing is due, or it has to wait until wait_until. p_closed: see ways_to; a channel without a provider: see hold_channel. p_integrations: channels that have a provider only while their integration is enabled. moved: some now wait to go by another channel. ended: ids of those that will not be sent. more: hold_channel has more to move. last: the place in the queue where it ended. p_after: looks only behind that place.';
grant execute on function private.due_messages(uuid, text, timestamptz, integer, uuid, uuid, boolean,
  timestamptz, uuid), private.judge_messages(uuid, text, uuid[], timestamptz, jsonb),
  private.claimed_messages(uuid[]),
  public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, text[],
  jsonb, uuid, jsonb)
  to service_role;
-- << supabase/logic/messages/claim.sql

-- >> supabase/logic/messages/facts.sql
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
    'last_visit', (c.last_visit_at at time zone coalesce(l.timezone, o.timezone))::date,
    'tier', p_tier, 'location_name', l.name, 'reservation_date', r.reservation_date,
    'reservation_time', to_char(r.reservation_time, 'HH24:MI'), 'party_size', r.party_size);
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
$$;
comment on function private.template_of(public.automations) is
  'An automation''s template, as lib/messaging/template.ts takes it.';
grant execute on function private.message_facts(public.organizations, public.customers, public.reservations,
  public.locations, text), private.template_of(public.automations) to service_role;
-- << supabase/logic/messages/facts.sql

-- >> supabase/logic/reservations/sync.sql
-- The sync. sync_reservations turns a batch of one location's PMS rows into customers, reservations,
-- statistics and tiers, in one transaction. record_sync and record_look_ahead keep which days of a location
-- the PMS has delivered. lib/pms calls them, with normalised rows.

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
        and b.table_name is not distinct from e.staff_marks ->> 'table_name' as table_name,
      coalesce(e.staff_marks ? 'notes', false)
        and (personal.notes is not distinct from e.staff_marks ->> 'notes'
          or personal.all_notes is not distinct from e.staff_marks ->> 'notes') as notes
    ) as marked
  )
  select i.*, coalesce(i.status, e.status, 'pending') as next_status,
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
        i.party_size, coalesce(i.status, e.status), i.pms_status, i.notes, i.zone_name, i.table_name,
        i.staff_marks, coalesce(i.bad_email, false))
      is distinct from (e.location_id, e.customer_name, e.customer_email, e.customer_phone,
        e.reservation_date, e.reservation_time, e.party_size, e.status, e.pms_status, e.notes, e.zone_name,
        e.table_name, e.staff_marks, e.email_unread)
      as changed,
    private.service_day(i.reservation_date, i.reservation_time) < p_service as service_over,
    coalesce(i.bad_email, false) and e.email_unread is not true as email_broke,
    false as is_new
  from incoming i
  left join public.reservations e on e.organization_id = p_organization and e.external_id = i.external_id;
  -- A known reservation keeps its customer while its contact data stays the same.
  update pg_temp.sync_batch set customer_id = null where contact_changed and customer_id is not null;
  analyze pg_temp.sync_batch;
end
$$;
comment on function private.sync_read_rows(uuid, uuid, jsonb, date) is
  'Makes pg_temp.sync_batch, one row a reservation: the incoming values, the stored ones, and which changed. Services before p_service are over.';

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
    email_unread = coalesce(b.bad_email, false)
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
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_service date;
  v_counts_unmarked boolean;
  v_new_customers bigint;
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
      where email_broke));
end
$$;
comment on function public.sync_reservations(uuid, jsonb, timestamptz) is
  'Saves one location''s normalised PMS rows (external_id, email, phone, names, date, time, party size, status, …). Returns counts, and bad_emails: the ids of bookings that come with an e-mail that is none and did not before.';

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
  private.sync_match_people(uuid), private.sync_update_profiles(uuid),
  private.sync_write_reservations(uuid, uuid, boolean), private.sync_learn_tables(uuid, uuid),
  public.sync_reservations(uuid, jsonb, timestamptz),
  private.known_days(date, date, daterange), public.record_sync(uuid, timestamptz, date, date, text),
  public.record_look_ahead(uuid, timestamptz, date, date, text) to service_role;
-- << supabase/logic/reservations/sync.sql

-- >> supabase/logic/service/table_offers.sql
-- A table that was given back is offered to the waitlist by SMS or WhatsApp, one party after the other, where
-- the organization wants it (offer_tables_minutes). A clear yes books it. All that takes a table holds
-- lock_identities, as do staff's changes and the sync, so a table is never given to two.

create or replace function private.stay_of(p_party_size integer) returns interval
language sql immutable set search_path = ''
as $$
  select case when p_party_size <= 2 then interval '90 minutes'
    when p_party_size <= 6 then interval '120 minutes'
    else interval '150 minutes' end
$$;
comment on function private.stay_of(integer) is
  'How long a party of that size usually stays, as components/service/table-model.ts assumes.';

create or replace function private.table_names(p_table text) returns text[]
language sql immutable set search_path = ''
as $$ select array(select btrim(name) from unnest(string_to_array(p_table, '+')) as name
  where btrim(name) <> '') $$;
comment on function private.table_names(text) is 'The tables of a reservation: 4+5 are two joined ones.';

create or replace function private.table_is_free(p_location uuid, p_table text, p_from timestamptz,
  p_party_size integer, p_now timestamptz, p_except uuid default null)
returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
    select 1 from public.reservations r
    join public.locations l on l.id = r.location_id
    cross join lateral (
      select r.service_order at time zone l.timezone as booked, private.stay_of(r.party_size) as stay) as s
    where r.location_id = p_location
      and r.service_date between (p_from at time zone l.timezone)::date - 1
        and (p_from at time zone l.timezone)::date + 1
      and r.source <> 'import' and r.status in ('pending', 'confirmed', 'seated')
      and private.table_names(r.table_name) && private.table_names(p_table)
      and tstzrange(case r.status when 'seated' then least(coalesce(r.seated_at, s.booked), p_now)
        else s.booked end,
        case when r.status = 'seated'
          then greatest(coalesce(r.seated_at, s.booked) + s.stay, p_now + interval '15 minutes')
          when p_now - s.booked between interval '0' and interval '60 minutes' then p_now + s.stay
          else s.booked + s.stay end) && tstzrange(p_from, p_from + private.stay_of(p_party_size)))
    and not exists (
      select 1 from private.table_offers o
      where o.location_id = p_location and o.outcome is null and o.expires_at > p_now and o.id is distinct
        from p_except
        and private.table_names(o.table_name) && private.table_names(p_table))
$$;
comment on function private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) is
  'Whether no party that comes or sits has one of these tables during a usual stay from p_from, and none is offered it (but by the offer p_except).';

create or replace function private.close_offers(p_organization uuid, p_now timestamptz) returns void
language sql volatile set search_path = ''
as $$
  update private.table_offers o set ended_at = p_now,
    outcome = case when o.expires_at <= p_now then 'expired' else 'gone' end
  from public.waitlist w, public.reservations r
  where o.organization_id = p_organization and o.outcome is null and w.id = o.waitlist_id
    and r.id = o.reservation_id
    and (o.expires_at <= p_now or w.outcome is not null or w.called_at is not null
      or r.status not in ('cancelled', 'no_show'))
$$;
comment on function private.close_offers(uuid, timestamptz) is
  'Ends offers whose time is over, whose party no longer waits, or whose reservation is on again.';

create or replace function public.offer_freed_tables(p_organization uuid, p_channels text[],
  p_now timestamptz default now())
returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  o public.organizations;
  v_channels text[];
begin
  select * into o from public.organizations where id = p_organization;
  if o.offer_tables_minutes is null then
    return '{}';
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_now);
  with slots as (
    select r.id, r.location_id, r.table_name, l.name as place, l.timezone,
      greatest(r.service_order at time zone l.timezone, p_now) as starts_at, coalesce((
        select sum(coalesce(d.capacity, r.party_size)) from public.dining_tables d
        where d.location_id = r.location_id and d.is_active
        and d.name = any(private.table_names(r.table_name))), r.party_size) as seats
    from public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date = private.current_service(l.timezone, p_now)
    where l.organization_id = p_organization and l.is_active and r.source <> 'import'
      and r.status in ('cancelled', 'no_show') and not r.walk_in and r.table_name is not null
      and r.service_order at time zone l.timezone > p_now - interval '60 minutes'
      and r.service_order at time zone l.timezone <= p_now + interval '2 hours'
      and not exists (
        select 1 from private.table_offers f
        where f.reservation_id = r.id and (f.outcome is null or f.outcome = 'accepted'))
  ), pairs as (
    select s.*, w.id as waitlist_id, w.phone, w.party_size, w.joined_at, by.channel
    from slots s
    join public.waitlist w on w.location_id = s.location_id and w.outcome is null and w.called_at is null
      and w.phone is not null and w.party_size <= s.seats
    cross join lateral (
      -- WhatsApp allows free text only within 24 hours of the person's last message.
      select c.channel from unnest(array['whatsapp', 'sms']) with ordinality as c (channel, place)
      where c.channel = any(p_channels)
        and (c.channel = 'sms' or public.whatsapp_open(p_organization, w.phone, p_now))
        and not exists (
          select 1 from public.suppressions x
          where x.organization_id = p_organization and x.channel = c.channel and x.address = w.phone)
      order by c.place limit 1) as by
    where not exists (
        select 1 from private.table_offers f
        where f.waitlist_id = w.id and (f.outcome is null or f.reservation_id = s.id))
      and private.table_is_free(s.location_id, s.table_name, s.starts_at, w.party_size, p_now)
  -- The first who came for each table, one table for each party; of two reservations of one table, one.
  ), first_come as (
    select distinct on (p.id) p.* from pairs p order by p.id, p.joined_at, p.waitlist_id
  ), one_each as (
    select distinct on (f.waitlist_id) f.* from first_come f order by f.waitlist_id, f.starts_at, f.id
  ), chosen as (
    select e.*, gen_random_uuid() as offer_id, gen_random_uuid() as message_id,
      p_now + make_interval(mins => o.offer_tables_minutes) as expires_at
    from one_each e
    where not exists (
      select 1 from one_each other
      where other.location_id = e.location_id and other.id <> e.id
        and (other.starts_at, other.id) < (e.starts_at, e.id)
        and private.table_names(other.table_name) && private.table_names(e.table_name))
  ), told as (
    insert into public.messages (id, organization_id, kind, purpose, about_type, about_id, location_id,
      channel, recipient, dedupe_key, content, not_before, created_at)
    select c.message_id, p_organization, 'transactional', 'table_offer', 'table_offer', c.offer_id,
      c.location_id, c.channel, c.phone, 'offer:' || c.offer_id,
      private.guest_text('table_offer', private.in_english(c.phone), jsonb_build_object('party_size',
        c.party_size, 'location', c.place, 'time', to_char(c.starts_at at time zone c.timezone, 'HH24:MI'),
        'until', to_char(c.expires_at at time zone c.timezone, 'HH24:MI')), c.expires_at), p_now, p_now
    from chosen c
  ), offered as (
    insert into private.table_offers (id, organization_id, location_id, waitlist_id, reservation_id,
      table_name, starts_at, message_id, offered_at, expires_at)
    select c.offer_id, p_organization, c.location_id, c.waitlist_id, c.id, c.table_name, c.starts_at,
      c.message_id, p_now, c.expires_at
    from chosen c
  )
  select array_agg(distinct c.channel order by c.channel) into v_channels from chosen c;
  return coalesce(v_channels, '{}');
end
$$;
comment on function public.offer_freed_tables(uuid, text[], timestamptz) is
  'Ends old offers. Then offers each table that a cancellation or a no-show of the current services has freed to the first waiting party that fits, by the connected channels; no party is offered the same table twice. Returns the channels of the messages it queued. Call it again until there are none.';

create or replace function private.book_offer(o private.table_offers, w public.waitlist, l public.locations)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v public.reservations;
begin
  v.organization_id := o.organization_id;
  v.location_id := o.location_id;
  v.customer_name := w.name;
  v.customer_phone := w.phone;
  -- A phone of a guest with another name makes no guest of them: floor staff typed both.
  if private.owners_of_another_name(o.organization_id, null, w.phone, w.name) is null then
    v.customer_id := private.match_customer(o.organization_id, null, w.phone, w.name);
  end if;
  v.reservation_date := (o.starts_at at time zone l.timezone)::date;
  v.reservation_time := date_trunc('minute', o.starts_at at time zone l.timezone)::time;
  v.party_size := w.party_size;
  v.status := 'confirmed';
  v.notes := w.notes;
  v.table_name := o.table_name;
  v.service_over := false;
  v := private.write_reservation(v, l.count_unmarked_visits);
  perform private.refresh_customers(array_remove(array[v.customer_id], null));
  perform private.audit(o.organization_id, 'reservation.created', v.id, '{}');
  return v.id;
end
$$;
comment on function private.book_offer(private.table_offers, public.waitlist, public.locations) is
  'Books an offered table for the waiting party, like a reservation by staff; returns its id.';

create or replace function private.ticket_for_offer(o private.table_offers, w public.waitlist, p_channel text,
  p_reason text, p_text text, p_at timestamptz, p_words jsonb)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := case p_channel when 'whatsapp' then 'WhatsApp' else 'SMS' end;
  v_values jsonb := jsonb_build_object('name', w.name, 'table', o.table_name, 'channel', v_channel,
    'reason', p_words -> 'reasons' ->> p_reason,
    'text', coalesce(nullif(btrim(left(p_text, 500)), ''), p_words ->> 'no_text'));
  v_ticket uuid;
begin
  -- One ticket per offer: further messages are added while it is open.
  select t.id into v_ticket from public.tickets t
  where t.id = o.ticket_id and t.status in ('open', 'in_progress', 'waiting') for update;
  if v_ticket is not null then
    if (select count(*) from public.ticket_comments c where c.ticket_id = v_ticket) < 50 then
      insert into public.ticket_comments (ticket_id, author_name, body, created_at)
      values (v_ticket, v_channel, private.worded(p_words ->> 'comment', v_values), p_at);
      update public.tickets set changes = changes + 1 where id = v_ticket;
    end if;
    return;
  end if;
  insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
    created_at)
  values (o.organization_id, left(private.worded(p_words ->> 'subject', v_values), 200),
    private.worded(p_words ->> 'description', v_values), 'urgent', o.location_id, (
      select (array_agg(c.id))[1] from public.customers c
      where c.organization_id = o.organization_id and c.phone = w.phone having count(*) = 1), p_at)
  returning id into v_ticket;
  update private.table_offers set ticket_id = v_ticket where id = o.id;
end
$$;
comment on function private.ticket_for_offer(private.table_offers, public.waitlist, text, text, text, timestamptz, jsonb) is
  'Passes a message about an offer to staff: as a comment on the offer''s open ticket, else as a new one, of the guest who alone has the phone. p_words: those of lib/tickets/guest-ticket-words.json for offers, in one language.';

create or replace function public.take_offer_reply(p_organization uuid, p_reply jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_channel text := p_reply ->> 'channel';
  v_intent text := p_reply ->> 'intent';
  v_addresses text[] := private.sender_addresses(p_organization, v_channel, p_reply ->> 'phone',
    p_reply ->> 'whatsapp_id');
  v_last public.messages;
  o private.table_offers;
  w public.waitlist;
  l public.locations;
  v_booking uuid;
  v_english boolean;
  v_answered boolean;
  v_theirs boolean;
begin
  -- A reply of "1" can only mean our last message to the guest.
  select * into v_last from public.messages m
  where m.organization_id = p_organization and m.recipient = any(v_addresses) and m.channel = v_channel
    and m.created_at > p_at - interval '1 day' and m.status in ('sending', 'sent', 'delivered', 'unknown')
  order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1;
  v_answered := coalesce(v_last.purpose = 'table_offer_answer', false);
  select * into o from private.table_offers f
  where f.organization_id = p_organization and case when v_answered
    then f.id = v_last.about_id else f.message_id = v_last.id end;
  if o.id is null or p_reply ->> 'answers' is not null and v_last.provider_id is distinct
    from p_reply ->> 'answers' then
    return jsonb_build_object('outcome', 'not_asked');
  end if;
  insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
  values (p_organization, 'reply:' || (p_reply ->> 'id'), p_at, true) on conflict do nothing;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_at);
  select * into o from private.table_offers f where f.id = o.id for update;
  select * into w from public.waitlist e where e.id = o.waitlist_id for update;
  select * into l from public.locations p where p.id = o.location_id;
  v_theirs := private.is_senders(v_last, p_reply ->> 'phone', p_reply ->> 'whatsapp_id');
  v_english := coalesce(p_reply ->> 'language' = 'en', private.in_english(w.phone));
  if v_intent = 'courtesy' or v_intent = 'confirm' and (v_answered or o.outcome = 'accepted') then
    return jsonb_build_object('outcome', 'nothing');
  elsif v_intent = 'cancel' and o.outcome is null and v_theirs then
    update private.table_offers set outcome = 'declined', ended_at = p_at where id = o.id;
    return jsonb_build_object('outcome', 'declined');
  elsif v_intent = 'confirm' and o.outcome is null and v_theirs
    and private.table_is_free(o.location_id, o.table_name, o.starts_at, w.party_size, p_at, o.id) then
    v_booking := private.book_offer(o, w, l);
    update private.table_offers set outcome = 'accepted', ended_at = p_at, booking_id = v_booking
      where id = o.id;
    update public.waitlist set outcome = 'booked', ended_at = p_at where id = w.id;
  else
    perform private.ticket_for_offer(o, w, v_channel, case
      when not v_theirs then 'another_number'
      when v_intent = 'confirm' and w.outcome is null then 'too_late'
      when v_intent = 'confirm' then 'not_waiting'
      when o.outcome = 'accepted' then 'booked'
      else 'unclear' end, p_reply ->> 'text', p_at,
      p_words -> case when private.in_english(w.phone) then 'en' else 'es' end);
    if v_intent is distinct from 'confirm' or not v_theirs then
      return jsonb_build_object('outcome', 'ticket');
    end if;
    update private.table_offers set outcome = 'gone', ended_at = p_at where id = o.id and outcome is null;
  end if;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, reservation_id,
    location_id, channel, recipient, dedupe_key, content, not_before, created_at)
  select p_organization, 'transactional', 'table_offer_answer', 'table_offer', o.id, v_booking, o.location_id,
    v_channel, v_last.recipient, 'offer-answer:' || o.id || ':' || (p_reply ->> 'id'),
    private.guest_text(case when v_booking is not null then 'table_taken' when w.outcome is null
      then 'table_gone' else 'table_gone_not_waiting' end, v_english,
      jsonb_build_object('location', l.name, 'time', to_char(o.starts_at at time zone l.timezone, 'HH24:MI')),
      p_at + interval '1 hour'), p_at, p_at;
  return jsonb_build_object('outcome', case when v_booking is null then 'gone' else 'accepted' end,
    'reservation_id', v_booking);
end
$$;
comment on function public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) is
  'Handles a guest''s reply to an offer of a freed table, or to our answer about that offer, when that was our last message to the guest. p_reply: as for take_reply. p_words: the texts for offers in lib/tickets/guest-ticket-words.json, by language. Returns {outcome, reservation_id (only when booked)}. Outcomes: accepted (booked, and the guest is told), declined, gone (a yes that came too late: the guest is told, and staff get a ticket), ticket (staff must read it: unclear, from another number, or the offer has ended), nothing (thanks, or a second yes), not_asked (our last message was no offer, or the reply quotes another message), repeated (the provider delivered this reply before; nothing changes).';
grant execute on function private.stay_of(integer), private.table_names(text),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid),
  private.close_offers(uuid, timestamptz) to service_role;
grant execute on function public.offer_freed_tables(uuid, text[], timestamptz),
  public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/service/table_offers.sql

reset check_function_bodies;
