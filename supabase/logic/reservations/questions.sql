-- What a reservation asks before it is saved: an answer of yes goes along with the request as `confirm`.

create or replace function private.closes(p_closing public.closed_days, p_shift uuid, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select (p_closing.shift is null or exists (
      select from public.shifts s
      where s.id = p_shift and private.fold(s.name) = private.fold(p_closing.shift)))
    and (p_closing.zone is null or coalesce((
      -- Who holds a table sits in its zone, whatever zone was booked. Without one it says nothing (null).
      select bool_or(private.fold(d.zone) = private.fold(p_closing.zone))
      from public.dining_tables d
      where d.location_id = p_closing.location_id and d.name = any(private.table_names(p_table))),
      private.fold(p_zone) = private.fold(p_closing.zone), false))
$$;
comment on function private.closes(public.closed_days, uuid, text, text) is
  'Whether a closing of its day concerns a reservation of that shift: in the zone of its tables, else in the zone it booked.';

create or replace function private.is_closed_at(p_location uuid, p_day date, p_time time, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.closed_days c where c.location_id = p_location and c.day = p_day
      and private.closes(c, private.shift_at(p_location, p_day, p_time), p_zone, p_table))
$$;
comment on function private.is_closed_at(uuid, date, time, text, text) is
  'Whether a closing of a service day of a location concerns a reservation of that local time: in the zone of its tables, else in the zone it booked.';

create or replace function private.is_open_at(p_location uuid, p_day date, p_time time) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (select from public.shifts s where s.location_id = p_location) or exists (
    select from public.shifts s
    cross join lateral (
      select (extract(hour from p_time)::integer + 18) % 24 * 60 + extract(minute from p_time)::integer)
        as clock (minute)
    where s.location_id = p_location and extract(isodow from p_day)::smallint = any(s.weekdays)
      and clock.minute >= s.opens_at and clock.minute < s.closes_at)
$$;
comment on function private.is_open_at(uuid, date, time) is
  'Whether a shift of that service day takes guests at a local time, its end excluded. A location without shifts has no hours: always.';

create or replace function private.is_skipped(p_local timestamp, p_timezone text) returns boolean
language sql stable set search_path = ''
as $$ select (p_local at time zone p_timezone) at time zone p_timezone <> p_local $$;
comment on function private.is_skipped(timestamp, text) is
  'Whether the clocks of a time zone go past this local time: it does not exist.';

create or replace function private.reservation_questions(p_old public.reservations,
  p_next public.reservations, p_location public.locations, p_confirmed jsonb, p_now timestamptz) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_today constant date := private.current_service(p_location.timezone, p_now);
  v_day constant date := private.service_day(p_next.reservation_date, p_next.reservation_time);
  v_is_new constant boolean := p_old.id is null;
  v_is_moved constant boolean := v_is_new or p_old.location_id <> p_next.location_id
    or (p_old.reservation_date, p_old.reservation_time) <> (p_next.reservation_date, p_next.reservation_time);
  v_changes_day constant boolean := v_is_new or p_old.location_id <> p_next.location_id
    or p_old.service_date <> v_day;
  v_comes constant boolean := p_next.status in ('pending', 'confirmed', 'seated') and v_day >= v_today;
  -- Whose table is asked: who gets one, sits down, comes again, or comes at another time or with more people.
  v_takes_table constant boolean := v_comes and p_next.table_name is not null and (v_is_moved
    or p_old.table_name is distinct from p_next.table_name or p_old.party_size < p_next.party_size
    or p_old.status <> 'seated' and p_next.status = 'seated'
    or p_old.status not in ('pending', 'confirmed', 'seated'));
  -- Whose table was asked before only hears of who still sits there.
  v_is_own constant boolean := not v_is_moved and p_old.table_name is not distinct from p_next.table_name
    and p_old.party_size >= p_next.party_size and p_old.status in ('pending', 'confirmed');
  v_tables constant text[] := private.table_names(p_next.table_name);
  v_together constant uuid[] := private.sits_with(p_next);
  v_questions text[] := '{}';
  v_taken_by jsonb;
  v_seats record;
begin
  if v_changes_day and least(v_day, p_old.service_date) < v_today
    or p_old.party_size <> p_next.party_size and v_day < v_today then
    v_questions := v_questions || 'SERVICE_OVER'::text;
  end if;
  if v_takes_table then
    select jsonb_build_object('reservation_id', k.id, 'customer_name', k.name,
      'from', to_char(k.starts_at at time zone p_location.timezone, 'HH24:MI'),
      'until', to_char(k.ends_at at time zone p_location.timezone, 'HH24:MI')) into v_taken_by
    from (values
      -- Who sits down does so now, also before the day of the booking. A time given with it is asked, too.
      (p_now, p_next.status = 'seated'),
      ((p_next.reservation_date + p_next.reservation_time) at time zone p_location.timezone,
        p_next.status <> 'seated' or v_is_moved and v_day > v_today)) as t (starts_at, is_asked)
    cross join lateral private.parties_at(p_next.location_id, v_tables, t.starts_at, p_next.party_size,
      p_now) as k
    where t.is_asked and k.id is distinct from p_old.id and k.id <> all(v_together)
      and (k.status = 'seated' or not v_is_own)
    order by k.starts_at, k.id limit 1;
    if v_taken_by is not null then
      v_questions := v_questions || 'TABLE_TAKEN'::text;
    end if;
    select s.covers, cardinality(s.tables) as tables, count(d.capacity) as known, sum(d.capacity) as seats
      into v_seats
    from private.seating(p_next) as s
    left join public.dining_tables d on d.location_id = p_next.location_id and d.name = any(s.tables)
    group by s.covers, s.tables;
    if v_seats.known = v_seats.tables and v_seats.seats < v_seats.covers then
      v_questions := v_questions || 'TABLE_TOO_SMALL'::text;
    end if;
  end if;
  -- Who cancelled or did not come may find it closed meanwhile; who sits there is there.
  if v_comes and (v_is_moved or p_old.zone_name is distinct from p_next.zone_name
      -- Who only gives its table back goes nowhere.
      or p_old.table_name is distinct from p_next.table_name and p_next.table_name is not null
      or p_old.status in ('cancelled', 'no_show') and p_next.status <> 'seated')
    and private.is_closed_at(p_next.location_id, v_day, p_next.reservation_time, p_next.zone_name,
      p_next.table_name) then
    v_questions := v_questions || 'CLOSED'::text;
  end if;
  if v_comes and v_is_moved
    and not private.is_open_at(p_next.location_id, v_day, p_next.reservation_time) then
    v_questions := v_questions || 'OUTSIDE_HOURS'::text;
  end if;
  if p_next.total_amount is distinct from p_old.total_amount and p_next.total_amount > greatest(1000,
    10 * p_next.party_size * coalesce(p_location.average_spend_per_guest, 0)) then
    v_questions := v_questions || 'UNUSUAL_AMOUNT'::text;
  end if;
  return jsonb_build_object('questions', to_jsonb(v_questions), 'code', (
    select q.code from unnest(v_questions) with ordinality as q (code, place)
    where not coalesce(p_confirmed ? lower(q.code), false) order by q.place limit 1),
    'current', v_taken_by);
end
$$;
comment on function private.reservation_questions(public.reservations, public.reservations, public.locations, jsonb, timestamptz) is
  'What saving a reservation asks (p_old null: a new one): questions, the codes in order (SERVICE_OVER, TABLE_TAKEN, TABLE_TOO_SMALL, CLOSED, OUTSIDE_HOURS, UNUSUAL_AMOUNT); code, the first that p_confirmed, a list of codes in lower case, does not answer with yes; and current, the first party at its table {reservation_id, customer_name, from, until; HH:mm, local}. Call it under lock_identities: then no other writer gives the table away in between.';
