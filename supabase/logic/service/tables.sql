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
language sql immutable parallel safe set search_path = ''
as $$ select array(select btrim(name)
  from unnest(string_to_array(p_table, '+')) with ordinality as t (name, place)
  where btrim(name) <> '' group by btrim(name) order by min(place)) $$;
comment on function private.table_names(text) is
  'The tables of a reservation by its table_name, each once: 4+5 are two joined ones. lib/reservations/table-names.ts has the same.';

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

create or replace function private.tables_as_spelled(p_old public.reservations, p_location uuid,
  p_table text) returns text
language sql stable set search_path = ''
as $$
  select coalesce((
    select s.spelling from unnest(array[p_old.table_name, p_old.staff_marks ->> 'table_name']) with ordinality
      as s (spelling, place)
    where p_old.location_id = p_location and private.tables_as_written(p_location, s.spelling) = w.tables
    order by s.place limit 1), w.tables)
  from private.tables_as_written(p_location, p_table) as w (tables)
$$;
comment on function private.tables_as_spelled(public.reservations, uuid, text) is
  'The tables that a reservation gets, as it or the PMS spells the same ones (then nothing changes, and no mark is left), else as tables_as_written.';

create or replace function private.tables_chosen(p_old public.reservations, p_location uuid,
  p_fields jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  with chosen as (
    select count(*) as asked, count(distinct t.name) as found,
      string_agg(t.name, '+' order by n.place) as joined
    from jsonb_path_query(p_fields, 'strict $.tables[*]') with ordinality as n (name, place)
    cross join lateral (select private.tables_as_written(p_location, n.name #>> '{}') as name) as w
    left join public.dining_tables t on t.location_id = p_location and t.name = w.name
      and (t.is_active or t.name = any(private.table_names(p_old.table_name)))
  )
  select case when c.found = c.asked and cardinality(private.table_names(c.joined)) = c.asked
      and (not p_fields ? 'table_name' or private.table_names(c.joined) @> names
        and names @> private.table_names(c.joined))
    then jsonb_build_object('table_name', c.joined) end
  from chosen c
  cross join private.tables_as_written(p_location, p_fields ->> 'table_name') as written
  cross join private.table_names(written) as names
$$;
comment on function private.tables_chosen(public.reservations, uuid, jsonb) is
  'The table_name of a reservation that gets the tables of p_fields {tables, table_name?}. Null unless all are tables of the location, none twice, and table_name (if given) has the same ones.';

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

-- By the index of a guest's bookings: twenty visits of each of 150 guests are three thousand rows.
create or replace function private.usual_tables(p_customers uuid[], p_locations uuid[], p_now timestamptz,
  p_party public.reservations default null)
returns table (customer_id uuid, location_id uuid, table_name text, visits bigint, latest timestamp)
language sql stable set search_path = ''
as $$
  select distinct on (t.customer_id, t.location_id) t.customer_id, t.location_id, t.name, t.visits, t.latest
  from (
    select r.customer_id, r.location_id, btrim(r.table_name) as name, count(*) as visits,
      max(r.service_order) as latest,
      sum(count(*)) over (partition by r.customer_id, r.location_id) as all_visits
    from public.reservations r
    where r.customer_id = any(p_customers) and r.visited and btrim(r.table_name) <> ''
      and r.service_order >= (p_now at time zone 'UTC') - interval '2 years'
      and (p_locations is null or r.location_id = any(p_locations))
      and (p_party.id is null or r.id <> p_party.id and r.service_order <= p_party.service_order)
    group by r.customer_id, r.location_id, btrim(r.table_name)
  ) as t
  where t.visits >= 2 and 4 * t.visits >= t.all_visits
  order by t.customer_id, t.location_id, t.visits desc, t.latest desc, t.name
$$;
comment on function private.usual_tables(uuid[], uuid[], timestamptz, public.reservations) is
  'The usual table of guests at each location (p_locations null: at all): where they sat most in the visits of two years, at least twice and in a quarter of those with a table, of several the latest. With how many visits, and the last of them. With p_party only of the visits before it.';
grant execute on function private.usual_tables(uuid[], uuid[], timestamptz, public.reservations)
  to authenticated, service_role;
grant execute on function private.stay_of(integer, jsonb), private.table_names(text),
  private.is_closed_at(uuid, date, time, text, text), private.closes(public.closed_days, uuid, text, text),
  private.parties_at(uuid, text[], timestamptz, integer, timestamptz),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) to service_role;
