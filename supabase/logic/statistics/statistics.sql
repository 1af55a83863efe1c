-- Figures of the home page and the host's page, by service and location.

-- Figures without names are for everyone in the organization (home needs no permission), within their
-- locations; hence definer rights over private.my_locations().
create or replace function public.service_summary(p_location uuid default null, p_date date default null,
  p_now timestamptz default now(), p_source text default null, p_search text[] default null)
returns table (location_id uuid, service_date date, status text, hour integer, reservations bigint,
  covers bigint)
language sql stable security definer set search_path = ''
as $$
  select l.id, r.service_date, r.status, extract(hour from r.reservation_time)::integer,
    count(*), sum(r.party_size)
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = coalesce(p_date, private.current_service(l.timezone, (select private.clock(p_now))))
    and r.source <> 'import' and (p_source is null or r.source = p_source)
    and (p_search is null or r.search_name ilike all (p_search))
  where (p_search is null or l.id = any(array(select private.my_locations('canAccessOperaciones')))) and
     l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  group by l.id, r.service_date, r.status, extract(hour from r.reservation_time)
$$;
comment on function public.service_summary(uuid, date, timestamptz, text, text[]) is
  'Reservations and covers of a date''s service, else of the current one (it ends at 06:00 local), by location, status and hour 0–23. p_search (LIKE patterns of the name) is for those who may read reservations.';

-- Definer rights as well: under RLS the time zone arithmetic would keep Postgres from using the index of the
-- day.
create or replace function public.next_arrivals(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns setof public.reservations
language sql stable security definer set search_path = ''
as $$
  select r.*
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = private.current_service(l.timezone, (select private.clock(p_now)))
    and r.service_order >= (select private.clock(p_now)) at time zone l.timezone
    and r.status in ('pending', 'confirmed')
    and r.source <> 'import'
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and (p_location is null or l.id = p_location)
  order by r.service_order at time zone l.timezone, r.id
  limit least(p_limit, 50)
$$;
comment on function public.next_arrivals(uuid, integer, timestamptz) is
  'The next expected parties of the current service in the caller''s locations.';

-- Figures without names, as in service_summary: everyone's, each in their locations.
create or replace function public.daily_summary(p_from date, p_to date, p_location uuid default null,
  p_source text default null, p_search text[] default null)
returns table (location_id uuid, service_date date, reservations bigint, covers bigint, no_shows bigint,
  cancelled bigint)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id from public.locations l
    where (p_search is null or l.id = any(array(select private.my_locations('canAccessOperaciones')))) and
      l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  )
  select f.location_id, f.service_date, f.reservations, f.covers, f.no_shows, f.cancelled
  from private.figures_of(array(select p.id from places p), p_from, least(p_to, p_from + 61)) as f
  where p_source is null and p_search is null
  union all
  -- A source or a name is counted reservation by reservation.
  select r.location_id, r.service_date,
    count(*) filter (where r.status not in ('cancelled', 'no_show')),
    coalesce(sum(r.party_size) filter (where r.status not in ('cancelled', 'no_show')), 0),
    count(*) filter (where r.status = 'no_show'),
    count(*) filter (where r.status = 'cancelled')
  from places p
  join public.reservations r on r.location_id = p.id
    and r.service_date between p_from and least(p_to, p_from + 61) and r.source <> 'import'
    and (p_source is null or r.source = p_source)
    and (p_search is null or r.search_name ilike all (p_search))
  where p_source is not null or p_search is not null
  group by r.location_id, r.service_date
$$;
comment on function public.daily_summary(date, date, uuid, text, text[]) is
  'Reservations and covers of those who come, no-shows and cancellations, by location and service day (62 at most); p_search as in service_summary.';

create or replace function private.names_allergy(p_text text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return private.fold(p_text)
    ~ '(alerg|allerg|intoleran|celiac|coeliac|anafila|anaphyla|gluten|lactos)';
end
$$;
comment on function private.names_allergy(text) is 'Whether notes or tags seem to name an allergy or intolerance.';

-- Visits are the customer's in the whole group, no-shows those of the reader's locations, as on their page.
create or replace function private.guests_to_know(p_locations uuid[], p_organizations uuid[], p_date date,
  p_limit integer, p_now timestamptz, p_bound uuid[])
returns table (reservation_id uuid, location_id uuid, location_name text, customer_id uuid,
  customer_name text, reservation_time time, party_size integer, status text, tier text, vip boolean,
  birthday_in integer, allergy boolean, facts jsonb, notes text, first_visit boolean,
  last_visit_at timestamptz, away boolean, no_shows integer, found integer)
language sql stable set search_path = ''
as $$
  with places as materialized (
    select l.id, l.name, l.timezone, coalesce(p_date, private.current_service(l.timezone, p_now)) as day
    from public.locations l where l.id = any(p_locations)
  ), birthdays as materialized (
    select d.day, n as days, unnest(private.birth_days(d.day + n, 0)) as birth_day
    from (select distinct day from places) as d cross join generate_series(-3, 3) as n
  ), tiers as materialized (
    select t.id, t.name, t.rank >= coalesce(
      min(t.rank) filter (where t.name = 'Oro') over (partition by t.organization_id), 3) as vip
    from public.loyalty_tiers t where t.organization_id = any(p_organizations)
  ), booked as materialized (
    select r.id, r.service_order at time zone p.timezone as instant, r.reservation_time, r.party_size,
      r.status, p.id as place, p.name as place_name, p.day, r.customer_name, r.notes, c.id as customer,
      c.first_name, c.last_name, c.notes as own_notes, c.tags,
      case when c.birth_date > private.born_after(p.day) then c.birth_day end as birth_day,
      c.total_visits, c.last_visit_at, c.loyalty_tier_id
    from places p
    join public.reservations r on r.location_id = p.id and r.service_date = p.day
      and r.status in ('pending', 'confirmed', 'seated') and r.source <> 'import'
    join public.customers c on c.id = r.customer_id
      and c.organization_id = any(p_organizations)
  ), tagged as materialized (
    -- Many guests have the same tags, which are judged once (offset 0); no word of an allergy has a space.
    select d.tags from (select distinct b.tags from booked b where b.tags <> '{}' offset 0) as d
    where private.names_allergy(array_to_string(d.tags, ' '))
  ), allergic as materialized (
    select distinct k.customer_id from public.customer_facts k
    where k.kind = 'allergy' and k.customer_id = any(array(select b.customer from booked b))
  ), missed as materialized (
    select o.customer_id, count(*)::integer as no_shows from public.reservations o
    where o.customer_id = any(array(select b.customer from booked b))
      and o.status = 'no_show' and o.source <> 'import' and (p_bound is null or o.location_id = any(p_bound))
    group by o.customer_id
  ), expected as materialized (
    select b.*, coalesce(b.customer_name, nullif(concat_ws(' ', b.first_name, b.last_name), '')) as name,
      t.name as tier, coalesce(t.vip, false) as vip, d.days as birthday_in, b.total_visits = 0 as first_visit,
      coalesce(b.total_visits > 0 and b.last_visit_at < p_now - interval '180 days', false) as away,
      coalesce(m.no_shows, 0) as no_shows,
      nullif(concat_ws(' · ', nullif(btrim(b.notes), ''), nullif(btrim(b.own_notes), '')), '') as all_notes,
      g.tags is not null or a.customer_id is not null or case when coalesce(b.notes, b.own_notes) is not null
        then private.names_allergy(concat_ws(' ', b.notes, b.own_notes)) else false end as allergy
    from booked b
    left join tiers t on t.id = b.loyalty_tier_id
    left join birthdays d on d.day = b.day and d.birth_day = b.birth_day
    left join tagged g on g.tags = b.tags
    left join allergic a on a.customer_id = b.customer
    left join missed m on m.customer_id = b.customer
  ), known as (
    select e.*, count(*) over ()::integer as found,
      case when e.allergy then 32 else 0 end + case when e.birthday_in = 0 then 20
        when e.birthday_in is not null
        then 12 else 0 end + case when e.vip then 16 else 0 end + case when e.no_shows > 0 then 8 else 0 end
        + case when e.away then 8 else 0 end + case when e.first_visit then 4 else 0 end
        + case when e.all_notes is not null then 2 else 0 end as weight
    from expected e
    where e.allergy or e.vip or e.away or e.first_visit or e.birthday_in is not null or e.no_shows > 0
      or e.all_notes is not null
    order by weight desc, e.instant, e.id
    limit least(p_limit, 50)
  )
  select k.id, k.place, k.place_name, k.customer, k.name, k.reservation_time, k.party_size, k.status, k.tier,
    k.vip, k.birthday_in, k.allergy, f.facts, k.all_notes, k.first_visit, k.last_visit_at, k.away, k.no_shows,
    k.found
  from known k
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('code', o.code, 'kind', o.kind, 'note', o.note)
      order by o.kind, o.code), '[]') as facts
    from public.customer_facts o where o.customer_id = k.customer) as f
  order by k.instant, k.id
$$;
comment on function private.guests_to_know(uuid[], uuid[], date, integer, timestamptz, uuid[]) is
  'Of a day''s expected and seated guests (of the current service without a date) the most noteworthy, by time: allergy, birthday within 3 days, VIP tier, away for 180 days, first visit, no-shows, notes. found counts them all. p_bound: the reader''s locations (null: all), whose no-shows count.';

-- Definer rights as in next_arrivals, for the index of the day; names and notes only to who may read both
-- reservations and customers.
create or replace function public.customers_to_know(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns table (reservation_id uuid, location_id uuid, location_name text, customer_id uuid,
  customer_name text, reservation_time time, party_size integer, status text, tier text, vip boolean,
  birthday_in integer, allergy boolean, facts jsonb, notes text, first_visit boolean,
  last_visit_at timestamptz, away boolean, no_shows integer, found integer)
language sql stable security definer set search_path = ''
as $$
  select k.* from private.guests_to_know(
    array(select l.id from public.locations l
      where l.id = any(array(select private.my_locations('canAccessOperaciones')))
        and (p_location is null or l.id = p_location)),
    array(select private.my_organizations('canAccessClientes')), null, p_limit, (select private.clock(p_now)),
    private.bound_to()) as k
$$;
comment on function public.customers_to_know(uuid, integer, timestamptz) is
  'Of the current service''s guests those that staff should know, in the caller''s locations; see private.guests_to_know.';

-- Invoker rights: RLS keeps to the caller's locations. A customer has few reservations, found by their index.
create or replace function private.usual(p_values text[]) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select v.value from unnest(p_values) with ordinality as v (value, place)
  where v.value is not null
  group by v.value having count(*) >= 2
  order by count(*) desc, max(v.place) desc limit 1
$$;
comment on function private.usual(text[]) is
  'What is usual: the value that occurs most often, at least twice; of equals the one that occurs latest in the list. Null: none.';
-- For customer_habits, which reads with its caller's rights.
grant execute on function private.usual(text[]) to authenticated;

create or replace function public.customer_habits(p_customer uuid, p_now timestamptz default now())
returns table (next_reservation uuid, next_location text, next_date date, next_time time,
  next_service_date date, next_location_id uuid, next_party_size integer, usual_location text,
  usual_table text, usual_table_location text, usual_weekday integer, first_date date, past integer,
  no_shows integer, usual_days real, rhythm text, return_probability double precision)
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select r.id, r.location_id, l.name as location, r.reservation_date, r.reservation_time, r.service_date,
      r.service_order, r.party_size, r.status, r.service_over, r.visited,
      r.service_order < (select private.clock(p_now)) at time zone l.timezone as is_past
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.source <> 'import'
  ), upcoming as (
    select m.* from mine m where not m.is_past and m.status in ('pending', 'confirmed')
    order by m.service_order, m.id limit 1
  ), usual as (
    select private.usual(array_agg(jsonb_build_array(m.location_id, m.location)::text
        order by m.service_order, m.id))::jsonb as place,
      private.usual(array_agg(extract(isodow from m.service_date)::text
        order by m.service_order, m.id))::integer as day
    from mine m where m.visited
  ), seat as (
    select u.table_name, l.name as location
    from private.usual_tables(array[p_customer], null, (select private.clock(p_now))) as u
    join public.locations l on l.id = u.location_id
    order by u.visits desc, u.latest desc, u.location_id limit 1
  ), kept as (
    select count(*)::integer as past, count(*) filter (where m.status = 'no_show')::integer as no_shows
    from mine m where m.service_over and (m.visited or m.status = 'no_show')
  ), rhythm as (
    select g.usual_days,
      case when g.usual_days is null then 'unknown' when g.lost_on <= day.today then 'lost'
        when g.at_risk_on <= day.today then 'at_risk' else 'on_time' end as state,
      case when g.usual_days is not null
        then private.return_probability(p.r, p.alpha, p.a, p.b, g.visit_days - 1, g.last_day - g.first_day,
        day.today - g.first_day) end as probability
    from public.customer_rhythms g join public.organizations o on o.id = g.organization_id
    cross join lateral (select ((select private.clock(p_now)) at time zone o.timezone)::date) as day (today)
    cross join lateral private.rhythm_parameters(array[g.organization_id]) as p
    where g.customer_id = p_customer
  )
  select u.id, u.location, u.reservation_date, u.reservation_time, u.service_date, u.location_id,
    u.party_size, w.place ->> 1, s.table_name, s.location, w.day,
    (select m.service_date from mine m order by m.service_order limit 1), k.past, k.no_shows,
    g.usual_days, g.state, g.probability
  from kept k cross join usual w left join upcoming u on true left join seat s on true
    left join rhythm g on true
$$;
comment on function public.customer_habits(uuid, timestamptz) is
  'A customer in the caller''s locations: the next booking; where and on which weekday (1 is Monday) they came at least twice, and their usual table (private.usual_tables); the service day of the first booking; no-shows and visits of past services, and the no-shows among them. And their rhythm, over all locations.';

-- With spend: the office's, each in their locations.
create or replace function public.stats_overview(p_from date default null, p_to date default null,
  p_location uuid default null, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_locations uuid[] := array(
    select mine from private.my_locations('canWorkInOffice') as mine
      where p_location is null or mine = p_location);
  v_to date;
  v_from date;
begin
  p_now := private.clock(p_now);
  if p_location is not null and cardinality(v_locations) = 0 then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  v_to := coalesce(p_to, (
    select max(private.current_service(l.timezone, p_now))
    from public.locations l where l.id = any(v_locations)), p_now::date);
  v_from := coalesce(p_from, v_to - 6);
  if v_to - v_from not between 0 and 365 then
    return jsonb_build_object('outcome', 'bad_period');
  end if;
  return (
    with daily as materialized (
      select f.location_id, f.service_date as day, f.service_date >= v_from as recent,
        f.booked, f.reservations, f.covers, f.completed, f.visits, f.cancelled, f.no_shows,
        f.known_revenue as known, f.unknown_covers * coalesce(l.average_spend_per_guest, 0) as estimated
      from private.figures_of(v_locations, v_from - (v_to - v_from + 1), v_to) as f
      join public.locations l on l.id = f.location_id
    ), figures as (
      select recent, day, location_id, sum(booked) as booked, sum(reservations) as reservations,
        sum(covers) as covers,
        sum(completed) as completed, sum(visits) as visits, sum(cancelled) as cancelled,
        sum(no_shows) as no_shows, sum(known + estimated) as revenue, sum(estimated) as estimated_revenue
      from daily group by grouping sets ((recent), (recent, day), (recent, location_id))
    ), held as (
      select value as tier, customers
      from private.counts_of(array(select private.my_organizations('canWorkInOffice')), 'tier')
    )
    select jsonb_build_object('outcome', 'ok', 'from', v_from, 'to', v_to,
      'figures', (
        select coalesce(jsonb_agg(to_jsonb(f) order by f.recent, f.day, f.location_id), '[]') from figures f
        where f.recent or (f.day is null and f.location_id is null)),
      'locations', (select coalesce(
        jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'is_active', l.is_active,
          'pms_id', l.pms_id, 'known_from', l.known_from, 'known_until', l.known_until)
            order by l.name, l.id), '[]')
        from public.locations l where l.id = any(v_locations)),
      'customers', (select coalesce(sum(customers), 0) from held),
      'by_tier', (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name,
          'customers', coalesce(h.customers, 0)) order by t.rank), '[]')
        from public.loyalty_tiers t left join held h on h.tier = t.id::text
        where t.organization_id = any(array(select private.my_organizations('canWorkInOffice'))))));
end
$$;
comment on function public.stats_overview(date, date, uuid, timestamptz) is
  'Figures of a period (default: the last 7 service days) and totals of the one before: ok, unknown_location or bad_period (over 366 days).';
grant execute on function public.service_summary(uuid, date, timestamptz, text, text[]),
  public.next_arrivals(uuid, integer, timestamptz), public.daily_summary(date, date, uuid, text, text[]),
  public.customers_to_know(uuid, integer, timestamptz), public.customer_habits(uuid, timestamptz),
  public.stats_overview(date, date, uuid, timestamptz)
  to authenticated;
