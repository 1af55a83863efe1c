-- Tonight, as the host sees it: the parties of a service day with what to know about each, and what staff tap
-- (arrived, seated, table assigned, changed, no-show, cancelled, finished, set back, walk-in, undo; what they
-- tap of the waitlist stands in waitlist.sql).
-- Telephones lose their connection, so a tap has a key: sent twice, it counts once.

create or replace function private.tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('status', p_reservation.status, 'table_name', p_reservation.table_name,
    'arrived_at', p_reservation.arrived_at, 'seated_at', p_reservation.seated_at,
    'finished_at', p_reservation.finished_at)
$$;
comment on function private.tapped_fields(public.reservations) is
  'The fields of a reservation that the steps of the service change.';

create or replace function private.all_tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select private.tapped_fields(p_reservation) || jsonb_build_object('party_size', p_reservation.party_size,
    'reservation_time', to_char(p_reservation.reservation_time, 'HH24:MI'),
    'late_minutes', p_reservation.late_minutes, 'notes', p_reservation.notes,
    'joined_to', p_reservation.joined_to)
$$;
comment on function private.all_tapped_fields(public.reservations) is
  'tapped_fields, and what the taps change and join may change: party_size, reservation_time, late_minutes, notes and joined_to.';

create or replace function private.refused_tap(p_key uuid, p_reservation uuid, p_saved jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(f.key, f.value)
  from jsonb_each(jsonb_build_object('key', p_key, 'reservation_id', p_reservation,
    'outcome', coalesce(lower(p_saved ->> 'code'),
      case p_saved ->> 'outcome' when 'edited_meanwhile' then 'conflict' else p_saved ->> 'outcome' end), 'code', p_saved -> 'code',
    'questions', p_saved -> 'questions',
    'current', case when p_saved ? 'code' then p_saved -> 'current' end)) as f
  where f.value <> 'null'
$$;
comment on function private.refused_tap(uuid, uuid, jsonb) is
  'The answer to a tap that save_reservation did not save: its outcome, or what it asks first, in lower case, with all questions and the party at the table.';

create or replace function private.tables_in(p_tap jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_tap) as f
  where f.key = any('{tables,table_name}')
$$;
comment on function private.tables_in(jsonb) is
  'The tables that a tap names, as save_reservation takes them: tables, table_name, or both; empty: none.';

create or replace function private.seat_walk_in(p_location uuid, p_tap jsonb, p_at timestamptz,
  p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_place public.locations;
  v_next public.reservations;
  v_saved jsonb;
begin
  select * into v_place from public.locations where id = p_location;
  v_saved := public.save_reservation(jsonb_build_object('location_id', p_location,
    'customer_name', p_tap -> 'customer_name', 'party_size', p_tap -> 'party_size', 'status', 'seated',
    'reservation_date', (p_at at time zone v_place.timezone)::date,
    'reservation_time', to_char(p_at at time zone v_place.timezone, 'HH24:MI'),
    -- Who has come is asked about tables only.
    'confirm', coalesce(p_tap -> 'confirm', '[]') || '["service_over", "closed", "outside_hours"]')
    || private.tables_in(p_tap), null, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, null, v_saved || case when v_saved ? 'questions'
      then jsonb_build_object('questions',
        (v_saved -> 'questions') - '{SERVICE_OVER,CLOSED,OUTSIDE_HOURS}'::text[])
      else '{}' end);
  end if;
  update public.reservations set walk_in = true, arrived_at = p_at, seated_at = p_at
  where id = (v_saved #>> '{reservation,id}')::uuid returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  values (v_key, v_next.organization_id, v_next.id, 'walk_in', '{}', private.tapped_fields(v_next), p_now);
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_next.id);
end
$$;
comment on function private.seat_walk_in(uuid, jsonb, timestamptz, timestamptz) is
  'Books and seats at p_at the party of a tap that came without a booking: as take_tap.';

create or replace function private.fields_after(p_old public.reservations, p_tap jsonb, p_at timestamptz)
  returns jsonb
language sql stable set search_path = ''
as $$
  select case p_tap ->> 'action' when 'change' then '{}' else private.tapped_fields(p_old) end
    || case p_tap ->> 'action'
    when 'arrive' then jsonb_build_object('arrived_at', p_at,
      'status', case when p_old.status in ('pending', 'no_show', 'cancelled') then 'confirmed'
        else p_old.status end)
    when 'seat' then jsonb_build_object('arrived_at', coalesce(p_old.arrived_at, p_at), 'seated_at', p_at,
      'finished_at', null, 'status', 'seated', 'table_name',
      coalesce(p_tap ->> 'table_name', p_old.table_name))
    when 'assign' then jsonb_build_object('table_name', p_tap -> 'table_name')
    when 'change' then jsonb_strip_nulls(jsonb_build_object('party_size', p_tap -> 'party_size',
        'reservation_time', p_tap -> 'time'))
      || case when private.tables_in(p_tap) <> '{}'
        then jsonb_build_object('table_name', p_tap -> 'table_name') else '{}' end
      || case when p_tap ? 'notes' then jsonb_build_object('notes', p_tap -> 'notes') else '{}' end
      -- How late a party comes was said of its former time.
      || case when p_tap ? 'late_minutes' or p_tap ? 'time'
        then jsonb_build_object('late_minutes', p_tap -> 'late_minutes') else '{}' end
    when 'no_show' then '{"status": "no_show", "arrived_at": null, "seated_at": null}'
    when 'cancel' then '{"status": "cancelled", "arrived_at": null, "seated_at": null, "finished_at": null}'
    when 'finish' then jsonb_build_object('status', 'completed', 'finished_at', p_at)
    when 'set_back' then jsonb '{"finished_at": null}' || case p_tap ->> 'to'
      -- Since when the party sits is what it was before.
      when 'seated' then '{"status": "seated"}'
      when 'arrived' then jsonb_build_object('status', 'confirmed', 'seated_at', null,
        'arrived_at', coalesce(p_old.arrived_at, p_at))
      else '{"status": "confirmed", "arrived_at": null, "seated_at": null}' end
    end
$$;
comment on function private.fields_after(public.reservations, jsonb, timestamptz) is
  'What a reservation has of tapped_fields after a tap at p_at: arrive, seat, assign, no_show, cancel, finish, or set_back to expected, arrived or seated; for change only what it changes.';

create or replace function private.tapped_at(p_tap jsonb, p_now timestamptz) returns timestamptz
language sql stable set search_path = ''
as $$
  select greatest(least(coalesce((p_tap ->> 'at')::timestamptz, p_now), p_now), p_now - interval '1 day')
$$;
comment on function private.tapped_at(jsonb, timestamptz) is
  'When something was tapped: a telephone without a connection sends what was tapped earlier, within the day.';

create or replace function private.take_tap(p_location uuid, p_tap jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  v_id uuid := (p_tap ->> 'reservation_id')::uuid;
  v_at timestamptz := private.tapped_at(p_tap, p_now);
  v_old public.reservations;
  v_next public.reservations;
  v_undone private.service_taps;
  v_fields jsonb;
  v_tables constant jsonb := private.tables_in(p_tap);
  v_saved jsonb;
begin
  if exists (select from private.service_taps t where t.key = v_key) then
    return jsonb_build_object('key', v_key, 'outcome', 'repeated');
  end if;
  if v_action = 'walk_in' then
    return private.seat_walk_in(p_location, p_tap, v_at, p_now);
  end if;

  -- A walk-in that was tapped without a connection has no id yet: later taps name its key.
  v_id := coalesce(v_id, (
    select t.reservation_id from private.service_taps t where t.key = (p_tap ->> 'of')::uuid));
  select * into v_old from public.reservations r
  where r.id = v_id and r.location_id = p_location and r.source <> 'import' for update;
  if v_old.id is null then
    return jsonb_build_object('key', v_key, 'outcome', 'not_found');
  end if;
  if v_action = 'undo' then
    select * into v_undone from private.service_taps t
    where t.key = (p_tap ->> 'undoes')::uuid and t.reservation_id = v_old.id;
    if v_undone.key is null then
      return jsonb_build_object('key', v_key, 'outcome', 'not_found');
    elsif not private.all_tapped_fields(v_old) @> v_undone.after then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    -- An undone walk-in never came.
    v_fields := case v_undone.action when 'walk_in'
      then private.tapped_fields(v_old) || '{"status": "cancelled", "seated_at": null, "arrived_at": null}'
      else v_undone.before end;
  else
    -- Another person or the PMS was faster: the state that this person saw is outdated.
    if v_old.status <> coalesce(p_tap ->> 'seen', v_old.status) then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    v_fields := private.fields_after(v_old, p_tap, v_at);
  end if;
  if v_action = 'join' or v_undone.before ? 'joined_to' then
    return private.take_join(v_old, p_tap, v_undone, p_now);
  end if;
  v_saved := public.save_reservation((
    select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(v_fields) as f
    where f.key = any('{status,table_name,party_size,reservation_time,notes}')
      and (f.key <> 'table_name' or v_tables = '{}')) || v_tables
    || case when v_action = 'change' and p_tap ? 'was'
      then jsonb_build_object('loaded', jsonb_build_object('notes', p_tap -> 'was')) else '{}' end
    || jsonb_build_object('by_tap', true, 'confirm', p_tap -> 'confirm'), v_old.id, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, v_old.id, v_saved);
  end if;
  update public.reservations r set (arrived_at, seated_at, finished_at, late_minutes) = (
    select n.arrived_at, n.seated_at, n.finished_at, n.late_minutes
    from jsonb_populate_record(r, v_fields) as n)
  where r.id = v_old.id returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  select v_key, v_old.organization_id, v_old.id, v_action,
    jsonb_object_agg(f.key, f.value), jsonb_object_agg(f.key, private.all_tapped_fields(v_next) -> f.key),
    p_now
  from jsonb_each(private.all_tapped_fields(v_old)) as f where v_fields ? f.key;
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_old.id);
end
$$;
comment on function private.take_tap(uuid, jsonb, timestamptz) is
  'Applies one tap, once, under lock_identities: saved, repeated, conflict (the reservation has changed since the person saw it; nothing changes), not_found, or refused_tap. Its confirm answers the questions of save_reservation.';

create or replace function public.take_taps(p_location uuid, p_taps jsonb, p_now timestamptz default now())
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_tap jsonb;
  v_answers jsonb := '[]';
begin
  p_now := private.clock(p_now);
  if p_location is null or p_location <> all(array(select private.my_locations('canAccessOperaciones'))) then
    return null;
  end if;
  -- First this lock: a telephone that gave up waiting sends its taps again while they are being taken. And
  -- before the reservation, as save_reservation and the sync do: the other way round a tap and a sync would
  -- wait for each other, and one of them would fail.
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  -- In the order in which they were tapped: one may build on another. A queue is short.
  for v_tap in select value from jsonb_array_elements(p_taps) limit 50 loop
    v_answers := v_answers || case when v_tap ->> 'action' like 'wait\_%'
      then private.take_waiting_tap(p_location, v_tap, p_now)
      else private.take_tap(p_location, v_tap, p_now) end;
  end loop;
  return v_answers;
end
$$;
comment on function public.take_taps(uuid, jsonb, timestamptz) is
  'Taps of the service of a location, at most 50, in order: one answer each {key, outcome, reservation_id}. Null without the right. See private.take_tap and private.take_waiting_tap.';

create or replace function public.service_list(p_location uuid, p_day date default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with place as materialized (
    select l.*, coalesce(p_day, private.current_service(l.timezone, (select private.clock(p_now)))) as day,
      private.vip_rank(l.organization_id) as vip_rank
    from public.locations l
    where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
  ), bound as materialized (
    select private.bound_to() as locations
  ), birthdays as materialized (
    select n as days, unnest(private.birth_days(p.day + n, 0)) as birth_day
    from place p cross join generate_series(-3, 3) as n
  ), usual as materialized (
    select u.customer_id, u.table_name
    from place p
    cross join lateral private.usual_tables(array(
      select distinct r.customer_id from public.reservations r
      where r.location_id = p.id and r.service_date = p.day and r.customer_id is not null
        and r.status in ('pending', 'confirmed') and not r.service_over and r.source <> 'import'),
      array[p.id], (select private.clock(p_now))) as u
  ), parties as (
    select r.service_order, r.id,
      jsonb_build_object('id', r.id, 'time', to_char(r.reservation_time, 'HH24:MI'),
      'shift_id', private.shift_at(r.location_id, r.service_date, r.reservation_time),
      'name', coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')),
      'phone', coalesce(r.customer_phone, c.phone), 'party_size', r.party_size, 'status', r.status,
      'table_name', r.table_name, 'tables', private.table_names(r.table_name), 'joined_to', r.joined_to,
      'zone_name', r.zone_name,
      'arrived_at', r.arrived_at, 'seated_at', r.seated_at, 'finished_at', r.finished_at,
      'late_minutes', r.late_minutes, 'walk_in', r.walk_in, 'from_pms', r.source = 'pms',
      'notes', nullif(btrim(r.notes), ''), 'customer_id', c.id, 'customer_notes', nullif(btrim(c.notes), ''),
      'tags', coalesce(to_jsonb(c.tags), '[]'), 'tier', t.name,
      'vip', coalesce(t.rank >= p.vip_rank, false),
      'birthday_in', b.days, 'first_visit', coalesce(c.total_visits = 0, false),
      'facts', coalesce((
        select jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note)
          order by f.kind, f.code)
        from public.customer_facts f where f.customer_id = c.id), '[]'),
      'allergies', coalesce(a.codes, '[]'), 'usual_table', u.table_name,
      'no_shows', coalesce((
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.status = 'no_show' and o.source <> 'import' and o.id <> r.id
          and (w.locations is null or o.location_id = any(w.locations))), 0)) as party
    from place p cross join bound w
    join public.reservations r on r.location_id = p.id and r.service_date = p.day and r.source <> 'import'
    left join public.customers c on c.id = r.customer_id
      and c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    left join birthdays b on b.birth_day = c.birth_day and c.birth_date > private.born_after(p.day)
    left join usual u on u.customer_id = c.id and r.status in ('pending', 'confirmed') and not r.service_over
    -- Also for callers without the right to cards: allergies stand wherever the booking does.
    left join private.allergy_codes(array(select o.customer_id from place q join public.reservations o
      on o.location_id = q.id and o.service_date = q.day)) as a on a.customer_id = r.customer_id
  )
  select jsonb_build_object('location',
    jsonb_build_object('id', p.id, 'name', p.name, 'timezone', p.timezone, 'stay_minutes', p.stay_minutes),
    'day', p.day, 'at', (select private.clock(p_now)), 'closed', (
      select jsonb_build_object('name', d.name) from public.closed_days d where d.location_id = p.id
        and d.day = p.day and num_nonnulls(d.shift, d.zone) = 0),
    'closings', coalesce((
      select jsonb_agg(private.closing_json(d) order by d.shift nulls first, d.zone nulls first, d.id)
      from public.closed_days d where d.location_id = p.id and d.day = p.day), '[]'),
    'shifts', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'opens', to_char(s.opens, 'HH24:MI'),
        'closes', to_char(s.closes, 'HH24:MI'), 'capacity', s.capacity) order by s.opens_at)
      from public.shifts s
      where s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)), '[]'),
    'tables', coalesce((
      select jsonb_agg(jsonb_build_object('name', d.name, 'zone', d.zone, 'capacity', d.capacity,
        'plan_x', d.plan_x, 'plan_y', d.plan_y, 'shape', d.shape, 'turned', d.turned, 'joinable', d.joinable)
        -- As people count: 2 before 10.
        order by d.zone nulls last, substring(d.name from '^\D*'),
          substring(d.name from '\d+')::numeric nulls first, d.name)
      from public.dining_tables d where d.location_id = p.id and d.is_active), '[]'),
    'waiting', public.list_waiting(p.id),
    'parties', coalesce((select jsonb_agg(x.party order by x.service_order, x.id) from parties x), '[]'))
  from place p
$$;
comment on function public.service_list(uuid, date, timestamptz) is
  'A service day of a location, by default the current one: its closings, shifts, tables, waitlist, and parties by time with facts and notes of each, and the usual table of who is expected. Null without the right.';

create or replace function public.services(p_day date, p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(public.service_list(l.id, p_day, (select private.clock(p_now)))
    order by l.name, l.id), '[]')
  from public.locations l
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and case when p_location is null then l.is_active else l.id = p_location end
$$;
comment on function public.services(date, uuid, timestamptz) is
  'A day''s services of the caller''s active locations, or of one: see service_list.';

-- Figures without names, as in service_summary: everyone's, each in their locations.
create or replace function public.shift_occupancy(p_location uuid default null, p_date date default null,
  p_now timestamptz default now())
returns table (location_id uuid, shift_id uuid, name text, capacity integer, covers bigint)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id, d.day from public.locations l
    cross join lateral (
      select coalesce(p_date, private.current_service(l.timezone, (select private.clock(p_now)))) as day) as d
    where l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
      and exists (select from public.shifts s where s.location_id = l.id and s.capacity is not null)
      and not exists (select from public.closed_days c where c.location_id = l.id and c.day = d.day
        and num_nonnulls(c.shift, c.zone) = 0)
  ), taken as materialized (
    -- A shift is looked up for each time, not for each reservation.
    select private.shift_at(t.id, t.day, t.reservation_time) as shift_id, sum(t.covers)::bigint as covers
    from (
      select p.id, p.day, r.reservation_time, sum(r.party_size) as covers
      from places p join public.reservations r on r.location_id = p.id and r.service_date = p.day
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
      group by p.id, p.day, r.reservation_time) as t
    group by 1
  )
  select s.location_id, s.id, s.name, s.capacity, coalesce(t.covers, 0)
  from places p
  join public.shifts s on s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)
  left join taken t on t.shift_id = s.id
  where s.capacity is not null
  order by s.location_id, s.opens_at
$$;
comment on function public.shift_occupancy(uuid, date, timestamptz) is
  'The covers and capacity of a date''s shifts, else of the current service''s; without shifts of unknown capacity and closed days.';
grant execute on function public.take_taps(uuid, jsonb, timestamptz),
  public.service_list(uuid, date, timestamptz), public.services(date, uuid, timestamptz),
  public.shift_occupancy(uuid, date, timestamptz) to authenticated;
