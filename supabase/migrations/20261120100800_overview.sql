-- What the home page shows: figures of the day's service by location.

-- Figures without names are for everyone in the organization (home needs no permission), within their
-- locations; hence definer rights over private.my_locations().
create function public.service_summary(p_location uuid default null, p_date date default null,
  p_now timestamptz default now())
returns table (location_id uuid, service_date date, status text, hour integer, reservations bigint, covers bigint)
language sql stable security definer set search_path = ''
as $$
  select l.id, r.service_date, r.status, extract(hour from r.reservation_time)::integer,
    count(*), sum(r.party_size)
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = coalesce(p_date, private.current_service(l.timezone, p_now))
    and r.source <> 'import'
  where l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  group by l.id, r.service_date, r.status, extract(hour from r.reservation_time)
$$;
comment on function public.service_summary(uuid, date, timestamptz) is
  'Reservations and covers of a date''s service, else of the current one (it ends at 06:00 local), by location, status and hour 0–23.';

-- Definer rights as well: under RLS the time zone arithmetic would keep Postgres from using the index of the day.
create function public.next_arrivals(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns setof public.reservations
language sql stable security definer set search_path = ''
as $$
  select r.*
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = private.current_service(l.timezone, p_now)
    and r.service_order >= p_now at time zone l.timezone
    and r.status in ('pending', 'confirmed')
    and r.source <> 'import'
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and (p_location is null or l.id = p_location)
  order by r.service_order at time zone l.timezone, r.id
  limit least(p_limit, 50)
$$;
comment on function public.next_arrivals(uuid, integer, timestamptz) is
  'The next expected parties of the current service in the caller''s locations.';

revoke execute on function public.service_summary(uuid, date, timestamptz),
  public.next_arrivals(uuid, integer, timestamptz) from public, anon;
grant execute on function public.service_summary(uuid, date, timestamptz),
  public.next_arrivals(uuid, integer, timestamptz) to authenticated;
