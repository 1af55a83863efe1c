-- Closings of a location: a day, a shift or a zone of it, with the reason. Who serves there closes it at
-- short notice; the hours of a location have the days that are closed as a whole.

create or replace function private.closing_json(p_closing public.closed_days) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('id', p_closing.id, 'day', p_closing.day, 'shift', p_closing.shift,
    'zone', p_closing.zone, 'reason', p_closing.name)
$$;
comment on function private.closing_json(public.closed_days) is 'A closing as the API and the audit log show it.';

create or replace function public.list_closings(p_location uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce((
      select jsonb_agg(private.closing_json(c) order by c.day, c.shift nulls first, c.zone nulls first, c.id)
      from public.closed_days c where c.location_id = l.id), '[]')
  from public.locations l where l.id = p_location and l.id = any(array(select private.my_locations()))
$$;
comment on function public.list_closings(uuid) is
  'The closings of a location by day [{id, day, shift, zone, reason}]. Null for who does not work there.';

create or replace function public.add_closing(p_location uuid, p_closing jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v public.closed_days;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canReadReports'))) for no key update;
  if v_location.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  -- As the location writes them.
  v.shift := (select s.name from public.shifts s where s.location_id = p_location
    and extract(isodow from (p_closing ->> 'day')::date)::smallint = any(s.weekdays)
    and private.fold(s.name) = private.fold(p_closing ->> 'shift') limit 1);
  v.zone := (select d.zone from public.dining_tables d where d.location_id = p_location
    and private.fold(d.zone) = private.fold(p_closing ->> 'zone') order by d.zone limit 1);
  if v.shift is null and p_closing ->> 'shift' is not null then
    return jsonb_build_object('outcome', 'unknown_shift');
  elsif v.zone is null and p_closing ->> 'zone' is not null then
    return jsonb_build_object('outcome', 'unknown_zone');
  elsif (select count(*) from public.closed_days c where c.location_id = p_location) >= 2000 then
    return jsonb_build_object('outcome', 'full');
  end if;
  insert into public.closed_days (organization_id, location_id, day, name, shift, zone)
  values (v_location.organization_id, p_location, (p_closing ->> 'day')::date, p_closing ->> 'reason',
    v.shift, v.zone)
  on conflict (location_id, day, shift, zone) do nothing
  returning * into v;
  if v.id is null then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  perform private.audit_setup(v_location, 'location.closed', '{}', private.closing_json(v) - 'id');
  return jsonb_build_object('outcome', 'saved', 'closing', private.closing_json(v), 'reservations', coalesce((
    select jsonb_agg(private.reservation_json(r) order by r.service_order, r.id)
    from public.reservations r
    where r.location_id = p_location and r.service_date = v.day and r.source <> 'import'
      and r.status in ('pending', 'confirmed', 'seated')
      and private.closes(v, private.shift_at(p_location, v.day, r.reservation_time), r.zone_name,
        r.table_name)), '[]'));
end
$$;
comment on function public.add_closing(uuid, jsonb) is
  'Closes a day of a location, or a shift or zone of it {day, shift, zone, reason}: saved (with closing, and the reservations it concerns in order of time), not_found, repeated, full (2,000), unknown_shift or unknown_zone.';

create or replace function public.remove_closing(p_location uuid, p_closing uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v public.closed_days;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canReadReports'))) for no key update;
  delete from public.closed_days where id = p_closing and location_id = v_location.id returning * into v;
  if v.id is null then
    return 'not_found';
  end if;
  perform private.audit_setup(v_location, 'location.reopened', private.closing_json(v) - 'id', '{}');
  return 'deleted';
end
$$;
comment on function public.remove_closing(uuid, uuid) is 'Opens again what a closing closed: deleted or not_found.';
grant execute on function public.list_closings(uuid), public.add_closing(uuid, jsonb),
  public.remove_closing(uuid, uuid) to authenticated;
