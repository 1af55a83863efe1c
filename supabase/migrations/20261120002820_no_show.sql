-- What the no-show risk of reservations is computed from; lib/reservations/no-show.ts computes it (docs/no-show.md).

create function private.no_show_kinds(p_lead_days integer, p_party_size integer, p_confirmed boolean) returns text[]
language sql immutable set search_path = ''
as $$
  select array_remove(array[
    case when p_lead_days < 1 then 'today' when p_lead_days <= 7 then 'week' when p_lead_days <= 30 then 'month'
      when p_lead_days is not null then 'long' end,
    case when p_party_size <= 2 then 'two' when p_party_size <= 6 then 'few' else 'many' end,
    case when p_confirmed then 'answered' else 'unanswered' end], null)
$$;
comment on function private.no_show_kinds(integer, integer, boolean) is
  'The kinds of a booking whose no-show rates may differ: lead time, party size, confirmed by the guest.';

create function private.lead_days(r public.reservations) returns integer
language sql immutable set search_path = ''
as $$
  -- A row that came after its own day, as when a PMS is connected, says nothing about the time of booking.
  select case when r.created_at < (r.reservation_date + 1)::timestamp at time zone 'UTC'
    then greatest(0, r.reservation_date - (r.created_at at time zone 'UTC')::date) end
$$;
comment on function private.lead_days(public.reservations) is
  'Days from booking to the date of the reservation; null where the time of booking is not known.';

create function public.no_show_features(p_reservations uuid[], p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
  with asked as materialized (
    select r.*, l.timezone from public.reservations r join public.locations l on l.id = r.location_id
    where r.id = any(p_reservations[1:500]) and r.status in ('pending', 'confirmed') and not r.walk_in
      and r.service_date >= private.current_service(l.timezone, p_now)
      and r.source <> 'import' and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
  ), past as materialized (
    -- 90 days are some ten thousand rows of a busy location, and follow the season.
    select r.location_id, r.customer_id, r.status = 'no_show' as missed,
      private.no_show_kinds(private.lead_days(r), r.party_size, r.guest_answer is not distinct from 'confirmed') as kinds
    from (select distinct a.location_id, private.current_service(a.timezone, p_now) as day from asked a) as place
    join public.reservations r on r.location_id = place.location_id
      and r.service_date >= place.day - 90 and r.service_date < place.day
    where r.source <> 'import' and not r.walk_in and (r.status = 'no_show' or r.visited)
  ), totals as (
    select p.location_id, count(*) as bookings, count(*) filter (where p.missed) as no_shows from past p group by 1
  ), pairs as (
    select g.location_id, sum(g.n * (g.n - 1)) as pairs, sum(g.missed * (g.missed - 1)) as missed_pairs
    from (
      select p.location_id, count(*) as n, count(*) filter (where p.missed) as missed
      from past p where p.customer_id is not null group by p.location_id, p.customer_id) as g
    group by 1
  ), by_kind as (
    select p.location_id, k.kind, count(*) as bookings, count(*) filter (where p.missed) as no_shows
    from past p cross join lateral unnest(p.kinds) as k (kind) group by 1, 2
  )
  select jsonb_build_object(
    'locations', coalesce((
      select jsonb_agg(jsonb_build_object('id', t.location_id, 'bookings', t.bookings, 'no_shows', t.no_shows,
        'pairs', coalesce(q.pairs, 0), 'missed_pairs', coalesce(q.missed_pairs, 0), 'kinds', (
        select jsonb_agg(jsonb_build_object('kind', b.kind, 'bookings', b.bookings, 'no_shows', b.no_shows) order by b.kind)
        from by_kind b where b.location_id = t.location_id)) order by t.location_id)
      from totals t left join pairs q on q.location_id = t.location_id), '[]'),
    'reservations', coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id, 'location_id', a.location_id, 'bookings', own.bookings,
        'no_shows', own.no_shows, 'lead_days', private.lead_days(r), 'party_size', a.party_size,
        'confirmed', a.guest_answer is not distinct from 'confirmed') order by a.id)
      from asked a
      join public.reservations r on r.id = a.id
      cross join lateral (
        -- The last 50 of the guest: enough, and bounded for a guest who stands for a hotel.
        select count(*) as bookings, count(*) filter (where last.status = 'no_show') as no_shows
        from (
          select o.status from public.reservations o
          where o.customer_id = a.customer_id and o.service_order < a.service_order and o.source <> 'import'
            and not o.walk_in and (o.status = 'no_show' or o.visited)
            and o.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
          order by o.service_order desc, o.id desc limit 50) as last
      ) as own), '[]'))
$$;
comment on function public.no_show_features(uuid[], timestamptz) is
  'Of the given reservations that are ahead (at most 500, in the caller''s locations): the guest''s earlier bookings and no-shows, lead time, party size, answer; and of their locations the bookings and no-shows of the last 90 service days, in all and by kind, and how often two bookings of one guest were both missed. Walk-ins and imports do not count.';

revoke execute on function private.no_show_kinds(integer, integer, boolean), private.lead_days(public.reservations) from public;
revoke execute on function public.no_show_features(uuid[], timestamptz) from public, anon;
grant execute on function public.no_show_features(uuid[], timestamptz) to authenticated;
