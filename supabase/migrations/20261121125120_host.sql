-- What a host looks at: the services of a week, and the guests of today whom one should know.

-- Figures without names, as in service_summary: everyone's, each in their locations.
create function public.daily_summary(p_from date, p_to date, p_location uuid default null)
returns table (location_id uuid, service_date date, reservations bigint, covers bigint, no_shows bigint,
  cancelled bigint)
language sql stable security definer set search_path = ''
as $$
  select r.location_id, r.service_date,
    count(*) filter (where r.status not in ('cancelled', 'no_show')),
    coalesce(sum(r.party_size) filter (where r.status not in ('cancelled', 'no_show')), 0),
    count(*) filter (where r.status = 'no_show'),
    count(*) filter (where r.status = 'cancelled')
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date between p_from and least(p_to, p_from + 61) and r.source <> 'import'
  where l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  group by r.location_id, r.service_date
$$;
comment on function public.daily_summary(date, date, uuid) is
  'Reservations and covers of those who come, no-shows and cancellations, by location and service day (62 at most).';

-- Definer rights as in next_arrivals, for the index of the day; names and notes only to who may read both
-- reservations and customers. Visits and no-shows are the customer's in the whole group, as on their page.
create function public.customers_to_know(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns table (reservation_id uuid, location_id uuid, location_name text, customer_id uuid, customer_name text,
  reservation_time time, party_size integer, status text, tier text, vip boolean, birthday_in integer,
  allergy boolean, notes text, first_visit boolean, last_visit_at timestamptz, away boolean, no_shows integer,
  found integer)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id, l.name, l.timezone, private.current_service(l.timezone, p_now) as day
    from public.locations l
    where l.id = any(array(select private.my_locations('canAccessOperaciones')))
      and (p_location is null or l.id = p_location)
  ), birthdays as materialized (
    select d.day, n as days, unnest(private.birth_days(d.day + n, 0)) as birth_day
    from (select distinct day from places) as d cross join generate_series(-3, 3) as n
  ), expected as (
    select r.id, r.service_order at time zone p.timezone as instant, r.reservation_time, r.party_size, r.status,
      p.id as place, p.name as place_name, c.id as customer,
      coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')) as name,
      t.name as tier, b.days as birthday_in, c.total_visits = 0 as first_visit, c.last_visit_at, s.no_shows,
      coalesce(t.rank >= (
        select coalesce(min(o.rank) filter (where o.name = 'Oro'), 3) from public.loyalty_tiers o
        where o.organization_id = c.organization_id), false) as vip,
      coalesce(c.total_visits > 0 and c.last_visit_at < p_now - interval '180 days', false) as away,
      nullif(concat_ws(' · ', nullif(btrim(r.notes), ''), nullif(btrim(c.notes), '')), '') as notes,
      private.normalize_text(concat_ws(' ', r.notes, c.notes, array_to_string(c.tags, ' '))) ~
        '(alerg|allerg|intoleran|celiac|coeliac|anafila|anaphyla|gluten|lactos)' as allergy
    from places p
    join public.reservations r on r.location_id = p.id and r.service_date = p.day
      and r.status in ('pending', 'confirmed', 'seated') and r.source <> 'import'
    join public.customers c on c.id = r.customer_id
      and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    left join birthdays b on b.day = p.day and b.birth_day = c.birth_day
    cross join lateral (
      select count(*)::integer as no_shows from public.reservations o
      where o.customer_id = c.id and o.status = 'no_show' and o.source <> 'import') as s
  ), known as (
    select e.*, count(*) over ()::integer as found,
      case when e.allergy then 32 else 0 end + case when e.birthday_in = 0 then 20 when e.birthday_in is not null
        then 12 else 0 end + case when e.vip then 16 else 0 end + case when e.no_shows > 0 then 8 else 0 end
        + case when e.away then 8 else 0 end + case when e.first_visit then 4 else 0 end
        + case when e.notes is not null then 2 else 0 end as weight
    from expected e
    where e.allergy or e.vip or e.away or e.first_visit or e.birthday_in is not null or e.no_shows > 0
      or e.notes is not null
    order by weight desc, e.instant, e.id
    limit least(p_limit, 50)
  )
  select k.id, k.place, k.place_name, k.customer, k.name, k.reservation_time, k.party_size, k.status, k.tier, k.vip,
    k.birthday_in, k.allergy, k.notes, k.first_visit, k.last_visit_at, k.away, k.no_shows, k.found
  from known k order by k.instant, k.id
$$;
comment on function public.customers_to_know(uuid, integer, timestamptz) is
  'Of today''s expected and seated guests the most noteworthy, by time: allergy, birthday within 3 days, VIP tier, away for 180 days, first visit, no-shows, notes. found counts them all.';

revoke execute on function public.daily_summary(date, date, uuid),
  public.customers_to_know(uuid, integer, timestamptz) from public, anon;
grant execute on function public.daily_summary(date, date, uuid),
  public.customers_to_know(uuid, integer, timestamptz) to authenticated;
