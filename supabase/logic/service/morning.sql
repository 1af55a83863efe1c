-- The morning report for operations managers: yesterday compared with the same weekday of the weeks
-- before, how full the coming days are, today's guests of note, and the shift notes of the evening.

create or replace function private.shift_note_json(p_note public.shift_notes) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('id', p_note.id, 'location_id', p_note.location_id, 'day', p_note.day, 'body',
    p_note.body,
    'author', p_note.author_name, 'mine', coalesce(p_note.author_id = (select private.caller()), false),
    'created_at', p_note.created_at, 'edited_at', p_note.edited_at)
$$;
comment on function private.shift_note_json(public.shift_notes) is 'A shift note, as the API shows it.';

create or replace function private.log_shift_note(p_note public.shift_notes, p_action text) returns void
language sql volatile set search_path = ''
as $$
  -- Without the text: it may name customers.
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    location_id, details)
  select p_note.organization_id, private.actor_name(), (select id from private.acting()), p_action,
    'shift_note', p_note.id,
    l.name, l.id, jsonb_build_object('after', jsonb_build_object('day', p_note.day))
  from public.locations l where l.id = p_note.location_id
$$;
comment on function private.log_shift_note(public.shift_notes, text) is 'Logs the caller''s action on a shift note.';

create or replace function public.add_shift_note(p_location uuid, p_body text, p_day date default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v_today date;
  v_day date;
  v_note public.shift_notes;
begin
  p_now := private.clock(p_now);
  select * into v_location from public.locations l
  where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')));
  if v_location.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  v_today := private.current_service(v_location.timezone, p_now);
  v_day := coalesce(p_day, v_today);
  if v_day not between v_today - 7 and v_today then
    return jsonb_build_object('outcome', 'bad_day');
  elsif (select count(*) from public.shift_notes n where n.location_id = p_location and n.day = v_day) >= 10
    then
    return jsonb_build_object('outcome', 'full');
  end if;
  insert into public.shift_notes (organization_id, location_id, day, body, author_id, author_name, created_at)
  values (v_location.organization_id, p_location, v_day, btrim(p_body), private.caller(),
    private.caller_name(), p_now)
  returning * into v_note;
  perform private.log_shift_note(v_note, 'shift_note.written');
  return jsonb_build_object('outcome', 'saved', 'note', private.shift_note_json(v_note));
end
$$;
comment on function public.add_shift_note(uuid, text, date, timestamptz) is
  'The caller''s note about a service day of a location, by default the current one: saved (with the note), not_found, bad_day (in the future, or over a week ago) or full (ten that day).';

create or replace function public.change_shift_note(p_id uuid, p_body text default null,
  p_now timestamptz default now())
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_note public.shift_notes;
begin
  p_now := private.clock(p_now);
  select * into v_note from public.shift_notes n
  where n.id = p_id
    and n.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_note.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_note.author_id is distinct from private.caller() then
    return jsonb_build_object('outcome', 'not_author');
  elsif p_body is null then
    delete from public.shift_notes where id = p_id;
    perform private.log_shift_note(v_note, 'shift_note.removed');
    return jsonb_build_object('outcome', 'saved');
  end if;
  if v_note.body <> btrim(p_body) then
    update public.shift_notes set body = btrim(p_body), edited_at = p_now where id = p_id
      returning * into v_note;
    perform private.log_shift_note(v_note, 'shift_note.changed');
  end if;
  return jsonb_build_object('outcome', 'saved', 'note', private.shift_note_json(v_note));
end
$$;
comment on function public.change_shift_note(uuid, text, timestamptz) is
  'Changes a shift note of the caller''s, without a text removes it: saved (with the note that stays), not_found or not_author.';

create or replace function public.list_shift_notes(p_location uuid, p_day date default null,
  p_now timestamptz default now())
returns jsonb
language sql stable security definer set search_path = ''
as $$
  select (
    select coalesce(jsonb_agg(private.shift_note_json(n) order by n.created_at, n.id), '[]')
    from public.shift_notes n
    where n.location_id = l.id
      and n.day = coalesce(p_day, private.current_service(l.timezone, (select private.clock(p_now)))))
  from public.locations l
  where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
$$;
comment on function public.list_shift_notes(uuid, date, timestamptz) is
  'The shift notes of a location''s service day, by default the current one, in order of writing; null without the right.';

create or replace function private.morning_of(p_locations uuid[], p_organizations uuid[], p_date date,
  p_people integer, p_now timestamptz, p_bound uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  with places as materialized (
    select l.* from public.locations l where l.id = any(p_locations)
  ), kept as materialized (
    select f.*, coalesce(f.unknown_covers * p.average_spend_per_guest, 0) as estimated
    from private.figures_of(p_locations, p_date - 29, p_date + 7) as f join places p on p.id = f.location_id
  ), figures as (
    select p.id as location_id, c.day, d.location_id is not null as closed, coalesce(k.booked, 0) as booked,
      coalesce(k.reservations, 0) as reservations, coalesce(k.covers, 0) as covers,
      coalesce(k.no_shows, 0) as no_shows, coalesce(k.cancelled, 0) as cancelled,
      coalesce(k.walk_ins, 0) as walk_ins, coalesce(k.known_revenue + k.estimated, 0) as revenue,
      coalesce(k.estimated, 0) as estimated_revenue
    from places p
    cross join lateral (select p_date - 1 - 7 * n as day from generate_series(0, 4) as n) as c
    left join public.closed_days d on d.location_id = p.id and d.day = c.day
      and num_nonnulls(d.shift, d.zone) = 0
    left join kept k on k.location_id = p.id and k.service_date = c.day
  ), seats as (
    -- A table without a capacity makes the sum unknown.
    select t.location_id, case when count(*) = count(t.capacity) then sum(t.capacity) end as seats
    from public.dining_tables t where t.location_id = any(p_locations) and t.is_active group by t.location_id
  ), ahead as (
    select p.id as location_id, c.day, d.location_id is not null as closed, coalesce(k.booked, 0) as booked,
      coalesce(k.reservations, 0) as reservations, coalesce(k.covers, 0) as covers,
      s.capacity, exists (select from public.shifts h where h.location_id = p.id) as has_hours, s.shifts
    from places p
    cross join lateral (select p_date + n as day from generate_series(0, 7) as n) as c
    left join public.closed_days d on d.location_id = p.id and d.day = c.day
      and num_nonnulls(d.shift, d.zone) = 0
    left join kept k on k.location_id = p.id and k.service_date = c.day
    cross join lateral (
      select count(*) as shifts, case when count(*) = count(coalesce(h.capacity, z.seats))
        then sum(coalesce(h.capacity, z.seats)) end as capacity
      from public.shifts h left join seats z on z.location_id = h.location_id
      where h.location_id = p.id and extract(isodow from c.day)::smallint = any(h.weekdays)
    ) as s
  )
  select jsonb_build_object('date', p_date,
    'locations', (select coalesce(
      jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'timezone', p.timezone,
        'is_active', p.is_active, 'pms_id', p.pms_id, 'known_from', p.known_from, 'known_until',
        p.known_until)
        order by p.name, p.id), '[]') from places p),
    'figures', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.location_id, f.day), '[]') from figures f),
    'ahead', (
      select coalesce(jsonb_agg(to_jsonb(a) order by a.location_id, a.day), '[]') from ahead a),
    'closings', (select coalesce(jsonb_agg(private.closing_json(d)
        || jsonb_build_object('location_id', p.id, 'location', p.name)
        order by d.day, p.name, p.id, d.shift nulls first, d.zone nulls first, d.id), '[]')
      from places p join public.closed_days d on d.location_id = p.id
        and d.day between p_date and p_date + 7),
    'notes', (select coalesce(jsonb_agg(private.shift_note_json(n) || jsonb_build_object('location', p.name)
        order by p.name, n.day, n.created_at, n.id), '[]')
      from places p join public.shift_notes n on n.location_id = p.id and n.day in (p_date - 1, p_date)),
    'guests', (select coalesce(jsonb_agg(to_jsonb(k)
      order by k.reservation_time < '06:00', k.reservation_time, k.reservation_id), '[]')
      from private.guests_to_know(p_locations, p_organizations, p_date, p_people, p_now, p_bound) as k))
$$;
comment on function private.morning_of(uuid[], uuid[], date, integer, timestamptz, uuid[]) is
  'The morning report of a date for some locations: figures of the day before and of the same weekday of four weeks, the eight days from it with booked covers and capacity, what is closed on them, shift notes, and at most p_people guests of note (of these organizations; p_bound: see guests_to_know).';

create or replace function public.morning(p_date date default null, p_location uuid default null,
  p_people integer default 8, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_locations uuid[] := array(
    select l.id from public.locations l
    where l.id = any(array(select private.my_locations('canReadReports')))
      and case when p_location is null then l.is_active else l.id = p_location end);
begin
  p_now := private.clock(p_now);
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return private.morning_of(v_locations, array(select private.my_organizations('canAccessClientes')),
    coalesce(p_date, (
      select max(private.current_service(l.timezone, p_now)) from public.locations l
      where l.id = any(v_locations)), p_now::date), p_people, p_now, private.bound_to());
end
$$;
comment on function public.morning(date, uuid, integer, timestamptz) is
  'private.morning_of for the caller: in one location they work in (null for another), or in all that are active; by default of the current service day.';
grant execute on function public.add_shift_note(uuid, text, date, timestamptz),
  public.change_shift_note(uuid, text, timestamptz), public.list_shift_notes(uuid, date, timestamptz),
  public.morning(date, uuid, integer, timestamptz) to authenticated;
