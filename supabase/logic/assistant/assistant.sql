-- The assistant: the current figures, the read-only queries of the model, and its daily allowance.
-- Definer rights to use the indexes (see service_summary); each function checks its caller's rights itself.

create or replace function private.assistant_upcoming(p_locations uuid[], p_now timestamptz,
  p_reservations boolean, p_customers boolean)
returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    with places as materialized (
      select l.id, l.name, l.timezone, p_now at time zone l.timezone as local_now,
        private.current_service(l.timezone, p_now) as today
      from public.locations l where l.id = any(p_locations)
    ), upcoming as (
      -- Each location's next five by its index, then the first five of all.
      select p.name as location, r.*, r.service_order at time zone p.timezone as instant
      from places p
      cross join lateral (
        select r.id, r.service_order, r.reservation_date, r.reservation_time, r.party_size, r.status,
          r.customer_name, r.notes, r.customer_id
        from public.reservations r
        where r.location_id = p.id and r.service_date >= p.today and r.service_order >= p.local_now
          and r.status in ('pending', 'confirmed') and r.source <> 'import'
        order by r.service_date, r.service_order, r.id limit 5
      ) as r
      order by instant, r.id limit 5
    )
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'date', u.reservation_date, 'time', to_char(u.reservation_time, 'HH24:MI'), 'location', u.location,
      'party_size', u.party_size, 'status', u.status,
      'customer_name', case when p_reservations then left(u.customer_name, 120) end,
      'notes', case when p_reservations then left(u.notes, 300) end,
      'tier', case when p_reservations and p_customers then t.name end
    )) order by u.instant, u.id), '[]')
    from upcoming u
    left join public.customers c on c.id = u.customer_id
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id);
end
$$;
comment on function private.assistant_upcoming(uuid[], timestamptz, boolean, boolean) is
  'The next five reservations of the locations; names and notes with p_reservations, the tier with p_customers besides.';

create or replace function private.assistant_customers(p_organization uuid) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'total', coalesce(sum(counted.customers), 0),
      'without_tier', coalesce(sum(counted.customers) filter (where t.id is null), 0),
      'by_tier', coalesce(jsonb_agg(jsonb_build_object('tier', t.name, 'customers', counted.customers)
        order by t.rank)
        filter (where t.id is not null), '[]'))
    from (
      select k.value as tier, k.customers from private.counts_of(array[p_organization], 'tier') as k
    ) as counted
    left join public.loyalty_tiers t on t.id::text = counted.tier);
end
$$;
comment on function private.assistant_customers(uuid) is 'How many customers there are, by tier and without one.';

create or replace function private.assistant_inactive_vips(p_organization uuid, p_tiers uuid[],
  p_since timestamptz, p_timezone text, p_names boolean) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    with inactive as (
      select c.id, c.total_spend, c.spend_is_estimate, c.last_visit_on, c.loyalty_tier_id
      from public.customers c
      where c.organization_id = p_organization and c.loyalty_tier_id = any(p_tiers)
        and c.last_visit_at <= p_since
    )
    select jsonb_build_object(
      'count', (select count(*) from inactive),
      'since', to_char(p_since at time zone p_timezone, 'YYYY-MM-DD'),
      'biggest_spenders', (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'name', nullif(left(btrim(concat_ws(' ', c.first_name, c.last_name)), 120), ''), 'tier', t.name,
          'last_visit', top.last_visit_on,
          'total_spend_eur', top.total_spend, 'spend_is_estimate', top.spend_is_estimate
        )) order by top.total_spend desc, top.id), '[]')
        from (select * from inactive where p_names order by total_spend desc, id limit 10) as top
        join public.customers c on c.id = top.id
        join public.loyalty_tiers t on t.id = top.loyalty_tier_id)));
end
$$;
comment on function private.assistant_inactive_vips(uuid, uuid[], timestamptz, text, boolean) is
  'How many customers of the tiers have not come since then, and with p_names the ten biggest spenders among them.';

create or replace function public.assistant_context(p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canWorkInOffice') as id);
  v_sees_reservations boolean := exists (select 1 from private.my_organizations('canAccessOperaciones'));
  v_sees_customers boolean := exists (select 1 from private.my_organizations('canAccessClientes'));
  v_locations uuid[] := array(select private.my_locations());
  v_timezone text;
  v_vip_tiers uuid[];
  v_inactive_since timestamptz;
  v_context jsonb;
begin
  p_now := private.clock(p_now);
  if v_organization is null then
    return null;
  end if;
  -- Where most of the caller's locations are.
  select l.timezone into v_timezone from public.locations l where l.id = any(v_locations)
  group by l.timezone order by count(*) desc, l.timezone limit 1;
  v_timezone := coalesce(v_timezone, private.zone_of(v_organization));
  v_inactive_since := ((p_now at time zone v_timezone) - interval '3 months') at time zone v_timezone;
  v_vip_tiers := array(select t.id from public.loyalty_tiers t where t.organization_id = v_organization
    and t.rank >= 3);

  with places as materialized (
    select l.id, l.name, l.timezone, l.average_spend_per_guest as average,
      p_now at time zone l.timezone as local_now, private.current_service(l.timezone, p_now) as today,
      l.pms_id is null as by_hand, l.known_from, l.known_until
    from public.locations l where l.id = any(v_locations)
  ), week as materialized (
    -- Lateral with an offset: a planner that misjudges the dates would read the whole table instead of the
    -- index.
    select p.id as location_id, r.service_date = p.today as is_today, r.status, r.party_size, r.customer_id,
      r.status not in ('cancelled', 'no_show') as expected,
      coalesce(r.total_amount, r.party_size * p.average, 0) as amount
    from places p
    cross join lateral (select p.today - (extract(isodow from p.today)::integer - 1) as monday) as calendar
    cross join lateral (
      select r.* from public.reservations r
      where r.location_id = p.id and r.service_date between calendar.monday and calendar.monday + 6
        and r.source <> 'import'
      offset 0
    ) as r
  )
  select jsonb_build_object(
    'now', to_char(p_now at time zone v_timezone, 'YYYY-MM-DD HH24:MI'),
    'timezone', v_timezone,
    'locations', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', p.name, 'timezone', p.timezone, 'local_time', to_char(p.local_now, 'YYYY-MM-DD HH24:MI'),
        'service_date', p.today, 'reservations_today', coalesce(t.reservations, known.nothing),
        'covers_today', coalesce(t.covers, known.nothing), 'known_until',
        case when p.by_hand then 'always' else p.known_until::text end
      ) order by p.name), '[]')
      from places p
      left join (
        select w.location_id, count(*) as reservations, sum(w.party_size) as covers
        from week w where w.is_today and w.expected group by w.location_id
      ) as t on t.location_id = p.id
      -- No reservations mean 0 only for fetched days, else unknown.
      cross join lateral (
        select case when p.by_hand or p.today between p.known_from and p.known_until then 0 end as nothing)
          as known),
    'today', (
      select jsonb_build_object(
        'total', count(*) filter (where w.expected),
        'confirmed', count(*) filter (where w.status = 'confirmed'),
        'pending', count(*) filter (where w.status = 'pending'),
        'vip', count(*) filter (where w.expected and (
          select c.loyalty_tier_id from public.customers c where c.id = w.customer_id) = any(v_vip_tiers)),
        'seated', count(*) filter (where w.status = 'seated'),
        'completed', count(*) filter (where w.status = 'completed'),
        'cancelled', count(*) filter (where w.status = 'cancelled'),
        'no_show', count(*) filter (where w.status = 'no_show'),
        'covers', coalesce(sum(w.party_size) filter (where w.expected), 0))
      from week w where w.is_today),
    'week', (
      select jsonb_build_object('reservations', count(*), 'covers', coalesce(sum(w.party_size), 0),
        'estimated_revenue_eur', coalesce(sum(w.amount), 0)::numeric(14, 2))
      from week w where w.expected),
    'upcoming', private.assistant_upcoming(v_locations, p_now, v_sees_reservations, v_sees_customers),
    'customers', private.assistant_customers(v_organization),
    'inactive_vips', private.assistant_inactive_vips(v_organization, v_vip_tiers, v_inactive_since,
      v_timezone, v_sees_customers)
  ) into v_context;
  return v_context;
end
$$;
comment on function public.assistant_context(timestamptz) is
  'Figures of the caller''s locations and organization at p_now, in local service days and weeks from Monday. Names and notes only for callers who may read them; VIP is tier rank 3 and above. Null without a profile.';

create or replace function public.revenue_by_location(p_from date, p_to date)
returns table (location_id uuid, location text, reservations bigint, covers bigint, visits bigint,
  revenue numeric, estimated numeric)
language sql stable security definer set search_path = ''
as $$
  select l.id, l.name, total.reservations, total.covers, total.visits, total.revenue, total.estimated
  from public.locations l
  cross join lateral (
    select count(*) as reservations, coalesce(sum(r.party_size), 0) as covers,
      count(*) filter (where r.visited) as visits,
      coalesce(sum(coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0))
        filter (where r.visited), 0)
        ::numeric(20, 2) as revenue,
      coalesce(sum(r.party_size * l.average_spend_per_guest)
        filter (where r.visited and r.total_amount is null), 0)
        ::numeric(20, 2) as estimated
    from public.reservations r
    where r.location_id = l.id and r.service_date between p_from and p_to
      and r.status not in ('cancelled', 'no_show') and r.source <> 'import'
  ) as total
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and exists (select 1 from private.my_organizations('canWorkInOffice'))
  order by total.revenue desc, l.name
$$;
comment on function public.revenue_by_location(date, date) is
  'Service days p_from to p_to, both included, by location of the caller: reservations and covers that were not lost, visits, and the visits'' revenue in EUR, of which estimated is guests × average spend.';

create or replace function public.automation_results(p_since timestamptz)
returns table (automation_id uuid, name text, type text, channel text, status text, runs integer,
  last_run_at timestamptz, sent integer, delivered integer, simulated integer, failed integer,
  skipped integer)
language sql stable security definer set search_path = ''
as $$
  select a.id, a.name, a.type, a.channel, a.status, ran.runs, ran.last_run_at, m.sent, m.delivered,
    m.simulated, m.failed, m.skipped
  from public.automations a
  cross join lateral (
    select count(*)::integer as runs, max(r.started_at) as last_run_at
    from public.automation_runs r where r.automation_id = a.id and r.started_at >= p_since
  ) as ran
  cross join lateral (
    select (count(*) filter (where m.status in ('sent', 'delivered')))::integer as sent,
      (count(*) filter (where m.status = 'delivered'))::integer as delivered,
      (count(*) filter (where m.status in ('sent', 'delivered') and m.simulated))::integer as simulated,
      (count(*) filter (where m.status = 'failed'))::integer as failed,
      (count(*) filter (where m.status = 'skipped'))::integer as skipped
    from public.messages m
    where m.automation_id = a.id and m.created_at >= p_since and m.kind <> 'notification'
      and m.superseded_at is null
  ) as m
  where a.organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and a.deleted_at is null
    and a.type <> 'campaign' and private.covers(a.location_ids)
  order by a.name, a.id
  limit 200
$$;
comment on function public.automation_results(timestamptz) is
  'The caller''s automations with their runs and messages since p_since; sent includes delivered, and those simulated by the sandbox.';

create or replace function public.reserve_ai(p_organization uuid, p_person uuid, p_calls integer,
  p_tokens integer, p_now timestamptz default now()) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  o public.organizations;
  v_zone text := private.zone_of(p_organization);
  v_day date := (p_now at time zone v_zone)::date;
  v_all record;
begin
  -- One reservation at a time, so that it sees the rest that others left.
  select * into o from public.organizations where id = p_organization for no key update;
  if o.id is null then
    raise exception 'unknown organization' using errcode = '22023';
  end if;
  select coalesce(sum(u.calls), 0) + p_calls as calls, coalesce(sum(u.tokens), 0) + p_tokens as tokens,
    coalesce(sum(u.calls) filter (where u.person = p_person), 0) + p_calls as own_calls,
    coalesce(sum(u.tokens) filter (where u.person = p_person), 0) + p_tokens as own_tokens
  into v_all from public.ai_usage u where u.organization_id = p_organization and u.day = v_day;
  if v_all.calls > o.ai_daily_calls or v_all.own_calls > o.ai_daily_calls_per_person
    or v_all.tokens > o.ai_daily_tokens or v_all.own_tokens > o.ai_daily_tokens_per_person then
    return jsonb_build_object('day', v_day, 'wait', greatest(1,
      ceil(extract(epoch from (v_day + 1)::timestamp at time zone v_zone - p_now))));
  end if;
  insert into public.ai_usage as u (organization_id, day, person, calls, tokens)
  values (p_organization, v_day, p_person, p_calls, p_tokens)
  on conflict (organization_id, day, person)
  do update set calls = u.calls + excluded.calls, tokens = u.tokens + excluded.tokens;
  return jsonb_build_object('day', v_day, 'wait', 0);
end
$$;
comment on function public.reserve_ai(uuid, uuid, integer, integer, timestamptz) is
  'Takes calls and tokens from the day''s allowance of the person and the organization: {day, wait}. wait 0: taken; else not taken, and the seconds until the organization''s day ends.';

create or replace function public.settle_ai(p_organization uuid, p_person uuid, p_day date,
  p_reserved integer, p_used integer)
returns void
language sql volatile set search_path = ''
as $$
  update public.ai_usage set tokens = greatest(0, tokens - p_reserved + p_used)
  where organization_id = p_organization and day = p_day and person = p_person
$$;
comment on function public.settle_ai(uuid, uuid, date, integer, integer) is
  'Replaces the reserved tokens of a call with its real use.';

create or replace function public.ai_use_today(p_now timestamptz default now()) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('calls', coalesce(sum(u.calls), 0), 'tokens', coalesce(sum(u.tokens), 0))
  from public.organizations o
  left join public.ai_usage u on u.organization_id = o.id
    and u.day = ((select private.clock(p_now)) at time zone o.timezone)::date
$$;
comment on function public.ai_use_today(timestamptz) is
  'Today''s use of the assistant that the caller may see: {calls, tokens}, of all people for callers who see the settings, else the caller''s own.';
grant execute on function public.assistant_context(timestamptz), public.revenue_by_location(date, date),
  public.automation_results(timestamptz), public.ai_use_today(timestamptz) to authenticated;
grant execute on function public.reserve_ai(uuid, uuid, integer, integer, timestamptz),
  public.settle_ai(uuid, uuid, date, integer, integer) to service_role;
