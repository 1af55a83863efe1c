-- Schema 20261129100055. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

create index reservations_seated_idx on public.reservations (location_id, service_date)
  where status = 'seated' and not service_over;

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261129100055', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/reservations/find.sql
-- One search over the reservations of every day, for whoever looks for one at the door or on the telephone.

create or replace function private.reservations_found(p_search jsonb, p_organization uuid,
  p_locations uuid[], p_since date, p_knows_guests boolean, p_uses_cards boolean) returns uuid[]
-- With its values each time: whether an index helps to find a guest depends on the words.
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_names text[] := array(select jsonb_array_elements_text(p_search -> 'names'));
  v_starts text[] := array(select jsonb_array_elements_text(p_search -> 'starts'));
  v_table text := nullif(replace(p_search ->> 'text', ' ', ''), '');
  v_phone text := nullif(p_search ->> 'phone', '');
  v_is_whole boolean := length(v_phone) >= 9;
  v_word text;
  v_named uuid[];
  v_called uuid[];
begin
  -- What takes Postgres long: repetition and references.
  if v_phone !~ '^[0-9]{4,20}$' or exists (
    select from unnest(v_names || v_starts) as t
    where regexp_replace(t, '\\(?:[^[:alnum:]]|W)', '', 'g') ~ '[\\*+{[]') then
    raise exception 'unknown pattern' using errcode = '22023';
  end if;
  v_word := (select t from unnest(v_names) as t order by length(t) desc limit 1);
  v_named := array(
    select c.id from public.customers c
    where c.organization_id = p_organization and p_uses_cards and v_phone is null
      and c.search_text ~ v_word and c.sort_name ~ all(v_names)
    order by c.sort_visit desc, c.id desc limit 200);
  -- Who may not see a guest's phone must type the whole of it: digit by digit it could be read.
  v_called := array(
    select c.id from public.customers c
    where c.organization_id = p_organization and c.search_text ~ v_phone
      and (v_is_whole and c.phone like '%' || v_phone
        or p_knows_guests and c.phone like '%' || v_phone || '%')
    order by c.sort_visit desc, c.id desc limit 200)
    || array(
      select a.customer_id from public.customer_aliases a
      where a.organization_id = p_organization and v_is_whole and a.phone like '%' || v_phone limit 200);
  return array(
    select r.id from public.reservations r
    where r.location_id = any(p_locations) and r.service_date >= p_since
      and (v_names <> '{}' and r.search_name ~ all(v_names)
        or v_starts <> '{}' and r.notes is not null
          and r.search_name || ' ' || private.fold(r.notes) ~ all(v_starts)
        or regexp_replace(r.customer_phone, '\D', '', 'g') like '%' || v_phone || '%'
        or replace(private.fold(r.table_name), ' ', '') = v_table
        or v_table = any(string_to_array(replace(private.fold(r.table_name), ' ', ''), '+')))
    union
    select r.id from public.reservations r
    where r.location_id = any(p_locations) and (r.customer_id = any(v_called)
      -- A booking under another name would tell whose guest it is.
      or r.customer_id = any(v_named)
        and (p_knows_guests or r.search_name = '' or r.search_name ~ all(v_names)))
    union
    select r.id from public.reservations r
    where r.organization_id = p_organization and r.location_id = any(p_locations)
      and r.external_id in (p_search ->> 'code', lower(p_search ->> 'code'), upper(p_search ->> 'code')));
end
$$;
comment on function private.reservations_found(jsonb, uuid, uuid[], date, boolean, boolean) is
  'The reservations in these locations that a search finds (PartySearch in lib/reservations/party-search.ts): from that day on by all they say, before it by guest or booking code. Guests are found by name for who uses their cards; by a part of their phone, and under another name, for who knows the guests.';

create or replace function public.find_reservations(p_search jsonb, p_location uuid default null,
  p_limit integer default 20, p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with mine as materialized (
    select array(select private.my_locations('canAccessOperaciones')) as locations,
      array(select private.my_organizations('canUseGuestCards')) as cards
  ), places as materialized (
    select l.*, private.current_service(l.timezone, (select private.clock(p_now))) as today
    from public.locations l
    where l.id = any((select locations from mine)::uuid[]) and (p_location is null or l.id = p_location)
  ), found as materialized (
    -- A week back: a guest who asks for what they left behind.
    select unnest(private.reservations_found(p_search, p.organization_id, array_agg(p.id), min(p.today) - 7,
      p.organization_id = any(array(select private.my_organizations('canAccessClientes'))),
      p.organization_id = any((select cards from mine)::uuid[]))) as id
    from places p group by p.organization_id
  ), page as materialized (
    select r.*, p.name as place, r.service_date - p.today as days
    from found f join public.reservations r on r.id = f.id join places p on p.id = r.location_id
    where r.source <> 'import'
    order by r.service_date < p.today, case when r.service_date >= p.today then r.service_order end,
      r.service_order desc, r.id
    limit least(p_limit, 50)
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'location_id', r.location_id,
    'location_name', r.place, 'service_date', r.service_date, 'days', r.days,
    'time', to_char(r.reservation_time, 'HH24:MI'),
    'name', coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')),
    'party_size', r.party_size, 'status', r.status, 'table_name', r.table_name,
    'allergies', coalesce(a.codes, '[]'))
    order by r.days < 0, case when r.days >= 0 then r.service_order end, r.service_order desc, r.id), '[]')
  from page r
  left join public.customers c on c.id = r.customer_id
    and c.organization_id = any((select cards from mine)::uuid[])
  left join private.allergy_codes(array(select customer_id from page)) as a on a.customer_id = r.customer_id
$$;
comment on function public.find_reservations(jsonb, uuid, integer, timestamptz) is
  'The caller''s reservations that a search finds (private.reservations_found), at most 50: today''s service by time, the days after it, then the past, the latest first. Without contacts.';
grant execute on function public.find_reservations(jsonb, uuid, integer, timestamptz) to authenticated;
-- << supabase/logic/reservations/find.sql

-- >> supabase/logic/reservations/questions.sql
-- What a reservation asks before it is saved: an answer of yes goes along with the request as `confirm`.

create or replace function private.closes(p_closing public.closed_days, p_shift uuid, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select (p_closing.shift is null or exists (
      select from public.shifts s
      where s.id = p_shift and private.fold(s.name) = private.fold(p_closing.shift)))
    and (p_closing.zone is null or private.fold(p_zone) = private.fold(p_closing.zone) or exists (
      select from public.dining_tables d
      where d.location_id = p_closing.location_id and d.name = any(private.table_names(p_table))
        and private.fold(d.zone) = private.fold(p_closing.zone)))
$$;
comment on function private.closes(public.closed_days, uuid, text, text) is
  'Whether a closing of its day concerns a reservation of that shift, in that zone or at those tables.';

create or replace function private.is_closed_at(p_location uuid, p_day date, p_time time, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.closed_days c where c.location_id = p_location and c.day = p_day
      and private.closes(c, private.shift_at(p_location, p_day, p_time), p_zone, p_table))
$$;
comment on function private.is_closed_at(uuid, date, time, text, text) is
  'Whether a closing of a service day of a location concerns a reservation of that local time, in that zone or at those tables.';

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
    where t.is_asked and k.id is distinct from p_old.id and (k.status = 'seated' or not v_is_own)
    order by k.starts_at, k.id limit 1;
    if v_taken_by is not null then
      v_questions := v_questions || 'TABLE_TAKEN'::text;
    end if;
    select count(*) as tables, count(d.capacity) as known, sum(d.capacity) as seats into v_seats
    from public.dining_tables d where d.location_id = p_next.location_id and d.name = any(v_tables);
    if v_seats.known = cardinality(v_tables) and v_seats.seats < p_next.party_size then
      v_questions := v_questions || 'TABLE_TOO_SMALL'::text;
    end if;
  end if;
  -- Who cancelled or did not come may find it closed meanwhile; who sits there is there.
  if v_comes and (v_is_moved or p_old.zone_name is distinct from p_next.zone_name
      or p_old.table_name is distinct from p_next.table_name
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
-- << supabase/logic/reservations/questions.sql

-- >> supabase/logic/service/tables.sql
-- Which tables a party has, for how long, and who is in the way.

create or replace function private.stay_of(p_party_size integer, p_stays jsonb default null) returns interval
language sql immutable set search_path = ''
as $$
  select make_interval(mins => s.minutes::integer)
  from jsonb_each_text(coalesce(p_stays, '{"2": 90, "4": 120, "99": 150}')) as s (up_to, minutes)
  -- Who is more than the largest size stays as long as that one.
  order by s.up_to::integer < p_party_size,
    case when s.up_to::integer < p_party_size then -s.up_to::integer else s.up_to::integer end
  limit 1
$$;
comment on function private.stay_of(integer, jsonb) is
  'How long a party of that size usually stays: by locations.stay_minutes, minutes by the largest party size they are for. components/service/table-model.ts has the same.';

create or replace function private.table_names(p_table text) returns text[]
language sql immutable set search_path = ''
as $$ select array(select btrim(name) from unnest(string_to_array(p_table, '+')) as name
  where btrim(name) <> '') $$;
comment on function private.table_names(text) is 'The tables of a reservation: 4+5 are two joined ones.';

create or replace function private.tables_as_written(p_location uuid, p_table text) returns text
language sql stable set search_path = ''
as $$
  select string_agg(coalesce((
      select d.name from public.dining_tables d
      where d.location_id = p_location and private.fold(d.name) = private.fold(n.name)
      order by d.name <> n.name, d.name limit 1), n.name), '+' order by n.place)
  from unnest(private.table_names(p_table)) with ordinality as n (name, place)
$$;
comment on function private.tables_as_written(uuid, text) is
  'The tables of a reservation as the location writes their names: s4 + S5 is S4+S5. Null without any.';

create or replace function private.parties_at(p_location uuid, p_tables text[], p_from timestamptz,
  p_party_size integer, p_now timestamptz)
returns table (id uuid, name text, status text, starts_at timestamptz, ends_at timestamptz)
language sql stable set search_path = ''
as $$
  select r.id, r.customer_name, r.status, b.starts_at, b.ends_at
  from public.locations l
  join public.reservations r on r.location_id = l.id
  cross join lateral (
    select r.service_order at time zone l.timezone as booked, private.stay_of(r.party_size, l.stay_minutes)
      as stay) as s
  cross join lateral (
    select case r.status when 'seated' then least(coalesce(r.seated_at, s.booked), p_now) else s.booked end,
      case when r.status = 'seated'
        then greatest(coalesce(r.seated_at, s.booked) + s.stay, p_now + interval '15 minutes')
      when p_now - s.booked between interval '0'
        and make_interval(mins => greatest(60, r.late_minutes)) then p_now + s.stay
      else s.booked + s.stay end) as b (starts_at, ends_at)
  where l.id = p_location
    and (r.service_date between (p_from at time zone l.timezone)::date - 1
        and (p_from at time zone l.timezone)::date + 1
      -- Who sits there may have booked for a later day.
      or r.status = 'seated' and not r.service_over
        and r.service_date > (p_from at time zone l.timezone)::date + 1)
    and r.source <> 'import' and r.status in ('pending', 'confirmed', 'seated')
    -- A party that staff did not mark as gone left when the service ended.
    and (r.status <> 'seated' or r.service_date >= private.current_service(l.timezone, p_now))
    and private.table_names(r.table_name) && p_tables
    and tstzrange(b.starts_at, b.ends_at)
      && tstzrange(p_from, p_from + private.stay_of(p_party_size, l.stay_minutes))
$$;
comment on function private.parties_at(uuid, text[], timestamptz, integer, timestamptz) is
  'The parties that come to or sit at one of these tables during a usual stay from p_from, each with its own time there. One that is late is waited for an hour, or as long as it said, one that sits longer than usual is taken to leave in 15 minutes.';

create or replace function private.table_is_free(p_location uuid, p_table text, p_from timestamptz,
  p_party_size integer, p_now timestamptz, p_except uuid default null)
returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
      select from private.parties_at(p_location, private.table_names(p_table), p_from, p_party_size, p_now))
    and not exists (
      select from private.table_offers o
      where o.location_id = p_location and o.outcome is null and o.expires_at > p_now and o.id is distinct
        from p_except
        and private.table_names(o.table_name) && private.table_names(p_table))
    and not exists (
      select from public.locations l
      cross join lateral (select p_from at time zone l.timezone as local) as f
      where l.id = p_location and private.is_closed_at(l.id, private.service_day(f.local::date,
        f.local::time), f.local::time, null, p_table))
$$;
comment on function private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) is
  'Whether no party has one of these tables during a usual stay from p_from, none is offered it (but by the offer p_except), and it is not closed then.';
grant execute on function private.stay_of(integer, jsonb), private.table_names(text),
  private.is_closed_at(uuid, date, time, text, text), private.closes(public.closed_days, uuid, text, text),
  private.parties_at(uuid, text[], timestamptz, integer, timestamptz),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) to service_role;
-- << supabase/logic/service/tables.sql

-- >> supabase/logic/statistics/reports.sql
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
      -- A day on which nobody came is a closed one, and no part of a mean.
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
-- << supabase/logic/statistics/reports.sql

reset check_function_bodies;
