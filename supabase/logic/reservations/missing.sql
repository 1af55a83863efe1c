-- Bookings that left the PMS: those of a location that its complete answers no longer contain. And what a
-- sync says once a day.

create or replace function private.tell_once(p_location uuid, p_code text, p_reservations text[],
  p_at timestamptz, p_reader text) returns text[]
language sql volatile set search_path = ''
as $$
  with told as (
    insert into private.told_issues as t (organization_id, location_id, code, reservation, reader, day)
    select l.organization_id, l.id, p_code, r.reservation, p_reader, (p_at at time zone l.timezone)::date
    from public.locations l cross join (select distinct unnest(p_reservations)) as r (reservation)
    where l.id = p_location
    on conflict (location_id, code, reservation, reader) do update set day = excluded.day
      where t.day <> excluded.day
    returning t.reservation
  )
  select coalesce(array_agg(told.reservation order by told.reservation), '{}') from told
$$;
comment on function private.tell_once(uuid, text, text[], timestamptz, text) is
  'Those of the reservations (PMS ids; a blank one is the whole location) of which the sync has not said p_code to this reader on this day of the location yet. From then on it has.';

create or replace function private.note_missing(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_ids text[], p_minutes integer, out due uuid[], out known integer)
language sql volatile set search_path = ''
as $$
  with answer as materialized (
    select distinct given.id from unnest(p_ids) as given (id)
  ), open as materialized (
    select r.id, r.organization_id,
      -- A table or a note does not say that the party comes; a guest's answer is no mark by staff.
      a.id is null and r.arrived_at is null
        and (not r.staff_marks ? 'status' or r.guest_answer is not distinct from r.status) as is_gone
    from public.reservations r left join answer a on a.id = r.external_id
    -- Before 06:00 an entry may be of its own date or of the dinner before, as the PMS counts: so only those
    -- of which both are among the days.
    where r.location_id = p_location and r.service_date between p_from and p_to
      and r.reservation_date <= p_to and r.source = 'pms' and r.status in ('pending', 'confirmed')
  ), returned as (
    delete from private.missing_bookings m using open o
    where m.location_id = p_location and m.reservation_id = o.id and not o.is_gone
      and m.cancelled_at is null
  ), noted as (
    insert into private.missing_bookings (reservation_id, organization_id, location_id, missing_since)
    select o.id, o.organization_id, p_location, p_at from open o where o.is_gone
    -- Cancelled before, and open again without a mark: it counts from now on.
    on conflict (reservation_id) do update set missing_since = excluded.missing_since, held_at = null,
      cancelled_at = null where missing_bookings.cancelled_at is not null
  )
  select array_agg(m.reservation_id order by m.reservation_id), (select count(*)::integer from open)
  from private.missing_bookings m join open o on o.id = m.reservation_id
  where m.location_id = p_location and o.is_gone and m.cancelled_at is null
    and m.missing_since <= p_at - make_interval(mins => p_minutes)
$$;
comment on function private.note_missing(uuid, timestamptz, date, date, text[], integer) is
  'Compares the location''s pending and confirmed PMS bookings (known: how many) of some days with a complete answer. due: those that an earlier answer, at least p_minutes ago, did not contain either, nor any since.';

create or replace function public.take_out_missing(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_ids text[], p_minutes integer, p_reader text) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_found record;
  v_customers uuid[];
  v_ids jsonb;
begin
  if coalesce(cardinality(p_ids), 0) = 0 then
    return '{}';
  end if;
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  select * into v_found from private.note_missing(p_location, p_at, p_from, p_to, p_ids, p_minutes);
  if v_found.due is null then
    return '{}';
  elsif cardinality(v_found.due) > 5 and cardinality(v_found.due) * 5 > v_found.known then
    update private.missing_bookings m set held_at = p_at where m.reservation_id = any(v_found.due);
    return case when private.tell_once(p_location, 'not_applied', '{""}', p_at, p_reader) = '{}' then '{}'
      else jsonb_build_object('not_applied', cardinality(v_found.due)) end;
  end if;
  with gone as (
    update public.reservations r set status = 'cancelled', pms_status = 'missing',
      staff_marks = r.staff_marks - 'status'
    where r.id = any(v_found.due) returning r.id, r.external_id, r.customer_id
  ), noted as (
    update private.missing_bookings m set cancelled_at = p_at, held_at = null
    from gone where m.reservation_id = gone.id
  )
  select array_agg(distinct gone.customer_id) filter (where gone.customer_id is not null),
    jsonb_agg(gone.external_id order by gone.external_id)
  into v_customers, v_ids from gone;
  perform private.refresh_customers(coalesce(v_customers, '{}'));
  return jsonb_build_object('missing', v_ids);
end
$$;
comment on function public.take_out_missing(uuid, timestamptz, date, date, text[], integer, text) is
  'Cancels the location''s bookings of the days from p_from to p_to that left the PMS, given the ids of a complete answer about them; none when p_ids is null or empty. Returns missing, their PMS ids; or not_applied, how many would be when these are too many (more than five and more than a fifth), the first time of a day for this reader.';

create or replace function private.missing_now(p_now timestamptz)
returns table (location_id uuid, location text, reservation_id uuid, customer_name text, service_date date,
  reservation_date date, reservation_time time, is_cancelled boolean)
language sql stable security definer set search_path = ''
as $$
  select l.id, l.name, r.id, r.customer_name, r.service_date, r.reservation_date, r.reservation_time,
    m.cancelled_at is not null
  from public.locations l
  join private.missing_bookings m on m.location_id = l.id
    and greatest(m.cancelled_at, m.held_at) > p_now - interval '1 day'
  join public.reservations r on r.id = m.reservation_id
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and r.status = any(case when m.cancelled_at is null then array['pending', 'confirmed']
      else array['cancelled'] end)
  order by r.service_order, r.id
$$;
comment on function private.missing_now(timestamptz) is
  'The bookings in the caller''s locations that left the PMS: cancelled for that within the last 24 hours, or too many at once and therefore not.';

create or replace function private.missing_of(p_now timestamptz, p_shown integer)
returns table (location_id uuid, location text, cancelled integer, not_applied integer, bookings jsonb)
language sql stable set search_path = ''
as $$
  select n.location_id, n.location, count(*) filter (where n.is_cancelled)::integer,
    count(*) filter (where not n.is_cancelled)::integer, coalesce(jsonb_agg(jsonb_build_object(
      'id', n.reservation_id, 'customer_name', n.customer_name, 'service_date', n.service_date,
      'reservation_date', n.reservation_date, 'reservation_time', to_char(n.reservation_time, 'HH24:MI'))
      order by n.place) filter (where n.is_cancelled and n.place <= p_shown), '[]')
  from (
    select m.*, row_number() over (partition by m.location_id, m.is_cancelled
      order by m.reservation_date, m.reservation_time, m.reservation_id) as place
    from private.missing_now(p_now) as m) as n
  group by n.location_id, n.location
$$;
comment on function private.missing_of(timestamptz, integer) is
  'missing_now by location: how many were cancelled and how many were not, and the first p_shown of the former.';

create or replace function public.missing_bookings(p_now timestamptz default now()) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(m) order by m.location), '[]')
  from private.missing_of((select private.clock(p_now)), 20) as m
$$;
comment on function public.missing_bookings(timestamptz) is
  'What left the PMS within the last 24 hours in the caller''s locations: [{location_id, location, cancelled, not_applied, bookings: [{id, customer_name, service_date, reservation_date, reservation_time}]}], of each the first 20.';
grant execute on function private.missing_now(timestamptz), private.missing_of(timestamptz, integer),
  public.missing_bookings(timestamptz) to authenticated;
grant execute on function private.tell_once(uuid, text, text[], timestamptz, text),
  private.note_missing(uuid, timestamptz, date, date, text[], integer),
  public.take_out_missing(uuid, timestamptz, date, date, text[], integer, text) to service_role;
