-- What follows from reservations: the statistics and tiers of customers; and the end of a service, which
-- decides whether reservations that were never marked count as visits.

create or replace function private.refresh_customers(p_ids uuid[]) returns void
language sql volatile set search_path = ''
as $$
  -- Points first: a visit earns by the tier the customer had before it.
  select private.settle_points(p_ids);
  with own as (
    select r.customer_id, r.location_id, r.party_size, r.total_amount, l.average_spend_per_guest as average,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as instant, r.service_date as day,
      r.source <> 'import' as counts,
      coalesce(r.visited, false) as visited
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = any(p_ids)
  ), statistics as (
    select customer_id, count(*) filter (where visited) as visits, max(instant)
      filter (where visited) as last_visit, max(day) filter (where visited) as last_day,
      sum(coalesce(total_amount, party_size * average, 0))
      filter (where visited) as spend, bool_or(total_amount is null) filter (where visited) as estimate
    from own group by customer_id
  ), homes as (
    select distinct on (customer_id) customer_id, location_id
    from (
      select customer_id, location_id, count(*) filter (where counts) as bookings, max(instant) as latest
      from own group by customer_id, location_id
    ) as per_location
    order by customer_id, bookings desc, latest desc, location_id
  ), balances as (
    select customer_id, sum(points) as points from public.loyalty_points
    where customer_id = any(p_ids) group by customer_id
  ), known as (
    select c.id, c.organization_id, c.loyalty_tier_id, coalesce(s.visits, 0)::integer as visits,
      least(coalesce(s.spend, 0), 9999999999.99)::numeric(12, 2) as spend,
      coalesce(s.estimate, false) as estimate, s.last_visit, s.last_day,
      coalesce(h.location_id, c.location_id) as location_id, coalesce(b.points, 0)::bigint as points
    from public.customers c
    left join statistics s on s.customer_id = c.id
    left join homes h on h.customer_id = c.id
    left join balances b on b.customer_id = c.id
    where c.id = any(p_ids)
  ), raised as (
    select distinct on (k.id) k.id, rule.tier_id
    from known k
    join private.tier_rules() as rule on rule.location_id = k.location_id
      and rule.organization_id = k.organization_id
      and k.spend >= rule.min_spend and k.visits >= rule.min_visits
    left join public.loyalty_tiers held on held.id = k.loyalty_tier_id
    where held.id is null or rule.rank > held.rank
    order by k.id, rule.rank desc
  )
  -- One update for all of it: a row of customers is in many indexes.
  update public.customers c
  set total_visits = n.visits, total_spend = n.spend, spend_is_estimate = n.estimate,
    last_visit_at = n.last_visit, last_visit_on = n.last_day, location_id = n.location_id, points = n.points,
    loyalty_tier_id = coalesce(r.tier_id, c.loyalty_tier_id)
  from known n left join raised r on r.id = n.id
  where c.id = n.id and (r.tier_id is not null
    or (c.total_visits, c.total_spend, c.spend_is_estimate, c.last_visit_at, c.last_visit_on, c.location_id,
        c.points)
      is distinct from (n.visits, n.spend, n.estimate, n.last_visit, n.last_day, n.location_id, n.points));
  select private.refresh_rhythms(p_ids);
$$;
comment on function private.refresh_customers(uuid[]) is
  'Books the customers'' points, recomputes their visits, spend, last visit, usual location, balance and rhythm, and raises their tier; writes only what changed.';

create or replace function public.close_services(p_organization uuid, p_now timestamptz default now(),
  p_limit integer default 2000)
returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_closed integer;
  v_customers uuid[];
begin
  perform private.lock_identities(p_organization);
  -- The day once for each location, not for each reservation.
  with places as materialized (
    select l.id, l.count_unmarked_visits as counts_unmarked, private.current_service(l.timezone, p_now) as day
    from public.locations l where l.organization_id = p_organization
  ), due as (
    select r.id, places.counts_unmarked
    from places
    join public.reservations r on r.location_id = places.id and not r.service_over and r.source <> 'import'
      and r.service_date < places.day
    limit p_limit
  ), closed as (
    update public.reservations r set service_over = true, counts_unmarked = due.counts_unmarked
    from due where r.id = due.id
    returning r.customer_id, r.visited
  )
  select count(*), array_agg(distinct customer_id) filter (where visited and customer_id is not null)
  into v_closed, v_customers from closed;
  perform private.refresh_customers(coalesce(v_customers, '{}'));
  return v_closed >= p_limit;
end
$$;
comment on function public.close_services(uuid, timestamptz, integer) is
  'Closes the services that ended by p_now, at most p_limit reservations: decides who came and recomputes the affected customers. True when there may be more.';

create or replace function public.recount_unmarked(p_location uuid, p_days integer) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_location public.locations;
  v_from date;
  v_customers uuid[];
begin
  select * into v_location from public.locations
    where id = p_location and recount_from is not null for no key update;
  if v_location.id is null then
    return false;
  end if;
  perform private.lock_identities(v_location.organization_id);
  -- Jumps to the next day that has reservations.
  select min(r.service_date) into v_from from public.reservations r
  where r.location_id = p_location and r.service_date >= v_location.recount_from;
  with recounted as (
    update public.reservations r set counts_unmarked = v_location.count_unmarked_visits
    where r.location_id = p_location and r.service_date >= v_from and r.service_date < v_from + p_days
      and r.service_over and r.status = 'confirmed' and r.counts_unmarked <> v_location.count_unmarked_visits
    returning r.customer_id
  )
  select array_agg(distinct customer_id) filter (where customer_id is not null) into v_customers
    from recounted;
  perform private.refresh_customers(coalesce(v_customers, '{}'));
  update public.locations set recount_from = v_from + p_days where id = p_location;
  return v_from is not null;
end
$$;
comment on function public.recount_unmarked(uuid, integer) is
  'After count_unmarked_visits has changed: decides the visits of the location''s next p_days service days again; true when there may be more.';

create or replace function public.refresh_location(p_location uuid, p_limit integer) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_location public.locations;
  v_ids uuid[];
begin
  select * into v_location from public.locations
    where id = p_location and refresh_from is not null for no key update;
  if v_location.id is null then
    return false;
  end if;
  -- The sync writes the same customers, so only one of the two runs at a time.
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('identity:' || v_location.organization_id::text, 0));
  select coalesce(array_agg(batch.id order by batch.id), '{}') into v_ids from (
    select c.id from public.customers c
    where c.organization_id = v_location.organization_id and c.id > v_location.refresh_from
    order by c.id limit p_limit
  ) as batch;
  perform private.refresh_customers(array(
    select customer.id from unnest(v_ids) as customer (id)
    where exists (
      select 1 from public.reservations r
      where r.customer_id = customer.id and r.location_id = p_location
        and r.visited)));
  update public.locations
  set refresh_from = case when cardinality(v_ids) = p_limit then v_ids[p_limit] end
  where id = p_location;
  return cardinality(v_ids) = p_limit;
end
$$;
comment on function public.refresh_location(uuid, integer) is
  'Recomputes the next customers who have been at a location whose average spend or time zone changed; true when there are more.';
grant execute on function private.refresh_customers(uuid[]),
  public.close_services(uuid, timestamptz, integer), public.recount_unmarked(uuid, integer),
  public.refresh_location(uuid, integer) to service_role;
