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
      way.channel, way.address, o.frequency_cap_days as cap, its.uncounted, its.monthly,
      its.monthly_uncounted,
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
        when m.kind = 'marketing' and c.muted_brands <> '{}'
          and c.muted_brands @> private.brands_to_mute(a) then 'brand_muted'
        when its.overtaken is not null then its.overtaken
        when coalesce(a.step, 1) > 1 and m.frozen_at is null
          and private.booked_since(m.customer_id,
            coalesce(private.step_before(a, m.customer_id), m.created_at)) then 'booked'
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
        when its.monthly and not m.maybe_accepted and exists (
          select from private.counted_messages(p_now - make_interval(days => private.monthly_days()), true,
            its.monthly_uncounted) as counted
          where counted.customer_id = m.customer_id and counted.id <> m.id) then 'guest_frequency'
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
      m.kind = 'marketing' and c.write_frequency is not null as monthly,
      case when a.step > 1 and c.write_frequency is not null
        then private.uncounted_for(a, private.monthly_days()) end as monthly_uncounted,
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
      when kind = 'marketing' and (cap > 0 or monthly) and send_at <= p_now and customer_id is not null
        and not maybe_accepted
        and row_number() over (partition by customer_id, kind, reason is null, send_at <= p_now
          order by maybe_accepted desc, not_before, id) > 1
        then case when cap > 0 then 'frequency_cap' else 'guest_frequency' end
      end as verdict
    from batches
  )
  select id, channel, address, batch_send_at as send_at, maybe_accepted, verdict as reason,
    case when verdict is null then held
      when verdict in ('suppressed', 'frequency_cap', 'guest_frequency')
      then private.detail_of(p_organization, customer_id, id, channel, address, verdict,
        p_now - make_interval(days => case verdict when 'guest_frequency' then private.monthly_days() else cap
          end), true, case verdict when 'guest_frequency' then monthly_uncounted else uncounted end) end
      as detail
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
