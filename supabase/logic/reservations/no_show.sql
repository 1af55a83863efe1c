-- What the no-show risk of reservations is computed from; lib/reservations/no-show.ts computes it
-- (docs/no-show.md).

create or replace function private.no_show_kinds(p_lead_days integer, p_party_size integer,
  p_confirmed boolean) returns text[]
language sql immutable set search_path = ''
as $$
  select array_remove(array[
    case when p_lead_days < 1 then 'today' when p_lead_days <= 7 then 'week'
      when p_lead_days <= 30 then 'month'
      when p_lead_days is not null then 'long' end,
    case when p_party_size <= 2 then 'two' when p_party_size <= 6 then 'few' else 'many' end,
    case when p_confirmed then 'answered' else 'unanswered' end], null)
$$;
comment on function private.no_show_kinds(integer, integer, boolean) is
  'The kinds of a booking whose no-show rates may differ: lead time, party size, confirmed by the guest.';

create or replace function private.lead_days(r public.reservations) returns integer
language sql immutable set search_path = ''
as $$
  -- A row that came after its own day, as when a PMS is connected, says nothing about the time of booking.
  select case when r.created_at < (r.reservation_date + 1)::timestamp at time zone 'UTC'
    then greatest(0, r.reservation_date - (r.created_at at time zone 'UTC')::date) end
$$;
comment on function private.lead_days(public.reservations) is
  'Days from booking to the date of the reservation; null where the time of booking is not known.';

create or replace function private.count_no_shows(p_location uuid, p_day date) returns jsonb
language sql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
  with past as materialized (
    -- 90 days follow the season.
    select r.customer_id, r.status = 'no_show' as missed, private.lead_days(r) as lead_days, r.party_size,
      r.guest_answer is not distinct from 'confirmed' as confirmed
    from public.reservations r
    where r.location_id = p_location and r.service_date >= p_day - 90 and r.service_date < p_day
      and r.source <> 'import' and not r.walk_in and (r.status = 'no_show' or r.visited)
  ), guests as (
    select count(*) as n, count(*) filter (where p.missed) as missed
    from past p where p.customer_id is not null group by p.customer_id
  ), kinds as (
    select k.kind, sum(b.n) as bookings, sum(b.missed) as no_shows
    from (
      select p.lead_days, p.party_size, p.confirmed, count(*) as n, count(*) filter (where p.missed) as missed
      from past p group by 1, 2, 3) as b
    cross join lateral unnest(private.no_show_kinds(b.lead_days, b.party_size, b.confirmed)) as k (kind)
    group by k.kind
  )
  select jsonb_build_object('bookings', count(*), 'no_shows', count(*) filter (where past.missed),
    'pairs', (select coalesce(sum(g.n * (g.n - 1)), 0) from guests g),
    'missed_pairs', (select coalesce(sum(g.missed * (g.missed - 1)), 0) from guests g),
    'kinds', (select coalesce(jsonb_agg(to_jsonb(k) order by k.kind), '[]') from kinds k))
  from past
$$;
comment on function private.count_no_shows(uuid, date) is
  'The bookings and no-shows of a location in the 90 service days before p_day, in all and by kind {kind, bookings, no_shows}, and how often two bookings of one guest were both missed (missed_pairs of pairs). Walk-ins and imports do not count.';

create or replace function public.keep_no_show_rates(p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location uuid;
  v_day date;
  v_rates jsonb;
begin
  select l.id, l.day into v_location, v_day
  from (select p.id, private.current_service(p.timezone, p_now) as day from public.locations p
    where p.is_active) as l
  left join private.no_show_rates k on k.location_id = l.id
  where k.day is distinct from l.day or (k.bookings < 500 and k.counted_at < p_now - interval '10 minutes')
  order by k.counted_at nulls first, l.id limit 1;
  if v_location is null then
    return false;
  end if;
  v_rates := private.count_no_shows(v_location, v_day);
  insert into private.no_show_rates (location_id, day, bookings, rates, counted_at)
  values (v_location, v_day, (v_rates ->> 'bookings')::integer, v_rates, p_now)
  on conflict (location_id) do update set day = excluded.day, bookings = excluded.bookings,
    rates = excluded.rates, counted_at = excluded.counted_at;
  return true;
end
$$;
comment on function public.keep_no_show_rates(timestamptz) is
  'Counts the rates of one location that are not of its service day, or that had few bookings ten minutes ago (as before its first sync). Whether it found one: call it until it has not.';

create or replace function private.no_show_rates_of(p_location uuid, p_day date) returns jsonb
language sql stable set search_path = ''
as $$
  -- Few bookings are counted each time: quick, and what was marked shows at once.
  select coalesce((
    select k.rates from private.no_show_rates k
    where k.location_id = p_location and k.day between p_day - 1 and p_day and k.bookings >= 500),
    private.count_no_shows(p_location, p_day))
$$;
comment on function private.no_show_rates_of(uuid, date) is
  'private.count_no_shows of a location, as kept on this service day or the one before.';

create or replace function public.no_show_features(p_reservations uuid[], p_now timestamptz default now())
  returns jsonb
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
  with places as materialized (
    select l.id, private.current_service(l.timezone, (select private.clock(p_now))) as today
    from public.locations l where l.id = any(array(select private.my_locations('canAccessOperaciones')))
  ), asked as materialized (
    select r.*, p.today from public.reservations r join places p on p.id = r.location_id
    where r.id = any(p_reservations[1:500]) and r.status in ('pending', 'confirmed') and not r.walk_in
      and r.service_date >= p.today and r.source <> 'import'
  ), bound as materialized (
    -- Once, not for each reservation.
    select private.bound_to() as locations
  )
  select jsonb_build_object(
    'locations', coalesce((
      select jsonb_agg(jsonb_build_object('id', p.location_id)
        || private.no_show_rates_of(p.location_id, p.today)
        order by p.location_id)
      from (select distinct a.location_id, a.today from asked a) as p), '[]'),
    'reservations', coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id, 'location_id', a.location_id, 'bookings', own.bookings,
        'no_shows', own.no_shows, 'lead_days', private.lead_days(r), 'party_size', a.party_size,
        'confirmed', a.guest_answer is not distinct from 'confirmed') order by a.id)
      from asked a
      cross join bound w
      join public.reservations r on r.id = a.id
      cross join lateral (
        -- The last 50 of the guest: enough, and bounded for a guest who stands for a hotel.
        select count(*) as bookings, count(*) filter (where last.status = 'no_show') as no_shows
        from (
          select o.status from public.reservations o
          where o.customer_id = a.customer_id and o.service_order < a.service_order and o.source <> 'import'
            and not o.walk_in and (o.status = 'no_show' or o.visited)
            and o.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
            and (w.locations is null or o.location_id = any(w.locations))
          order by o.service_order desc, o.id desc limit 50) as last
      ) as own), '[]'))
$$;
comment on function public.no_show_features(uuid[], timestamptz) is
  'Of the given reservations that are ahead (at most 500, in the caller''s locations): the guest''s earlier bookings and no-shows (of the caller''s locations), lead time, party size, answer; and of their locations what private.no_show_rates_of knows. Walk-ins and imports do not count.';
grant execute on function public.no_show_features(uuid[], timestamptz) to authenticated;
grant execute on function public.keep_no_show_rates(timestamptz) to service_role;
