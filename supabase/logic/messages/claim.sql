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
  p_now timestamptz, p_links boolean)
returns table (id uuid, address text, send_at timestamptz, maybe_accepted boolean, reason text)
language plpgsql stable rows 100 set search_path = '' set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
  return query
  with zones as materialized (
    -- Once for each time zone, not for each message.
    select z.timezone, private.after_quiet_hours(p_now, z.timezone, o.quiet_from, o.quiet_until) as send_at
    from public.organizations o
    cross join lateral (
      select l.timezone from public.locations l where l.organization_id = o.id
        union select 'Europe/Madrid') as z
    where o.id = p_organization
  ), judged as materialized (
    select m.id, m.customer_id, m.not_before, m.kind, m.maybe_accepted, m.idempotency_key as key,
      now_at.address, o.frequency_cap_days as cap,
      case
        when m.run_id is not null and (a.id is null or a.status <> 'active') then 'automation_inactive'
        when run.template is not null and m.frozen_at is null
          and run.template - 'email_look' <> private.template_of(a)
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
        when p_channel = 'email' and not p_links and m.kind = 'marketing'
          and m.frozen_at is null then 'no_app_url'
        -- Merged with a guest of the control group since it was planned.
        when m.kind = 'marketing' and exists (
          select 1 from private.enrolments e
          where e.automation_id = coalesce(a.campaign_id, m.automation_id) and e.customer_id = m.customer_id
            and e.held)
          and private.control_share(a) > 0 then 'control_group'
        when a.type = 'reservation_confirmation' and (r.status is distinct from 'confirmed'
          -- Who has answered is not asked.
          or r.guest_answered_at is not null
          or r.service_order at time zone l.timezone <= p_now) then 'reservation_changed'
        when coalesce(a.step, 1) > 1 and m.frozen_at is null
          and private.booked_since(m.customer_id, m.created_at) then 'booked'
        -- An event that begins right now is still announced.
        when m.frozen_at is null
          and (m.content ->> 'event_datetime')::timestamptz < p_now - interval '1 minute'
          then 'too_late'
        when m.frozen_at is null and (m.content ->> 'expires_at')::timestamptz < p_now then 'too_late'
        when p_channel = 'whatsapp' and a.id is not null and a.content_sid is null
          and not public.whatsapp_open(p_organization, now_at.address, p_now) then 'needs_template'
        -- Resending a message that may have arrived does not count against the cap.
        when m.kind = 'marketing' and o.frequency_cap_days > 0 and not m.maybe_accepted and exists (
          select 1 from public.messages other
          where other.customer_id = m.customer_id and other.kind = 'marketing' and other.id <> m.id
            and (other.status in ('sending', 'sent', 'delivered', 'unknown') or other.maybe_accepted)
            and coalesce(other.sent_at, other.created_at) > p_now
              - make_interval(days => o.frequency_cap_days)
            -- As in plan_query: of a follow-up after the cap's days not the messages before it.
            and not (coalesce(a.step, 1) > 1 and a.after_days >= o.frequency_cap_days and exists (
              select from public.automations s where s.id = other.automation_id
                and s.campaign_id = a.campaign_id)))
          then 'frequency_cap'
      end as reason,
      case m.kind when 'marketing' then zones.send_at else p_now end as send_at
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automations a on a.id = m.automation_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    left join zones on zones.timezone = coalesce(l.timezone, 'Europe/Madrid')
    -- The customer's address now; a frozen message keeps the address it had.
    cross join lateral (select case when m.automation_id is null or m.frozen_at is not null then m.recipient
      when p_channel = 'email' then c.email when p_channel = 'whatsapp' then coalesce(c.phone, c.whatsapp_id)
      else c.phone end) as now_at (address)
    where m.id = any(p_ids)
  ), batches as (
    select *, coalesce(bool_or(reason is not null) over batch or key is not null and count(*) over batch < (
        select count(*) from public.messages k where k.idempotency_key = judged.key), false) as broken,
      -- The customers of one batch may be in different time zones.
      max(send_at) over batch as batch_send_at
    from judged window batch as (partition by coalesce(key, id::text))
  )
  select id, address, batch_send_at as send_at, maybe_accepted, case
    when reason is not null then reason
    when broken then 'batch_incomplete'
    when kind = 'marketing' and cap > 0 and send_at <= p_now and customer_id is not null
      and not maybe_accepted
      and row_number() over (partition by customer_id, kind, reason is null, send_at <= p_now
        order by maybe_accepted desc, not_before, id) > 1 then 'frequency_cap'
  end as reason
  from batches;
end
$$;
comment on function private.judge_messages(uuid, text, uuid[], timestamptz, boolean) is
  'For each message: its address now, from when it may go, and the reason why it may not (null: it may). Messages of one request are sent together or not at all.';

create or replace function private.claimed_json(p_ids uuid[]) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  return (
    select jsonb_build_object(
      'templates', coalesce((
        select jsonb_agg(private.template_of(a) || jsonb_build_object('email_look', private.email_look_of(a)))
          from public.automations a
        -- As an array: a semi-join would read all messages of an automation.
        where a.id = any(array(select distinct m.automation_id from public.messages m
          where m.id = any(p_ids)))), '[]'),
      'messages', coalesce(
        jsonb_agg(jsonb_build_object('id', m.id, 'lease_token', m.lease_token, 'kind', m.kind,
        'run_id', m.run_id, 'email_look', run.template -> 'email_look', 'channel', m.channel, 'recipient',
        m.recipient, 'attempts', m.attempts, 'automation_id', m.automation_id,
        'content', m.content, 'frozen', m.frozen_at is not null, 'idempotency_key', m.idempotency_key,
        'visited', coalesce(r.visited, false), 'facts', private.message_facts(o, c, r, l, t.name))
          order by m.not_before, m.id), '[]'))
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
comment on function private.claimed_json(uuid[]) is
  'What is needed to render and send the messages: {templates (each once), messages (with the facts about their customers)}.';

create or replace function public.claim_messages(p_organization uuid, p_channel text,
  p_limit integer default 100, p_lease_seconds integer default 180, p_now timestamptz default now(),
  p_run uuid default null, p_notices boolean default false, p_pace double precision default null,
  p_connected boolean default false, p_links boolean default true, p_automation uuid default null,
  p_after jsonb default null)
returns jsonb
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_only_notices boolean;
  v_next timestamptz;
  v_most integer;
  v_ids uuid[];
  v_last_at timestamptz;
  v_last_id uuid;
  v_claimed uuid[];
  v_ended uuid[];
begin
  -- One claim at a time, so that a message is judged with all others to the same customer in view.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  v_only_notices := p_notices or (
    select o.sending_stopped_at is not null from public.organizations o where o.id = p_organization);
  if p_connected and not private.is_connected(p_organization, p_channel) then
    return '{"examined": 0, "templates": [], "messages": []}'::jsonb || case when v_only_notices then '{}'
      else private.hold_channel(p_organization, p_channel, p_now, p_run, p_automation, p_links) end;
  end if;

  v_next := (
    select next_at from public.channel_pace where organization_id = p_organization and channel = p_channel);
  -- While the channel waits, this only tells whether anything will be due afterwards. With a pace it takes
  -- what one second allows; the next claim waits until that second is over.
  v_most := least(p_limit, 500, case when p_pace > 0 then greatest(ceil(p_pace), 1) end);
  -- From where the caller's last claim ended: what was sent since leaves dead entries in the index, which
  -- cannot be removed while another transaction holds its snapshot.
  select d.ids, d.last_at, d.last_id into v_ids, v_last_at, v_last_id
  from private.due_messages(p_organization, p_channel, greatest(p_now, v_next), v_most, p_run, p_automation,
    v_only_notices, coalesce((p_after ->> 'not_before')::timestamptz, '-infinity'),
    coalesce((p_after ->> 'id')::uuid, '00000000-0000-0000-0000-000000000000')) d;
  if v_next > p_now then
    return jsonb_build_object('examined', 0, 'wait_until', case when v_ids <> '{}' then v_next end,
      'templates', '[]'::jsonb, 'messages', '[]'::jsonb);
  end if;

  with written as (
    update public.messages m
    set status = case when v.reason is not null and v.maybe_accepted then 'unknown' when v.reason is not null
      then 'skipped'
        when v.send_at > p_now then 'queued' else 'sending' end,
      reason = v.reason, recipient = v.address, updated_at = now(),
      not_before = greatest(m.not_before, v.send_at),
      attempts = m.attempts + case when v.reason is null and v.send_at <= p_now then 1 else 0 end,
      lease_token = case when v.reason is null and v.send_at <= p_now then gen_random_uuid() end,
      lease_until = case when v.reason is null and v.send_at <= p_now
        then p_now + make_interval(secs => p_lease_seconds) end
    from private.judge_messages(p_organization, p_channel, v_ids, p_now, p_links) v where m.id = v.id
    returning m.id, m.status
  )
  select coalesce(array_agg(id) filter (where status = 'sending'), '{}'),
    coalesce(array_agg(id) filter (where status in ('skipped', 'unknown')), '{}') into v_claimed, v_ended
      from written;
  if p_pace > 0 and v_claimed <> '{}' then
    insert into public.channel_pace as p (organization_id, channel, next_at)
    values (p_organization, p_channel, p_now + make_interval(secs => cardinality(v_claimed) / p_pace))
    on conflict (organization_id, channel) do update set next_at = excluded.next_at, reason = null;
  end if;

  return jsonb_build_object('examined', cardinality(v_ids), 'ended', to_jsonb(v_ended),
    'last', case when v_last_id is not null
      then jsonb_build_object('not_before', v_last_at, 'id', v_last_id) end)
    || private.claimed_json(v_claimed);
end
$$;
comment on function public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, boolean, boolean, uuid, jsonb) is
  'Leases the next due messages of a channel (of one run; of one automation; only notices), once consent, cap, quiet hours and pace (messages a second) allow: {examined, templates, messages, wait_until, ended}. examined 0: nothing is due, or it has to wait until wait_until. p_connected: only while its integration is enabled, else see hold_channel. p_links: an e-mail can carry an unsubscribe link. ended: ids of those that will not be sent. more: hold_channel has more to move. last: the place in the queue where it ended. p_after: looks only behind that place.';
grant execute on function private.due_messages(uuid, text, timestamptz, integer, uuid, uuid, boolean,
  timestamptz, uuid), private.judge_messages(uuid, text, uuid[], timestamptz, boolean),
    private.claimed_json(uuid[]),
  public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, boolean,
  boolean, uuid, jsonb)
  to service_role;
