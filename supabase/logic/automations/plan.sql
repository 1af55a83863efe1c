-- Plans a run of an automation: for each customer of its audience the channel and time, or the reason why no
-- message goes.

create or replace function private.plan_query(a public.automations, p_now timestamptz, p_retry_after interval,
  p_run uuid, p_closed jsonb, p_after uuid default null, p_until uuid default null,
  p_limit integer default null, p_locations uuid[] default null)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  o public.organizations;
  v_kind text := private.kind_of(a);
  v_share smallint := private.control_share(a);
  -- At most one message a customer; and each customer has an e-mail of their own.
  v_one boolean := private.writes_once(a);
  v_own boolean := v_one and a.channel = 'email' and a.fallback_channel is null;
  v_messages uuid[] := case when a.campaign_id is null then array[a.id] else array(
    select s.id from public.automations s where s.campaign_id = a.campaign_id and s.step = a.step) end;
  -- Of a campaign's step: an address gets one version of it.
  v_runs uuid[] := private.runs_of_step(a, p_run);
  -- A part looks each customer up by an index: the statistics do not know the run's messages yet.
  v_end text := case when p_limit is not null then ' offset 0' end;
  v_reachable text;
  v_tried text;
  v_recent text;
  v_muted uuid[] := case v_kind when 'marketing' then private.brands_to_mute(a) end;
  v_windows text;
  v_send_at text;
  v_held text;
  v_nowhere constant uuid := '00000000-0000-0000-0000-000000000000';
  v_parts text;
  v_late text;
begin
  select * into o from public.organizations where id = a.organization_id;
  -- A message that only lacked a provider is tried again as soon as the customer can be reached.
  v_reachable := nullif(concat_ws(' or ',
    case when private.closed_by(p_closed, a.channel, v_kind) is null
      then format('private.address_by(%L, c.email, c.phone, c.whatsapp_id) is not null', a.channel) end,
    case when a.fallback_channel is not null
      and private.closed_by(p_closed, a.fallback_channel, v_kind) is null
      then format('private.address_by(%L, c.email, c.phone, c.whatsapp_id) is not null', a.fallback_channel)
      end), '');
  -- A skipped or failed message is tried again: not by the run that skipped it, not while that run is open,
  -- and not before p_retry_after has passed.
  v_tried := format('select 1 from public.messages m%s
    where m.organization_id = %L%s
      and (m.status not in (''skipped'', ''failed'') or m.reason = ''control_group''%s or %s <> all(%L)
        or m.created_at > %L%s)',
    case when v_end is null then ' left join public.automation_runs run on run.id = m.run_id' end,
    a.organization_id,
    case when v_end is null then format(' and m.automation_id = any(%L::uuid[])', v_messages) end,
    case when p_run is not null then format(' or m.run_id = %L', p_run) end,
    case when v_end is null then 'run.status'
      else '(select run.status from public.automation_runs run where run.id = m.run_id)' end,
    -- After a refusal, a stop or an expired approval only a person may start again, not the schedule:
    -- p_retry_after = 0 means started by hand.
    array['finished']
      || case when p_retry_after = interval '0' then array['refused', 'expired', 'stopped'] end,
    p_now - p_retry_after,
    case when v_reachable is not null then format(
      ' and not (coalesce(m.reason, '''') in (''no_provider'', ''no_app_url'') and (%s))', v_reachable) end);

  select string_agg(format(', case when %sexists (
      select from private.counted_messages(%L::timestamptz, false, %L::uuid[], %L::uuid[]) as counted
      where counted.customer_id = way.customer_id%s) then %L end',
      -- Few guests asked for it: each of them is looked up (offset 0), nothing is done for the others.
      case cap.reason when 'guest_frequency' then 'way.write_frequency is not null and ' end,
      p_now - make_interval(days => cap.days),
      case when cap.reason <> 'recently_written' then private.uncounted_for(a, cap.days) end, p_locations,
      case cap.reason when 'guest_frequency' then ' offset 0' else v_end end,
      cap.reason), '' order by cap.place)
  into v_recent from (values (1, (a.criteria ->> 'recent_days')::integer, 'recently_written'),
    (2, case v_kind when 'marketing' then nullif(o.frequency_cap_days, 0) end, 'frequency_cap'),
    (3, case v_kind when 'marketing' then private.monthly_days() end, 'guest_frequency'))
      as cap (place, days, reason)
  where cap.days is not null;
  if v_muted is not null then
    v_recent := format(', case when way.muted_brands <> ''{}'' and way.muted_brands @> %L::uuid[]
      then ''brand_muted'' end', v_muted) || coalesce(v_recent, '');
  end if;

  select string_agg(
    format('select c.id as customer_id, %s as reservation_id, %s as dedupe_key, %s as service_order,
      %s as location_id, c.email, c.phone, c.whatsapp_id, c.consents, c.total_visits, c.write_frequency,
      c.muted_brands
    from %s
    where %s and not exists (%s and m.dedupe_key = %2$s%8$s)',
    case when p.reservation then 'r.id' else 'null::uuid' end, p.key,
    case when p.reservation then 'r.service_order' else 'null::timestamp' end,
    case when p.reservation then 'coalesce(r.location_id, c.location_id)' else 'c.location_id' end,
    p.source, p.condition, v_tried, v_end), ' union all ')
  into v_parts from private.audience_parts(a, p_now, p_limit is not null, p_after, p_until, p_locations) p;
  if p_limit is not null then
    -- All messages of a customer are in one part: the next one begins behind them.
    v_parts := format('select * from (%s) as found order by customer_id fetch first %s rows with ties',
      v_parts, p_limit);
  end if;
  -- offset 0: what is asked of a customer is asked once, however often its answer is used.
  v_parts := format('select way.customer_id, way.reservation_id, way.dedupe_key, way.service_order,
      way.location_id, way.channel, way.address, way.write_frequency, coalesce(way.reason%s) as reason
    from (%s) as way%s', v_recent,
    private.ways_query(v_parts, a.organization_id, v_kind, a.channel, a.fallback_channel,
      a.content_sid is null, p_closed, p_now),
    case when not v_own then ' offset 0' end);

  -- Mostly all locations have the same: then it is said once, and not looked up for each customer.
  select case when count(distinct (w.send_at, w.detail)) > 1 then string_agg(
      format('(%L::uuid, %L::timestamptz, %L::jsonb)', coalesce(w.location_id, v_nowhere), w.send_at,
        w.detail), ', ') end,
    format('%L::timestamptz', min(w.send_at)), format('%L::jsonb', (array_agg(w.detail))[1])
  into v_windows, v_send_at, v_held from private.send_windows(a.organization_id, v_kind, p_now,
    case a.type when 'campaign' then (a.criteria ->> 'starts_local')::timestamp end) as w;
  if v_windows is not null then
    v_send_at := 'windows.send_at';
    v_held := 'windows.detail';
    v_windows := format(' join (values %s) as windows (location_id, send_at, detail)
      on windows.location_id = coalesce(ranked.location_id, %L)', v_windows, v_nowhere);
  end if;

  v_late := concat(
    case when not v_one then format(' when nth_for_customer > 1%s',
      case when o.frequency_cap_days > 0 then ' then ''frequency_cap'''
        else ' and ranked.write_frequency is not null then ''guest_frequency''' end) end,
    case when not v_own then ' when nth_for_address > 1 then ''duplicate''' end,
    -- Messages of earlier parts count by the present address of their guest.
    case when v_runs <> '{}' and not v_own then format(' when ranked.channel <> ''email'' and exists (
      select 1 from public.customers c
      join public.messages m on m.run_id = any(%L::uuid[]) and m.customer_id = c.id and m.channel <> ''email''
        and (m.status <> ''skipped'' or m.reason = ''control_group'')
      where c.organization_id = %L and (c.phone = ranked.address or c.whatsapp_id = ranked.address)
        and c.id <> ranked.customer_id and private.address_of(c, m.channel) = ranked.address) then ''duplicate''',
      v_runs, a.organization_id) end,
    -- Asked last, so that the two groups differ only in the message. A guest stays in the group they began
    -- in; a new one is drawn: the hash's first 32 bits are a number below 2^32, and the automation's random
    -- id is its salt.
    case when v_share > 0 then format(' when exists (
        select 1 from private.enrolments e
        where e.automation_id = %1$L and e.customer_id = ranked.customer_id and e.held%3$s)
      or (''x'' || left(md5(%1$L || ranked.customer_id::text), 8))::bit(32)::bigint * 100 < %2$s * 4294967296
        and not exists (
          select 1 from private.enrolments e where e.automation_id = %1$L and e.customer_id = ranked.customer_id%3$s)
      then ''control_group''', coalesce(a.campaign_id, a.id), v_share, v_end) end);

  return format('select ranked.customer_id, ranked.reservation_id, ranked.dedupe_key, %L::text as kind, ranked.channel,
      ranked.address as recipient, %s as reason, %s as not_before, ranked.location_id, %s as held
    from (select *%s%s from (%s) as addressed offset 0) as ranked%s',
    v_kind, case when v_kind <> 'marketing' or v_late = '' then 'ranked.reason'
      else format('case when ranked.reason is not null then ranked.reason%s end', v_late) end,
    v_send_at, v_held,
    case when not v_one then ', row_number() over (partition by reason is null, customer_id
      order by service_order desc nulls last, dedupe_key) as nth_for_customer' end,
    case when not v_own then ', row_number() over (partition by reason is null, channel, address collate "C"
      order by customer_id, service_order desc nulls last, dedupe_key) as nth_for_address' end,
    v_parts, v_windows);
end
$$;
comment on function private.plan_query(public.automations, timestamptz, interval, uuid, jsonb, uuid, uuid, integer, uuid[]) is
  'What a run of the automation, saved or not, at p_now would put into the outbox, as SQL: {customer_id, reservation_id, dedupe_key, kind, channel, recipient, reason to skip, not_before, location_id, held (detail of one that has to wait)}. p_closed: channels by which nothing can go now, with the reason (no_provider; no_app_url is for marketing alone). p_after, p_until: only customers in this range of ids. p_limit: only the first customers by id, until there are so many messages. p_locations: for the eyes of someone bound to these, so segments and earlier messages count as far as they concern them.';
grant execute on function private.plan_query(public.automations, timestamptz, interval, uuid, jsonb, uuid,
  uuid, integer, uuid[]) to service_role;

create or replace function private.plan_part(a public.automations, p_now timestamptz, p_retry_after interval,
  p_run uuid, p_after uuid, p_until uuid, p_limit integer, p_closed jsonb default '{}')
returns table (customer_id uuid, reservation_id uuid, dedupe_key text, kind text, channel text,
  recipient text, reason text, not_before timestamptz, location_id uuid, held jsonb)
-- To compile the statement takes longer than to run it.
language plpgsql stable set search_path = '' set jit = off
as $$
begin
  return query execute private.plan_query(a, p_now, p_retry_after, p_run, p_closed, p_after, p_until,
    p_limit);
end
$$;
comment on function private.plan_part(public.automations, timestamptz, interval, uuid, uuid, uuid, integer, jsonb) is
  'A part of a plan (see plan_query): of the customers after p_after up to p_until by id, until there are p_limit messages.';
grant execute on function private.plan_part(public.automations, timestamptz, interval, uuid, uuid, uuid,
  integer, jsonb) to service_role;
