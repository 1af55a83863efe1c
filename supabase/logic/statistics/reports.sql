-- Reports: whether new guests come again, and revenue by tier. private.report_period keeps them to the
-- caller's locations; under RLS every visit would be read from the table, for a column that the index does
-- not have.

create or replace function private.report_period(p_months integer, p_location uuid, p_now timestamptz,
  out locations uuid[], out first_day date, out today date, out closed_until date, out data_from date)
language sql stable set search_path = ''
as $$
  with places as (
    select l.id, private.current_service(l.timezone, p_now) as day, (
      select r.service_date from public.reservations r where r.location_id = l.id and r.visited
      order by r.service_date limit 1) as since
    from public.locations l
    where l.id = any(array(select private.my_locations('canReadReports')))
      and exists (select from private.my_organizations('canAccessClientes'))
      and (p_location is null or l.id = p_location)
  ), days as (
    select coalesce(array_agg(p.id), '{}') as ids, coalesce(max(p.day), p_now::date) as latest,
      coalesce(min(p.day), p_now::date) - 1 as closed, min(p.since) as since
    from places p
  )
  select d.ids, (date_trunc('month', d.latest)
    - make_interval(months => greatest(least(p_months, 36), 1) - 1))::date, d.latest, d.closed, d.since
  from days d
$$;
comment on function private.report_period(integer, uuid, timestamptz) is
  'The locations of the caller''s report (all of theirs without p_location) and its service days: p_months calendar months up to today, the current one included. Services are over everywhere up to closed_until; visits are known from data_from on.';

create or replace function public.report_cohorts(p_months integer default 12, p_location uuid default null,
  p_split text default null, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '32MB'
as $$
declare
  v_period record := private.report_period(p_months, p_location, private.clock(p_now));
  v_locations uuid[] := v_period.locations;
  v_first date := v_period.first_day;
  v_last date := v_period.today;
  v_closed date := v_period.closed_until;
begin
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return (
    with first_visits as (
      select distinct on (r.customer_id) r.customer_id, r.service_order, r.location_id, r.walk_in, r.source
      from public.reservations r
      where r.visited and r.customer_id is not null and r.location_id = any(v_locations)
      order by r.customer_id, r.service_order, r.location_id, r.walk_in, r.source
    ), newcomers as materialized (
      select f.customer_id, f.location_id, f.walk_in, f.source,
        (f.service_order - interval '6 hours')::date as day
      from first_visits f
      where f.service_order >= v_first + time '06:00' and f.service_order < v_last + 1 + time '06:00'
    ), cells as materialized (
      select date_trunc('month', n.day)::date as month,
        case p_split when 'location' then n.location_id::text
          when 'channel' then case when n.walk_in then 'walk_in' else n.source end
          when 'source' then nullif(btrim(c.source), '') end as key,
        (again.days + 29) / 30 as step, count(*) as guests
      from newcomers n
      left join public.customers c on p_split = 'source' and c.id = n.customer_id
      left join lateral (
        select (r.service_order - interval '6 hours')::date - n.day as days
        from public.reservations r
        where r.customer_id = n.customer_id and r.visited and r.location_id = any(v_locations)
          and r.service_order >= n.day + 1 + time '06:00'
        order by r.service_order limit 1) as again on true
      group by 1, 2, 3
    ), ranked as (
      select key, key is not null and p_split = 'source'
        and row_number() over (order by key is null, sum(guests) desc, key) > 12 as rest
      from cells group by key
    ), folded as (
      select case when not k.rest then k.key end as key, k.rest, c.month, c.step,
        sum(c.guests)::integer as guests
      from cells c join ranked k on k.key is not distinct from c.key
      group by 1, 2, 3, 4
    ), steps as (
      select f.key, f.rest, f.month, s.step, sum(f.guests) as guests,
        case when (f.month + interval '1 month')::date - 1 + 30 * s.step <= v_closed
          then coalesce(sum(f.guests) filter (where f.step <= s.step), 0) end as returned
      from folded f cross join generate_series(1, 12) as s (step)
      group by f.key, f.rest, f.month, s.step
    ), cohorts as (
      select key, rest, month, guests, jsonb_agg(returned order by step) as returned
      from steps group by key, rest, month, guests
    ), grouped as (
      select c.key, c.rest, sum(c.guests) as guests, jsonb_agg(jsonb_build_object(
        'month', c.month, 'guests', c.guests, 'returned', c.returned) order by c.month) as cohorts
      from cohorts c group by c.key, c.rest
    )
    select jsonb_build_object('from', v_period.first_day, 'to', v_period.today,
      'closed_until', v_period.closed_until, 'data_from', v_period.data_from,
      'groups', coalesce(jsonb_agg(jsonb_build_object('key', g.key, 'rest', g.rest,
        'name', case p_split when 'location' then (select l.name from public.locations l
          where l.id = g.key::uuid)
          when 'source' then g.key end,
        'cohorts', g.cohorts) order by g.rest, g.key is null, g.guests desc, g.key), '[]'))
    from grouped g
  );
end
$$;
comment on function public.report_cohorts(integer, uuid, text, timestamptz) is
  'New guests by month of their first visit in the locations, and how many of them had come on a later day within 30, 60, … 360 days: null while a month''s last day is not that long ago. By p_split: location or channel of the first visit (pms, manual, walk_in), or source (the 12 largest and the rest). Null: an unknown location.';

create or replace function public.report_tiers(p_months integer default 12, p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '32MB'
as $$
declare
  v_period record := private.report_period(p_months, p_location, private.clock(p_now));
  v_locations uuid[] := v_period.locations;
  v_first date := v_period.first_day;
  v_last date := v_period.today;
begin
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return (
    with places as (
      select l.id, coalesce(l.average_spend_per_guest * 100, 0)::integer as cents from public.locations l
    ), spent as (
      -- In cents: sums of integers need a third of the memory that sums of numeric need. The outer join is
      -- for the planner, which expects an inner one to lose most rows.
      select r.customer_id, count(*)::integer as visits, sum(r.party_size) as covers,
        sum(coalesce((r.total_amount * 100)::integer, r.party_size * p.cents)) as revenue,
        sum(case when r.total_amount is null then r.party_size * p.cents else 0 end) as estimated
      from public.reservations r left join places p on p.id = r.location_id
      where r.visited and r.location_id = any(v_locations)
        and r.service_order >= v_first + time '06:00' and r.service_order < v_last + 1 + time '06:00'
      group by r.customer_id
    ), held as (
      select s.customer_id is not null as known, c.loyalty_tier_id as tier, count(s.customer_id) as guests,
        sum(s.visits) as visits, sum(s.covers) as covers, sum(s.revenue) / 100 as revenue,
        sum(s.estimated) / 100 as estimated
      from spent s left join public.customers c on c.id = s.customer_id
      group by 1, 2
    ), named as (
      select t.id, t.name, t.rank, true as known from public.loyalty_tiers t
      where t.organization_id = any(array(select private.my_organizations('canReadReports')))
      union all select null, null, null, true
      union all select null, null, null, false
    )
    select jsonb_build_object('from', v_first, 'to', v_last, 'tiers', jsonb_agg(jsonb_build_object(
      'id', n.id, 'name', n.name, 'known', n.known, 'guests', coalesce(h.guests, 0), 'visits',
        coalesce(h.visits, 0),
      'covers', coalesce(h.covers, 0), 'revenue', coalesce(h.revenue, 0),
      'estimated_revenue', coalesce(h.estimated, 0)) order by n.known desc, n.rank desc nulls last))
    from named n left join held h on h.known = n.known and h.tier is not distinct from n.id
  );
end
$$;
comment on function public.report_tiers(integer, uuid, timestamptz) is
  'The visits and revenue (EUR) of a period by the tier that the guests have today, the highest first; then guests without a tier, then visits without a customer record (known: false). Null: an unknown location.';

create or replace function public.report_weeks(p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_now timestamptz := private.clock(p_now);
  v_period record := private.report_period(1, p_location, v_now);
  v_locations uuid[] := v_period.locations;
  v_monday date := date_trunc('week', v_period.today)::date;
begin
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return (
    with places as materialized (
      select l.*, private.current_service(l.timezone, v_now) as today
      from public.locations l where l.id = any(v_locations)
    ), weeks as (
      select f.location_id, date_trunc('week', f.service_date)::date as week,
        sum(f.reservations) filter (where f.service_date < p.today) as reservations,
        sum(f.covers) filter (where f.service_date < p.today) as covers,
        sum(f.visits) filter (where f.service_date < p.today) as visits,
        sum(f.no_shows) filter (where f.service_date < p.today) as no_shows,
        sum(f.cancelled) filter (where f.service_date < p.today) as cancelled,
        sum(f.known_revenue) filter (where f.service_date < p.today) as known,
        sum(f.unknown_covers * coalesce(p.average_spend_per_guest, 0))
          filter (where f.service_date < p.today) as estimated,
        sum(f.reservations) filter (where f.service_date >= p.today) as booked_reservations,
        sum(f.covers) filter (where f.service_date >= p.today) as booked_covers
      -- 52 weeks before a week has the same weekdays. The week before these shows whether data began in them.
      from private.figures_of(v_locations, v_monday - 7 * 14 - 364, v_monday + 13) as f
      join places p on p.id = f.location_id
      where f.service_date >= v_monday - 7 * 13 or f.service_date < v_monday + 14 - 364
      group by f.location_id, date_trunc('week', f.service_date)
    )
    select jsonb_build_object('monday', v_monday,
      'locations', (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name,
          'is_active', p.is_active, 'pms_id', p.pms_id, 'known_from', p.known_from,
          'known_until', p.known_until) order by p.name, p.id), '[]') from places p),
      'weeks', (select coalesce(jsonb_agg(jsonb_build_object('location_id', w.location_id, 'week', w.week,
          'reservations', coalesce(w.reservations, 0),
          'covers', coalesce(w.covers, 0), 'visits', coalesce(w.visits, 0),
          'no_shows', coalesce(w.no_shows, 0), 'cancelled', coalesce(w.cancelled, 0),
          'revenue', coalesce(w.known + w.estimated, 0), 'estimated_revenue', coalesce(w.estimated, 0),
          'booked_reservations', coalesce(w.booked_reservations, 0),
          'booked_covers', coalesce(w.booked_covers, 0)) order by w.week, w.location_id), '[]') from weeks w))
  );
end
$$;
comment on function public.report_weeks(uuid, timestamptz) is
  'The figures by week (from Monday) and location of the 13 weeks before this one, this one and the next, and of the same weeks 52 before and the one before these: what services that are over served, and what is booked from today on. Null: an unknown location.';

create or replace function public.report_hours(p_months integer default 12, p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_now timestamptz := private.clock(p_now);
  v_period record := private.report_period(p_months, p_location, v_now);
  v_locations uuid[] := v_period.locations;
  v_first date := v_period.first_day;
begin
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return (
    with places as materialized (
      select l.id, l.name, private.current_service(l.timezone, v_now) as today
      from public.locations l where l.id = any(v_locations)
    ), open_days as materialized (
      -- A day without visits counts as closed: means leave it out.
      select f.location_id, f.service_date, extract(isodow from f.service_date)::integer as weekday
      from private.figures_of(v_locations, v_first, v_period.today) as f join places p on p.id = f.location_id
      where f.service_date < p.today and f.visits > 0
    ), days as (
      select d.location_id, d.weekday, count(*) as days from open_days d group by d.location_id, d.weekday
      union all
      select null, d.weekday, count(distinct d.service_date) from open_days d group by d.weekday
    ), counted as materialized (
      -- Reads the visits once, for both answers below, and from the index of the other reports.
      select r.location_id, extract(isodow from r.service_date)::integer as weekday,
        extract(hour from r.service_order)::integer as hour,
        case when r.walk_in then 'walk_in' else r.source end as channel,
        count(*) as visits, sum(r.party_size) as covers
      from public.reservations r left join places p on p.id = r.location_id
      where r.visited and r.location_id = any(v_locations) and r.service_date < p.today
        and r.service_order >= v_first + time '06:00' and r.service_order < v_period.today + time '06:00'
      group by 1, 2, 3, 4
    ), cells as (
      select c.location_id, c.weekday, c.hour, sum(c.covers) as covers
      from counted c group by c.location_id, c.weekday, c.hour
    ), channels as (
      select c.location_id, c.channel, sum(c.visits) as visits, sum(c.covers) as covers
      from counted c group by c.location_id, c.channel
    )
    select jsonb_build_object('from', v_first, 'to', v_period.closed_until,
      'locations', (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name)
        order by p.name, p.id), '[]') from places p),
      'days', (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from days d),
      'cells', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from cells c),
      'channels', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from channels c))
  );
end
$$;
comment on function public.report_hours(integer, uuid, timestamptz) is
  'The covers of the visits to services that are over, by location, weekday (ISO) of the service day and local hour; the days with visits of each weekday (location_id null: to any location); visits and covers by channel (pms, manual, walk_in). Of p_months calendar months. Null: an unknown location.';
grant execute on function private.report_period(integer, uuid, timestamptz),
  public.report_cohorts(integer, uuid, text, timestamptz), public.report_tiers(integer, uuid, timestamptz),
  public.report_weeks(uuid, timestamptz), public.report_hours(integer, uuid, timestamptz)
  to authenticated;
