-- Folding the kept counts and figures, and checking them against a recount: lib/overview/figures.ts calls
-- both.

create or replace function public.fold_figures(p_limit integer default 20000) returns boolean
-- Planned for the rows at hand: the tables are nearly all folded, or nearly all new.
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_days integer;
  v_values integer;
begin
  -- Two at once would wait for each other's rows.
  if not pg_catalog.pg_try_advisory_xact_lock(pg_catalog.hashtextextended('fold_figures', 0)) then
    return false;
  end if;
  with changed as materialized (
    select distinct n.location_id, n.service_date from (
      select f.location_id, f.service_date from private.daily_figures f where f.id > 0
        order by f.id limit p_limit) as n
  ), gone as (
    delete from private.daily_figures f using changed c
    where f.location_id = c.location_id and f.service_date = c.service_date returning f.*
  ), folded as (
    insert into private.daily_figures (location_id, service_date, id, booked, reservations, covers, completed,
      visits, cancelled, no_shows, walk_ins, known_revenue, unknown_covers)
    select g.location_id, g.service_date, 0, sum(g.booked), sum(g.reservations), sum(g.covers),
      sum(g.completed), sum(g.visits), sum(g.cancelled), sum(g.no_shows), sum(g.walk_ins),
      sum(g.known_revenue), sum(g.unknown_covers)
    from gone g group by g.location_id, g.service_date having sum(g.booked) <> 0
  )
  select count(*) into v_days from gone g where g.id > 0;
  with changed as materialized (
    select distinct n.organization_id, n.kind, n.value from (
      select c.organization_id, c.kind, c.value from private.customer_counts c where c.id > 0
        order by c.id limit p_limit) as n
  ), gone as (
    delete from private.customer_counts c using changed k
    where c.organization_id = k.organization_id and c.kind = k.kind and c.value = k.value returning c.*
  ), folded as (
    insert into private.customer_counts (organization_id, kind, value, id, customers)
    select g.organization_id, g.kind, g.value, 0, sum(g.customers)
    from gone g group by g.organization_id, g.kind, g.value having sum(g.customers) <> 0
  )
  select count(*) into v_values from gone g where g.id > 0;
  return greatest(v_days, v_values) >= p_limit;
end
$$;
comment on function public.fold_figures(integer) is
  'Adds up the changes of the kept figures and counts, so that reads have one row a day or value: at least p_limit of each. True when there may be more.';

create or replace function public.check_customer_counts(p_organization uuid) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_mended jsonb;
begin
  -- Two checks at once would mend a difference twice.
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('check_figures:' || p_organization::text, 0));
  -- One statement sees one state of both tables, and the difference is added like any change: nothing needs
  -- to wait.
  execute format('
    with counted as (%s), mended as (
      insert into private.customer_counts (organization_id, kind, value, customers)
      select $1, d.kind, d.value, sum(d.customers)::integer from (
        select c.kind, c.value, c.customers from counted c
        union all
        select k.kind, k.value, -k.customers from private.customer_counts k where k.organization_id = $1) as d
      group by d.kind, d.value having sum(d.customers) <> 0
      returning kind, value, customers
    )
    select coalesce(jsonb_agg(to_jsonb(m)), ''[]'') from mended m',
    private.customer_count_sums('select 1 as sign, c.* from public.customers c where c.organization_id = $1'))
  into v_mended using p_organization;
  return v_mended;
end
$$;
comment on function public.check_customer_counts(uuid) is
  'Compares the kept counts of an organization''s customers with a recount and mends them: [{kind, value, customers}], by how many each was wrong.';

create or replace function public.check_daily_figures(p_organization uuid, p_now timestamptz default now(),
  p_rows integer default 50000)
returns jsonb
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_location uuid;
  v_from date;
  v_until date;
  v_mended jsonb;
begin
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('check_figures:' || p_organization::text, 0));
  -- The check under way, else the location whose check is the longest ago.
  select l.id, coalesce(k.next_day, '1899-12-31') into v_location, v_from
  from public.locations l left join private.figure_checks k on k.location_id = l.id
  where l.organization_id = p_organization
    and (k.location_id is null or k.next_day is not null or k.checked_at <= p_now - interval '12 hours')
  order by k.next_day is null, k.checked_at nulls first, l.id limit 1;
  if v_location is null then
    return jsonb_build_object('more', false, 'mended', '[]'::jsonb);
  end if;
  -- Whole days, at least one: up to the day of the row after p_rows.
  select greatest(r.service_date - 1, v_from) into v_until from public.reservations r
  where r.location_id = v_location and r.service_date >= v_from order by r.service_date offset p_rows limit 1;
  execute format('
    with counted as (%s), mended as (
      insert into private.daily_figures (location_id, service_date, booked, reservations, covers, completed, visits,
        cancelled, no_shows, walk_ins, known_revenue, unknown_covers)
      select * from (
        select $1, d.service_date, sum(d.booked) as booked, sum(d.reservations) as reservations, sum(d.covers) as covers,
          sum(d.completed) as completed, sum(d.visits) as visits, sum(d.cancelled) as cancelled,
          sum(d.no_shows) as no_shows, sum(d.walk_ins) as walk_ins, sum(d.known_revenue) as known_revenue,
          sum(d.unknown_covers) as unknown_covers
        from (
          select * from counted
          union all
          select f.location_id, f.service_date, -f.booked, -f.reservations, -f.covers, -f.completed, -f.visits,
            -f.cancelled, -f.no_shows, -f.walk_ins, -f.known_revenue, -f.unknown_covers
          from private.daily_figures f where f.location_id = $1 and f.service_date between $2 and $3) as d
        group by d.service_date) as n
      where (n.booked, n.reservations, n.covers, n.completed, n.visits, n.cancelled, n.no_shows, n.walk_ins,
        n.known_revenue, n.unknown_covers) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      returning service_date
    )
    select coalesce(jsonb_agg(m.service_date order by m.service_date), ''[]'') from mended m',
    private.daily_figure_sums(
      'select 1 as sign, r.* from public.reservations r where r.location_id = $1 and r.service_date between $2 and $3'))
  into v_mended using v_location, v_from, coalesce(v_until, '2199-12-31');
  insert into private.figure_checks (location_id, next_day, checked_at)
    values (v_location, v_until + 1, p_now)
  on conflict (location_id) do update set next_day = excluded.next_day, checked_at = excluded.checked_at;
  return jsonb_build_object('more', true, 'location_id', v_location, 'mended', v_mended);
end
$$;
comment on function public.check_daily_figures(uuid, timestamptz, integer) is
  'Compares the next days of a location, about p_rows reservations, with a recount and mends their figures: {more, location_id, mended: [day]}. Not more when each location of the organization was checked within 12 hours.';
grant execute on function public.fold_figures(integer), public.check_customer_counts(uuid),
  public.check_daily_figures(uuid, timestamptz, integer) to service_role;
