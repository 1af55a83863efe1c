-- Creating and changing reservations by hand, in the caller's own locations.

create or replace function private.reservation_json(p_reservation public.reservations) returns jsonb
language sql stable set search_path = ''
as $$
  select to_jsonb(p_reservation) - array['organization_id', 'customer_email', 'customer_phone', 'created_at',
      'updated_at', 'service_date', 'service_order', 'service_over', 'counts_unmarked', 'staff_marks',
      'search_name', 'erased_at', 'walk_in', 'arrived_at', 'seated_at', 'finished_at', 'late_minutes', 'guest_answer',
      'guest_answered_at', 'email_unread', 'joined_to']
    || jsonb_build_object('tables', private.table_names((p_reservation).table_name), 'allergies', coalesce((
      select a.codes from private.allergy_codes(array[(p_reservation).customer_id]) as a), '[]'))
$$;
comment on function private.reservation_json(public.reservations) is 'A reservation as the API gives it.';

create or replace function private.marks_of(p_old public.reservations, p_next public.reservations)
  returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(mark.field, mark.pms), '{}')
  from (
    select field, case when p_old.staff_marks ? field then p_old.staff_marks -> field
      else to_jsonb(p_old) -> field end as pms
    from unnest(array['status', 'table_name', 'notes', 'party_size', 'reservation_date', 'reservation_time'])
      as field
  ) as mark
  where p_old.source = 'pms' and mark.pms <> to_jsonb(p_next) -> mark.field
$$;
comment on function private.marks_of(public.reservations, public.reservations) is
  'The marks of staff on a PMS reservation: each field that differs from the PMS''s value, with that value.';

create or replace function private.write_reservation(p_next public.reservations, p_counts_unmarked boolean)
  returns public.reservations
language plpgsql volatile set search_path = ''
as $$
declare
  v_saved public.reservations;
begin
  if p_next.id is null then
    insert into public.reservations (organization_id, location_id, customer_id, customer_name, customer_email,
      customer_phone, reservation_date, reservation_time, party_size, status, notes, total_amount, source,
      zone_name, table_name, service_over, counts_unmarked)
    values (p_next.organization_id, p_next.location_id, p_next.customer_id, p_next.customer_name,
      p_next.customer_email, p_next.customer_phone, p_next.reservation_date, p_next.reservation_time,
      p_next.party_size, p_next.status, p_next.notes, p_next.total_amount, 'manual', p_next.zone_name,
      p_next.table_name, p_next.service_over, p_counts_unmarked)
    returning * into v_saved;
  else
    update public.reservations r set location_id = p_next.location_id, customer_id = p_next.customer_id,
      customer_name = p_next.customer_name, customer_email = p_next.customer_email,
      customer_phone = p_next.customer_phone, reservation_date = p_next.reservation_date,
      reservation_time = p_next.reservation_time, party_size = p_next.party_size, status = p_next.status,
      notes = p_next.notes, total_amount = p_next.total_amount, zone_name = p_next.zone_name,
      table_name = p_next.table_name, staff_marks = p_next.staff_marks, service_over = p_next.service_over,
      -- How late a party comes was said of its former time.
      late_minutes = case when r.service_order = p_next.reservation_date + p_next.reservation_time
        then r.late_minutes end,
      counts_unmarked = p_counts_unmarked
    where r.id = p_next.id
    returning * into v_saved;
  end if;
  return v_saved;
end
$$;
comment on function private.write_reservation(public.reservations, boolean) is
  'Inserts a reservation made by hand (id null), or changes one; returns it as saved.';

create or replace function private.logged_changes(p_old public.reservations, p_next public.reservations,
  p_changed text[]) returns jsonb
language sql stable set search_path = ''
as $$
  select case when p_old.id is null then '{}' else jsonb_strip_nulls(jsonb_build_object(
    'fields', to_jsonb(p_changed), 'status', case when p_old.status <> p_next.status then jsonb_build_object(
      'from', p_old.status, 'to', p_next.status, 'pms', p_next.staff_marks ->> 'status') end)) end
    -- A party without an amount spends the location's average each: its size buys a tier as an amount does.
    || (select case when count(*) > 0 then jsonb_build_object('before', jsonb_object_agg(f.name, f.old),
        'after', jsonb_object_agg(f.name, f.new)) else '{}' end
      from (values ('total_amount', to_jsonb(p_old.total_amount), to_jsonb(p_next.total_amount)),
        ('party_size', to_jsonb(p_old.party_size), to_jsonb(p_next.party_size))) as f (name, old, new)
      where f.old is distinct from f.new and (p_old.id is not null or f.name = 'total_amount'))
$$;
comment on function private.logged_changes(public.reservations, public.reservations, text[]) is
  'What the audit log keeps of a saved reservation (p_old null: a new one): fields (the names of those that changed), status (from, to, and the PMS''s own), and before and after of total_amount and party_size.';

create or replace function public.save_reservation(p_fields jsonb, p_id uuid default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessOperaciones') as id limit 1);
  v_locations uuid[] := array(select private.my_locations('canAccessOperaciones'));
  v_editable constant text[] := array['location_id', 'customer_id', 'customer_name', 'customer_email',
    'customer_phone', 'reservation_date', 'reservation_time', 'party_size', 'status', 'notes', 'total_amount',
    'zone_name', 'table_name'];
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_old public.reservations;
  v_next public.reservations;
  v_changed text[];
  v_location public.locations;
  v_table text;
  v_edited jsonb;
  v_link constant text := p_fields ->> 'link';
  v_chosen uuid;
  v_chosen_tables jsonb;
  v_is_floor constant boolean := exists (
    select from public.profiles p where p.id = (select private.caller()) and p.role = 'sala');
  v_refusal jsonb;
  v_check text;
  v_asked jsonb;
begin
  p_now := private.clock(p_now);
  if v_organization is null or v_is_floor and v_link <> 'none' then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  if v_link = 'existing' then
    v_chosen := (p_fields ->> 'customer_id')::uuid;
    v_fields := v_fields - 'customer_id';
  end if;
  -- Needed even when no contact changes: of two simultaneous changes of one customer's bookings, the second
  -- must see the first.
  perform private.lock_identities(v_organization);
  if p_id is not null then
    select * into v_old from public.reservations
    where id = p_id and location_id = any(v_locations) and source <> 'import' for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v_next := jsonb_populate_record(v_old, v_fields);
  if p_fields ? 'tables' and v_next.location_id = any(v_locations) then
    v_chosen_tables := private.tables_chosen(v_old, v_next.location_id, p_fields);
    if v_chosen_tables is null then
      return '{"outcome": "malformed", "field": "tables"}';
    end if;
    v_fields := v_fields || v_chosen_tables;
    v_next := jsonb_populate_record(v_next, v_chosen_tables);
  end if;
  v_next.status := coalesce(v_next.status, 'pending');
  -- Back to the PMS's own spelling is back to its value: no mark is left.
  if (v_next.table_name, v_next.location_id) is distinct from (v_old.table_name, v_old.location_id)
    and v_next.table_name is distinct from v_old.staff_marks ->> 'table_name' then
    v_next.table_name := private.tables_as_spelled(v_old, v_next.location_id, v_next.table_name);
  end if;
  -- A time alone keeps the night: after midnight it is on the next date.
  if v_fields ? 'reservation_time' and not v_fields ? 'reservation_date' then
    v_next.reservation_date := v_old.service_date
      + case when v_next.reservation_time < time '06:00' then 1 else 0 end;
  end if;
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded')),
      to_jsonb(v_old), to_jsonb(v_next), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  select array_agg(n.key order by n.key) into v_changed from jsonb_each(to_jsonb(v_next)) as n
  where n.key = any(v_editable) and n.value is distinct from coalesce(to_jsonb(v_old) -> n.key, 'null');
  if p_id is not null and v_changed is null then
    return jsonb_build_object('outcome', 'saved', 'reservation', private.reservation_json(v_old));
  end if;
  -- The next sync would overwrite any other field.
  if v_old.source = 'pms' and not v_changed <@ array['status', 'total_amount', 'table_name', 'notes']
    and not (p_fields ? 'by_tap' and v_changed <@ array['status', 'table_name', 'notes', 'party_size',
      'reservation_date', 'reservation_time']) then
    return jsonb_build_object('outcome', 'managed');
  end if;
  if v_next.location_id is null or v_next.location_id <> all(v_locations) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  select * into v_location from public.locations where id = v_next.location_id;
  if v_is_floor and 'total_amount' = any(v_changed) then
    return jsonb_build_object('outcome', 'forbidden');
  elsif v_changed && array['location_id', 'reservation_date', 'reservation_time']
    and private.is_skipped(v_next.reservation_date + v_next.reservation_time, v_location.timezone) then
    return jsonb_build_object('outcome', 'skipped_time');
  end if;
  v_next.staff_marks := private.marks_of(v_old, v_next);
  -- A service that was closed stays closed, unless the reservation moves to another one.
  if p_id is null or v_changed && array['location_id', 'reservation_date', 'reservation_time'] then
    v_next.service_over := private.service_day(v_next.reservation_date, v_next.reservation_time)
      < private.current_service(v_location.timezone, p_now);
  end if;

  if 'customer_id' = any(v_changed) then
    v_next.customer_email := null;
    v_next.customer_phone := null;
    if v_next.customer_id is not null then
      -- Linking reveals the customer's name, so it needs the right to read customers.
      select coalesce(case when v_fields ? 'customer_name' then v_next.customer_name end,
        nullif(concat_ws(' ', c.first_name, c.last_name), '')) into v_next.customer_name
      from public.customers c
      where c.id = v_next.customer_id and c.organization_id = v_organization
        and c.organization_id = any(array(select private.my_organizations('canAccessClientes')));
      if not found then
        return jsonb_build_object('outcome', 'unknown_customer');
      end if;
    end if;
  end if;
  v_asked := private.reservation_questions(v_old, v_next, v_location, p_fields -> 'confirm', p_now);
  if v_asked ->> 'code' is not null then
    return v_asked || '{"outcome": "asks"}';
  end if;
  begin
    v_next.organization_id := v_organization;
    if v_changed && array['customer_email', 'customer_phone'] and not 'customer_id' = any(v_changed) then
      select k.customer_id, k.refusal into v_next.customer_id, v_refusal
      from private.customer_of_contact(v_old, v_next, v_changed, v_link, v_chosen, v_is_floor) as k;
      if v_refusal is not null then
        return v_refusal;
      end if;
    end if;
    v_next := private.write_reservation(v_next, v_location.count_unmarked_visits);
  exception
    when check_violation then
      get stacked diagnostics v_table = table_name, v_check = constraint_name;
      return jsonb_build_object('outcome', 'malformed', 'field', case
        when v_table <> 'customers' then private.checked_column(v_table, v_check)
        -- A new customer takes these from the reservation.
        when private.checked_column(v_table, v_check) = 'email' then 'customer_email'
        when private.checked_column(v_table, v_check) = 'phone' then 'customer_phone'
        else 'customer_name' end);
  end;

  perform private.refresh_customers(array_remove(array[v_old.customer_id, v_next.customer_id], null));
  perform private.audit(v_organization,
    case when p_id is null then 'reservation.created' else 'reservation.changed' end, v_next.id,
    private.logged_changes(v_old, v_next, v_changed));
  return jsonb_build_object('outcome', 'saved', 'reservation', private.reservation_json(v_next));
end
$$;
comment on function public.save_reservation(jsonb, uuid, timestamptz) is
  'Creates a manual reservation, or changes the fields given (of a PMS reservation status, total_amount, table_name and notes, as staff marks). p_fields may also have tables (as tables_chosen), link (existing with customer_id, new, none), confirm, loaded, and by_tap: in the service staff mark also the party size and the time of a PMS reservation. Outcome saved (with reservation), contact_of_another (with candidates), asks (as reservation_questions), skipped_time (the clocks skip it), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), managed, unknown_location, unknown_customer, malformed (with its field) or forbidden.';

create or replace function public.reservation_activity(p_reservation uuid)
returns table (id uuid, at timestamptz, action text, actor text, fields jsonb, status jsonb, answer jsonb)
language sql stable security definer set search_path = ''
as $$
  select g.id, g.created_at, g.action, private.actor_shown(g.actor, g.actor_id),
    coalesce(g.details -> 'fields', '[]'),
    g.details -> 'status',
    case g.action when 'reservation.answered' then jsonb_build_object('answer', g.details -> 'answer',
      'channel', g.details -> 'channel') end
  from public.reservations r
  join public.audit_log g on g.subject_id = r.id and g.subject_type = 'reservation'
  where r.id = p_reservation and r.source <> 'import'
    and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
  order by g.created_at desc, g.id desc limit 100
$$;
comment on function public.reservation_activity(uuid) is
  'The last 100 changes of a reservation in the caller''s locations, the latest first; overruled: the PMS replaced a staff mark; answered: the guest''s answer with its channel. status has from, to and the PMS''s own value.';

create or replace function public.log_reservations_export(p_filters jsonb) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select private.start_export((select id from private.my_organizations('canReadReports') as id limit 1),
    'reservations',
    p_filters)
$$;
comment on function public.log_reservations_export(jsonb) is
  'Counts and logs that the caller starts to download the reservations that match the filters; returns the id by which end_export ends it. Null when they may not.';
grant execute on function public.save_reservation(jsonb, uuid, timestamptz),
  public.reservation_activity(uuid), public.log_reservations_export(jsonb) to authenticated;
