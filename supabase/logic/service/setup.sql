-- Settings of a location's service, written by staff; the sync adds the tables that the PMS names
-- (sync_learn_tables).

create or replace function private.audit_setup(p_location public.locations, p_action text, p_before jsonb,
  p_after jsonb)
returns void
language sql volatile set search_path = ''
as $$
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    location_id, details)
  select p_location.organization_id, private.actor_name(), (select id from private.acting()), p_action,
    'location',
    p_location.id, p_location.name, p_location.id, jsonb_build_object('before', p_before, 'after', p_after)
  where p_before is distinct from p_after
$$;
comment on function private.audit_setup(public.locations, text, jsonb, jsonb) is
  'Logs that the caller changed the hours or tables of a location; without a difference there is no line.';

create or replace function private.hours_json(p_location uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('shifts', coalesce((
      select jsonb_agg(jsonb_build_object('name', s.name, 'weekdays', s.weekdays, 'opens',
        to_char(s.opens, 'HH24:MI'),
        'closes', to_char(s.closes, 'HH24:MI'), 'capacity', s.capacity) order by s.opens_at, s.name)
      from public.shifts s where s.location_id = p_location), '[]'),
    'closed_days', coalesce((
      select jsonb_agg(jsonb_build_object('day', d.day, 'name', d.name) order by d.day)
      from public.closed_days d
      where d.location_id = p_location and num_nonnulls(d.shift, d.zone) = 0), '[]'))
$$;
comment on function private.hours_json(uuid) is 'The shifts and closed days of a location, as the API and the audit log show them.';

create or replace function private.tables_json(p_location uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('zone', t.zone, 'name', t.name, 'capacity', t.capacity,
    'is_active', t.is_active, 'plan_column', t.plan_x + 1, 'plan_row', t.plan_y + 1, 'shape', t.shape,
    'turned', t.turned, 'joinable', t.joinable)
    -- As people count: 2 before 10.
    order by t.zone nulls last, substring(t.name from '^\D*'),
      substring(t.name from '\d+')::numeric nulls first, t.name), '[]')
  from public.dining_tables t where t.location_id = p_location
$$;
comment on function private.tables_json(uuid) is
  'The tables of a location, as the audit log shows them: columns and rows of the plan count from 1.';

create or replace function private.changed_tables(p_tables jsonb, p_others jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('tables', coalesce(jsonb_agg(d.fields order by t.place), '[]'))
  from jsonb_array_elements(p_tables) with ordinality as t (value, place)
  left join jsonb_array_elements(p_others) as o (value) on o.value ->> 'name' = t.value ->> 'name'
  cross join lateral (
    select jsonb_object_agg(f.key, f.value) as fields from jsonb_each(t.value) as f
    where f.key = 'name' or f.value is distinct from o.value -> f.key) as d
  where t.value is distinct from o.value
$$;
comment on function private.changed_tables(jsonb, jsonb) is
  'Of tables_json the tables that differ from those of another one, each with its name and what differs; all of a table that the other one does not have.';

create or replace function public.save_hours(p_location uuid, p_shifts jsonb, p_closed_days jsonb,
  p_loaded date[] default null) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v_before jsonb;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for no key update;
  if v_location.id is null then
    return 'not_found';
  end if;
  v_before := private.hours_json(p_location);
  delete from public.shifts where location_id = p_location;
  insert into public.shifts (organization_id, location_id, name, weekdays, opens, closes, capacity)
  select v_location.organization_id, p_location, s.name, s.weekdays, s.opens, s.closes, s.capacity
  from jsonb_to_recordset(p_shifts) as s (name text, weekdays smallint[], opens time, closes time,
    capacity integer);
  if exists (
    select from public.shifts a join public.shifts b on b.location_id = a.location_id and a.id < b.id
    where a.location_id = p_location and a.weekdays && b.weekdays
      and a.opens_at < b.closes_at and b.opens_at < a.closes_at) then
    raise exception 'shifts overlap' using errcode = 'SH001';
  end if;
  -- A closing of one shift or zone is none of the hours; one that stays keeps its id.
  delete from public.closed_days c
  where c.location_id = p_location and num_nonnulls(c.shift, c.zone) = 0
    and (p_loaded is null or c.day = any(p_loaded))
    and not exists (
      select from jsonb_to_recordset(p_closed_days) as d (day date) where d.day = c.day);
  insert into public.closed_days (organization_id, location_id, day, name)
  select v_location.organization_id, p_location, d.day, d.name
  from jsonb_to_recordset(p_closed_days) as d (day date, name text)
  where p_loaded is null or d.day <> all(p_loaded) or exists (
    select from public.closed_days c
    where c.location_id = p_location and c.day = d.day and num_nonnulls(c.shift, c.zone) = 0)
  on conflict (location_id, day, shift, zone) do update set name = excluded.name;
  perform private.audit_setup(v_location, 'location.hours_changed', v_before, private.hours_json(p_location));
  return 'saved';
exception
  when sqlstate 'SH001' then return 'overlap';
  when unique_violation or cardinality_violation then return 'repeated';
end
$$;
comment on function public.save_hours(uuid, jsonb, jsonb, date[]) is
  'Replaces the shifts [{name, weekdays, opens, closes, capacity}] and closed days [{day, name}] of a location; with p_loaded (the days that the caller had read) a day closed or opened since stays so: saved, not_found, overlap or repeated (a name or a day twice).';

create or replace function public.save_tables(p_location uuid, p_tables jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v_was public.dining_tables[];
  v_before jsonb;
  v_after jsonb;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for no key update;
  if v_location.id is null then
    return 'not_found';
  end if;
  v_before := private.tables_json(p_location);
  v_was := array(select t from public.dining_tables t where t.location_id = p_location);
  delete from public.dining_tables where location_id = p_location;
  insert into public.dining_tables (organization_id, location_id, zone, name, capacity, is_active,
    plan_x, plan_y, shape, turned, joinable)
  select v_location.organization_id, p_location, t.zone, t.name, t.capacity, coalesce(t.is_active, true),
    t.plan_x, t.plan_y, coalesce(t.shape, 'square'), coalesce(t.turned, false), coalesce(t.joinable, true)
  from jsonb_array_elements(p_tables) as given (fields)
  left join unnest(v_was) as was on was.name = given.fields ->> 'name'
  -- A client that does not know the plan sends none of it, and changes none.
  cross join lateral jsonb_populate_record(was, given.fields) as t;
  v_after := private.tables_json(p_location);
  perform private.audit_setup(v_location, 'location.tables_changed',
    private.changed_tables(v_before, v_after), private.changed_tables(v_after, v_before));
  return 'saved';
exception
  when unique_violation then return 'repeated';
end
$$;
comment on function public.save_tables(uuid, jsonb) is
  'Replaces the tables [{zone, name, capacity, is_active, plan_x, plan_y, shape, turned, joinable}] of a location; what is not given of a table stays as it was by that name: saved, not_found or repeated (a name twice).';

create or replace function private.shift_at(p_location uuid, p_day date, p_time time) returns uuid
language sql stable set search_path = ''
as $$
  select s.id from public.shifts s
  cross join lateral (
    select (extract(hour from p_time)::integer + 18) % 24 * 60 + extract(minute from p_time)::integer as at)
      as clock
  where s.location_id = p_location and extract(isodow from p_day)::smallint = any(s.weekdays)
  -- An early party belongs to the shift that opens within the hour.
  order by s.opens_at - 60 <= clock.at desc,
    case when s.opens_at - 60 <= clock.at then -s.opens_at else s.opens_at end
  limit 1
$$;
comment on function private.shift_at(uuid, date, time) is
  'The shift of a service day that a local time belongs to: the last that has opened, or opens within the hour; else the first. Null without shifts that day.';
grant execute on function public.save_hours(uuid, jsonb, jsonb, date[]), public.save_tables(uuid, jsonb)
  to authenticated;
grant execute on function private.shift_at(uuid, date, time) to service_role;
