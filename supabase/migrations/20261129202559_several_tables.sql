-- Schema 20261129202559. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

-- In one statement: a new column is null in all rows, so Postgres does not read the table for the reference.
alter table public.reservations add column joined_to uuid references public.reservations on delete set null;
alter table private.service_taps drop constraint service_taps_action_check;
alter table private.service_taps add constraint service_taps_action_check check (
  action in ('arrive', 'seat', 'assign', 'change', 'no_show', 'cancel', 'finish', 'set_back', 'walk_in',
    'undo', 'join', 'separate', 'wait_leave', 'wait_return'));
alter table private.service_taps add column others jsonb not null default '[]'
  check (jsonb_typeof(others) = 'array' and pg_column_size(others) <= 32768);
create index reservations_joined_to_idx on public.reservations (joined_to) where joined_to is not null;

-- Policies, comments, rights

comment on column public.reservations.joined_to is
  'The party to which it and others are joined, as staff said in the service: those of them that come sit together (private.sits_with). Each keeps its own covers, guest and state.';

-- >> supabase/logic/erasure/export.sql
-- All that is held about a person, as a file for them.

create or replace function private.exported_reservations(p_customer uuid, p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'external_id', r.external_id, 'location',
    l.name,
    'customer_name', r.customer_name, 'customer_email', r.customer_email, 'customer_phone',
    r.customer_phone,
    'reservation_date', r.reservation_date, 'reservation_time', to_char(r.reservation_time, 'HH24:MI'),
    'party_size', r.party_size, 'status', r.status, 'pms_status', r.pms_status, 'visited', r.visited,
    'notes', r.notes, 'staff_marks', r.staff_marks, 'total_amount', r.total_amount,
    'source', r.source, 'zone_name', r.zone_name, 'table_name', r.table_name,
    'tables', private.table_names(r.table_name), 'created_at', r.created_at)
    order by r.service_order, r.id), '[]')
  from public.reservations r join public.locations l on l.id = r.location_id
  where r.customer_id = p_customer and r.location_id = any(p_locations)
$$;
comment on function private.exported_reservations(uuid, uuid[]) is 'A person''s reservations at these locations, for their file.';

create or replace function private.exported_messages(p_customer uuid, p_everywhere boolean,
  p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'automation', u.name,
    'channel', m.channel, 'recipient', m.recipient, 'status', m.status, 'reason', m.reason,
    'detail', m.detail, 'simulated', m.simulated, 'content', m.content, 'created_at', m.created_at,
    'sent_at', m.sent_at, 'delivered_at', m.delivered_at,
    'engagement', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', g.kind, 'link', nullif(g.link, ''), 'actor',
        g.actor,
        'first_at', g.first_at, 'times', g.times) order by g.first_at, g.kind, g.link, g.actor), '[]')
      from public.message_engagement g where g.message_id = m.id),
    'engagement_events', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', e.kind, 'link', nullif(e.link, ''), 'agent',
        e.agent,
        'at', e.at) order by e.at, e.receipt), '[]')
      from private.engagement_events e where e.message_id = m.id))
    order by m.created_at, m.id), '[]')
  from public.messages m left join public.automations u on u.id = m.automation_id
  where m.customer_id = p_customer and (p_everywhere or m.location_id = any(p_locations))
$$;
comment on function private.exported_messages(uuid, boolean, uuid[]) is 'The messages to a person with what they did with each, for their file: of these locations, or all.';

create or replace function private.exported_tickets(p_customer uuid, p_everywhere boolean,
  p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('number', k.number, 'subject', k.subject, 'description',
    k.description,
    'status', k.status, 'priority', k.priority, 'created_at', k.created_at, 'resolved_at', k.resolved_at,
    'former_subjects', (
      select coalesce(jsonb_agg(h.before order by h.created_at, h.id), '[]')
      from public.ticket_changes h where h.ticket_id = k.id and h.field = 'subject'),
    'comments', (
      select coalesce(jsonb_agg(jsonb_build_object('body', m.body, 'created_at', m.created_at)
        order by m.created_at, m.id), '[]')
      from public.ticket_comments m where m.ticket_id = k.id)) order by k.number), '[]')
  from public.tickets k
  where k.customer_id = p_customer
    and (p_everywhere or k.location_id is null or k.location_id = any(p_locations))
$$;
comment on function private.exported_tickets(uuid, boolean, uuid[]) is 'The tickets about a person with their comments, for their file: of these locations and of none, or all.';

create or replace function public.export_customer(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_customer public.customers;
  v_everywhere constant boolean := private.works_everywhere();
  v_locations constant uuid[] := array(select private.my_locations());
begin
  if not exists (
    select 1 from public.profiles p
    where p.id = (select private.caller()) and p.role in ('super_admin', 'admin', 'ceo')) then
    return null;
  end if;
  perform private.take_export('customer');
  select * into v_customer from public.customers
  where id = p_id and organization_id = any(array(select private.my_organizations('canAccessClientes')));
  if v_customer.id is null then
    return null;
  end if;
  perform private.audit(v_customer.organization_id, 'customer.exported', p_id);
  return jsonb_build_object(
    'exported_at', now(),
    'customer', private.customer_json(v_customer),
    'recorded_consents', v_customer.consents,
    'former_addresses', (
      select coalesce(jsonb_agg(coalesce(a.email, a.phone, a.whatsapp_id) order by a.created_at, a.id), '[]')
      from public.customer_aliases a where a.customer_id = p_id and a.name is null),
    'former_names', (
      select coalesce(jsonb_agg(a.name order by a.created_at, a.id), '[]')
      from public.customer_aliases a where a.customer_id = p_id and a.name is not null),
    'merges', (
      select coalesce(jsonb_agg(jsonb_build_object('merged_at', m.merged_at, 'author', m.author_name,
        'undone_at', m.undone_at, 'record',
        s.gone - array['organization_id', 'sort_name', 'sort_visit', 'search_text',
          'birth_day', 'email_key']) order by m.merged_at, m.id), '[]')
      from public.customer_merges m left join private.merged_customers s on s.merge_id = m.id
      where m.kept_id = p_id),
    'facts', (
      select coalesce(jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note,
        'recorded_by', f.recorded_by, 'recorded_at', f.recorded_at) order by f.kind, f.code), '[]')
      from public.customer_facts f where f.customer_id = p_id),
    'rhythm', (
      select jsonb_build_object('visit_days', k.visit_days, 'first_day', k.first_day, 'last_day', k.last_day,
        'usual_days', k.usual_days, 'at_risk_on', k.at_risk_on, 'lost_on', k.lost_on)
      from public.customer_rhythms k where k.customer_id = p_id),
    'reservations', private.exported_reservations(p_id, v_locations),
    'waitlist', (
      select coalesce(jsonb_agg(jsonb_build_object('location', l.name, 'name', w.name, 'phone', w.phone,
        'party_size', w.party_size, 'notes', w.notes, 'joined_at', w.joined_at, 'outcome', w.outcome)
        order by w.joined_at, w.id), '[]')
      from public.waitlist w join public.locations l on l.id = w.location_id
      where w.organization_id = v_customer.organization_id and w.phone = v_customer.phone
        and w.location_id = any(v_locations)),
    'points', (
      select coalesce(jsonb_agg(private.points_json(p) order by p.created_at, p.id), '[]')
      from public.loyalty_points p left join public.reservations r on r.id = p.reservation_id
      where p.customer_id = p_id and (p.reservation_id is null or r.location_id = any(v_locations))),
    'messages', private.exported_messages(p_id, v_everywhere, v_locations),
    'control_groups', (
      select coalesce(jsonb_agg(jsonb_build_object('automation', u.name, 'held', e.held,
        'enrolled_at', e.enrolled_at) order by e.enrolled_at, e.id), '[]')
      from private.enrolments e join public.automations u on u.id = e.automation_id
      where e.customer_id = p_id and v_everywhere),
    'feedback', (
      select coalesce(jsonb_agg(jsonb_build_object('location', l.name, 'score', f.score, 'words', f.words,
        'language', f.language, 'answered_at', f.answered_at, 'changed_at', f.changed_at,
        'reply', f.reply, 'replied_at', f.replied_at)
        order by f.answered_at, f.id), '[]')
      from public.feedback f join public.locations l on l.id = f.location_id
      where f.customer_id = p_id and f.location_id = any(v_locations)),
    'tickets', private.exported_tickets(p_id, v_everywhere, v_locations),
    'calendar_events', (
      select coalesce(jsonb_agg(jsonb_build_object('title', e.title, 'description', e.description,
        'event_datetime', e.event_datetime, 'ends_at', e.ends_at, 'location', l.name, 'created_at',
        e.created_at)
        order by e.event_datetime, e.id), '[]')
      from public.calendar_events e left join public.locations l on l.id = e.location_id
      where e.customer_id = p_id
        and (v_everywhere or e.location_id is null or e.location_id = any(v_locations))),
    'suppressions', (
      select coalesce(jsonb_agg(jsonb_build_object('channel', s.channel, 'address', s.address, 'reason',
        s.reason,
        'author', s.author, 'note', s.note, 'created_at', s.created_at) order by s.created_at, s.id), '[]')
      from public.suppressions s
      where s.organization_id = v_customer.organization_id and s.channel in ('email', 'sms', 'whatsapp')
        and (s.address in (v_customer.email, v_customer.phone, v_customer.whatsapp_id) or s.address in (
          select coalesce(a.email, a.phone, a.whatsapp_id) from public.customer_aliases a
          where a.customer_id = p_id))),
    'whatsapp_windows', (
      select coalesce(jsonb_agg(jsonb_build_object('address', w.address, 'last_inbound_at', w.last_inbound_at)
        order by w.last_inbound_at, w.address), '[]')
      from public.whatsapp_windows w
      where w.organization_id = v_customer.organization_id
        and w.address = any(private.whatsapp_addresses_of(p_id))),
    'audit', (
      select coalesce(jsonb_agg(jsonb_build_object('action', g.action, 'details', g.details,
        'created_at', g.created_at) order by g.created_at, g.id), '[]')
      from public.audit_log g where g.subject_id = p_id));
end
$$;
comment on function public.export_customer(uuid) is
  'Everything held about a person (GDPR art. 15 and 20) in the caller''s locations, or null when the caller may not see them.';
grant execute on function public.export_customer(uuid) to authenticated;
-- << supabase/logic/erasure/export.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261129202559', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/reservations/changes.sql
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
-- << supabase/logic/reservations/changes.sql

-- >> supabase/logic/reservations/find.sql
-- Searches the reservations of every day, for staff at the door or on the telephone.

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
    'tables', private.table_names(r.table_name), 'allergies', coalesce(a.codes, '[]'))
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

-- >> supabase/logic/reservations/sync.sql
-- The sync. sync_reservations turns a batch of one location's PMS rows into customers, reservations,
-- statistics and tiers, in one transaction. record_sync and record_look_ahead keep which days of a location
-- the PMS has delivered. lib/pms calls them, with normalised rows, and then what takes out the bookings that
-- left the PMS (missing.sql).

create or replace function private.sync_read_rows(p_organization uuid, p_location uuid, p_rows jsonb,
  p_service date) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  drop table if exists pg_temp.sync_batch;
  create temp table sync_batch on commit drop as
  with given as (
    select distinct on (r.external_id) r.*
    from rows from (jsonb_to_recordset(p_rows) as (
      external_id text, email text, phone text, first_name text, last_name text, customer_name text,
      reservation_date date, reservation_time time, party_size integer, status text, pms_status text,
      notes text, zone_name text, table_name text, bad_email boolean, further_phones text[],
      phone_words text
    )) with ordinality as r (external_id, email, phone, first_name, last_name, customer_name,
      reservation_date, reservation_time, party_size, status, pms_status, notes, zone_name, table_name,
      bad_email, further_phones, phone_words, position)
    order by r.external_id, r.position desc
  ), incoming as (
    select b.external_id, b.position, b.pms_status, b.zone_name,
      case when marked.moment then e.reservation_date else b.reservation_date end as reservation_date,
      case when marked.moment then e.reservation_time else b.reservation_time end as reservation_time,
      case when marked.party_size then e.party_size else b.party_size end as party_size,
      case when marked.status then e.status else b.status end as status,
      case when marked.table_name then e.table_name else b.table_name end as table_name,
      personal.email, personal.phone, personal.first_name, personal.last_name, personal.customer_name,
      personal.bad_email, personal.further_phones,
      case when marked.notes then e.notes else personal.all_notes end as notes,
      coalesce(e.staff_marks, '{}') - array_remove(array[case when not marked.status then 'status' end,
        case when not marked.table_name then 'table_name' end, case when not marked.notes then 'notes' end,
        case when not marked.party_size then 'party_size' end,
        case when not marked.moment then 'reservation_date' end,
        case when not marked.moment then 'reservation_time' end], null) as staff_marks
    from given b
    left join public.reservations e on e.organization_id = p_organization and e.external_id = b.external_id
    -- A booking whose customer was erased takes no personal data from the PMS again.
    left join lateral (
      select b.email, b.phone, b.first_name, b.last_name, b.customer_name, b.notes, b.bad_email,
        b.further_phones, nullif(left(concat_ws(E'\n', b.notes, b.phone_words), 5000), '') as all_notes
      where e.erased_at is null
    ) as personal on true
    -- A value set by staff stays until the PMS sends something other than what it sent when staff set it. A
    -- status we do not know counts as no change.
    cross join lateral (select
      coalesce(e.staff_marks ? 'status' and coalesce(b.status = e.staff_marks ->> 'status', true), false)
      as status, coalesce(e.staff_marks ? 'table_name', false)
        and e.location_id = p_location
        and b.table_name is not distinct from e.staff_marks ->> 'table_name' as table_name,
      coalesce(e.staff_marks ? 'notes', false)
        and (e.location_id = p_location
          or (b.email, b.phone) is not distinct from (e.customer_email, e.customer_phone))
        and (personal.notes is not distinct from e.staff_marks ->> 'notes'
          or personal.all_notes is not distinct from e.staff_marks ->> 'notes') as notes,
      coalesce(e.staff_marks ? 'party_size' and e.location_id = p_location
        and b.party_size = (e.staff_marks ->> 'party_size')::integer, false) as party_size,
      -- A time after midnight is on another date: both are one mark.
      coalesce(e.staff_marks ?| array['reservation_date', 'reservation_time'] and e.location_id = p_location
        and b.reservation_date
          = coalesce((e.staff_marks ->> 'reservation_date')::date, e.reservation_date)
        and b.reservation_time
          = coalesce((e.staff_marks ->> 'reservation_time')::time, e.reservation_time), false) as moment
    ) as marked
  )
  select i.*, next.status as next_status, holder.id is not null as is_held,
    case when e.id is null or (i.customer_name, i.email, i.phone)
        is distinct from (e.customer_name, e.customer_email, e.customer_phone)
      then private.name_key(coalesce(i.first_name, '') || ' ' || coalesce(i.last_name, '')) end as name_key,
    row_number() over (order by i.reservation_date, i.reservation_time, i.position) as recency,
    e.id as reservation_id, e.customer_id as previous_customer_id, e.customer_id,
    -- An invalid e-mail is no change of contact: the reservation keeps its customer.
    e.id is null or (case when i.bad_email then e.customer_email else i.email end, i.phone) is distinct
    from (e.customer_email, e.customer_phone) as contact_changed, e.id is null or i.customer_name is distinct
    from e.customer_name
      or (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone) as person_changed,
    e.id is null or (p_location, i.customer_name, i.email, i.phone, i.reservation_date, i.reservation_time,
        i.party_size, next.status, i.pms_status, i.notes, i.zone_name, i.table_name,
        i.staff_marks, coalesce(i.bad_email, false))
      is distinct from (e.location_id, e.customer_name, e.customer_email, e.customer_phone,
        e.reservation_date, e.reservation_time, e.party_size, e.status, e.pms_status, e.notes, e.zone_name,
        e.table_name, e.staff_marks, e.email_unread)
      as changed,
    -- Another location uses the id anew, for another party.
    coalesce(e.location_id <> p_location
      and (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone), false) as is_another,
    private.service_day(i.reservation_date, i.reservation_time) < p_service as service_over,
    coalesce(i.bad_email, false) and e.email_unread is not true as email_broke,
    false as is_new
  from incoming i
  left join public.reservations e on e.organization_id = p_organization and e.external_id = i.external_id
  left join private.missing_bookings m on m.reservation_id = e.id
  cross join lateral (
    select coalesce(e.status = 'cancelled' and e.pms_status = 'missing', false) as is_gone
  ) as was
  -- A booking stays with the location that has it, as long as the sync asks that one and it is not cancelled
  -- as missing. Of too many missing at once another may have the very same one: two PMS ids were swapped.
  left join public.locations holder on holder.id = e.location_id and holder.id <> p_location
    and holder.is_active and holder.pms_id is not null and not was.is_gone
    and (m.held_at is null or (i.reservation_date, i.reservation_time, i.email, i.phone)
      is distinct from (e.reservation_date, e.reservation_time, e.customer_email, e.customer_phone))
  -- One that comes again with a status that we do not know is pending, as a new one is.
  cross join lateral (
    select coalesce(i.status, case when not was.is_gone then e.status end, 'pending') as status
  ) as next;
  -- A known reservation keeps its customer while its contact data stays the same.
  update pg_temp.sync_batch set customer_id = null where contact_changed and customer_id is not null;
  analyze pg_temp.sync_batch;
end
$$;
comment on function private.sync_read_rows(uuid, uuid, jsonb, date) is
  'Makes pg_temp.sync_batch, one row a reservation: the incoming values, the stored ones, which changed, and which another location holds. Services before p_service are over.';

create or replace function private.sync_set_aside(p_location uuid, p_now timestamptz, p_reader text)
  returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_held text[];
begin
  with held as (delete from pg_temp.sync_batch b where b.is_held returning b.external_id)
  select coalesce(array_agg(held.external_id), '{}') into v_held from held;
  -- What comes again has not left the PMS.
  delete from private.missing_bookings m using pg_temp.sync_batch b where m.reservation_id = b.reservation_id;
  return private.tell_once(p_location, 'held_elsewhere', v_held, p_now, p_reader);
end
$$;
comment on function private.sync_set_aside(uuid, timestamptz, text) is
  'Takes the rows that another location holds out of the batch; returns the ids of those that this reader was not told on this day yet. The others are no longer missing.';

create or replace function private.sync_match_people(p_organization uuid) returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_created bigint;
begin
  if not exists (select from pg_temp.sync_batch where contact_changed and coalesce(email, phone) is not null)
  then
    return 0;
  end if;
  update pg_temp.sync_batch b set customer_id = m.customer_id, is_new = m.is_new
  from private.match_people(p_organization, (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('place', position, 'recency', recency,
      'email', email, 'phone', phone, 'first_name', first_name, 'last_name', last_name,
      'customer_id', customer_id)))
    from pg_temp.sync_batch where contact_changed or customer_id is not null)) as m
  where b.position = m.place;

  insert into public.customers (id, organization_id, source, email, phone, first_name, last_name)
  select b.customer_id, p_organization, 'PMS', b.own_email,
    (array_agg(b.phone order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.phone is not null))[1],
    (array_agg(b.first_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1],
    (array_agg(b.last_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1]
  from (
    select *, first_value(email) over (partition by customer_id order by email is null, position) as own_email
    from pg_temp.sync_batch where is_new
  ) as b
  group by b.customer_id, b.own_email;
  get diagnostics v_created = row_count;
  return v_created;
end
$$;
comment on function private.sync_match_people(uuid) is
  'Gives rows of the batch with a new contact their customers, and creates those who are new: under their first e-mail, with the latest phone and name. Returns how many are new.';

create or replace function private.sync_update_profiles(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A booking under the customer's own e-mail replaces name and phone; a name that differs only in case or
  -- accents is kept. A booking matched by phone or alias only fills a blank name or e-mail. A booking's
  -- e-mail that differs becomes an alias. Materialized: while the planner still thinks the table is empty, it
  -- would recompute this query for every customer.
  with news as materialized (
    select c as known,
      bool_or(b.email = c.email and b.name_key <> '') is true as own_name,
      (array_agg(b.first_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as first_name,
      (array_agg(b.last_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as last_name,
      (array_agg(b.name_key order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as name_key,
      (array_agg(b.phone order by b.recency desc) filter (where b.email = c.email and b.phone is not null))[1]
      as phone, (array_agg(b.email order by b.position) filter (where b.email is not null))[1] as email
    from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
    where b.person_changed
    group by c.id
  ), profile as materialized (
    select (n.known).id, coalesce((n.known).email, n.email) as email,
      coalesce(n.phone, (n.known).phone) as phone,
      case when takes.name then n.first_name else (n.known).first_name end as first_name,
      case when takes.name then n.last_name else (n.known).last_name end as last_name
    from news n
    cross join lateral private.name_key(coalesce((n.known).first_name, '') || ' ' ||
      coalesce((n.known).last_name, '')) as held (name_key)
    cross join lateral (select n.name_key <> held.name_key and (n.own_name or held.name_key = ''))
      as takes (name)
  )
  update public.customers c
  set email = p.email, phone = p.phone, first_name = p.first_name, last_name = p.last_name
  from profile p
  where c.id = p.id and (c.email, c.phone, c.first_name, c.last_name)
    is distinct from (p.email, p.phone, p.first_name, p.last_name);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct p_organization, b.customer_id, b.email
  from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
  where b.contact_changed and b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;
  perform private.add_phones(p_organization, array_agg(b.customer_id order by b.position, f.place),
    array_agg(f.phone order by b.position, f.place))
  from pg_temp.sync_batch b cross join unnest(b.further_phones) with ordinality as f (phone, place)
  having count(*) > 0;
end
$$;
comment on function private.sync_update_profiles(uuid) is
  'Customers take the latest name and phone of the batch''s new or changed bookings under their own e-mail; other bookings only fill a blank name or e-mail. No e-mail is replaced. Further phones are kept as such.';

create or replace function private.is_pms_walk_in(p_status text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select p_status is not distinct from '9' $$;
comment on function private.is_pms_walk_in(text) is
  'Whether the PMS says by its status that a party came without a booking: code 9.';

create or replace function private.sync_write_reservations(p_organization uuid, p_location uuid,
  p_counts_unmarked boolean, out created integer, out updated integer)
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
    customer_email, customer_phone, reservation_date, reservation_time, party_size, status, pms_status, notes,
    source, zone_name, table_name, service_over, counts_unmarked, email_unread, walk_in)
  select p_organization, p_location, customer_id, external_id, customer_name, email, phone, reservation_date,
    reservation_time, party_size, next_status, pms_status, notes, 'pms', zone_name, table_name, service_over,
    p_counts_unmarked, coalesce(bad_email, false), private.is_pms_walk_in(pms_status)
  from pg_temp.sync_batch where reservation_id is null
  order by reservation_date, reservation_time;
  get diagnostics created = row_count;

  -- The audit log records a mark that the PMS replaces.
  insert into public.audit_log (organization_id, action, subject_type, subject_id, details)
  select p_organization, 'reservation.overruled', 'reservation', e.id, jsonb_strip_nulls(jsonb_build_object(
    'fields', replaced.fields, 'status', case when 'status' = any(replaced.fields) then
      jsonb_build_object('from', e.status, 'to', b.next_status) end))
  from pg_temp.sync_batch b
  join public.reservations e on e.id = b.reservation_id
  cross join lateral (
    select array_agg(mark.field order by mark.field) as fields
    from (values ('status', e.status, b.next_status), ('table_name', e.table_name, b.table_name),
      ('notes', e.notes, b.notes), ('party_size', e.party_size::text, b.party_size::text),
      ('reservation_date', e.reservation_date::text, b.reservation_date::text),
      ('reservation_time', e.reservation_time::text, b.reservation_time::text)) as mark (field, ours, theirs)
    where e.staff_marks ? mark.field and mark.ours is distinct from mark.theirs
  ) as replaced
  where b.changed and e.staff_marks <> b.staff_marks and replaced.fields is not null;

  update public.reservations r set location_id = p_location, customer_id = b.customer_id,
    customer_name = b.customer_name, customer_email = b.email, customer_phone = b.phone,
    reservation_date = b.reservation_date, reservation_time = b.reservation_time, party_size = b.party_size,
    status = b.next_status, pms_status = b.pms_status, notes = b.notes,
    zone_name = b.zone_name, table_name = b.table_name, staff_marks = b.staff_marks,
    service_over = b.service_over, counts_unmarked = p_counts_unmarked,
    email_unread = coalesce(b.bad_email, false),
    -- Once it has come, another code of coming or going leaves it a walk-in; a corrected one no longer is.
    walk_in = private.is_pms_walk_in(b.pms_status) or r.walk_in and not b.is_another
      and (b.pms_status is not distinct from r.pms_status or b.next_status in ('seated', 'completed')),
    total_amount = case when not b.is_another then r.total_amount end,
    late_minutes = case when not b.is_another and r.service_order = b.reservation_date + b.reservation_time
      then r.late_minutes end,
    guest_answer = case when not b.is_another then r.guest_answer end,
    guest_answered_at = case when not b.is_another then r.guest_answered_at end
  from pg_temp.sync_batch b where r.id = b.reservation_id and b.changed;
  get diagnostics updated = row_count;
end
$$;
comment on function private.sync_write_reservations(uuid, uuid, boolean) is
  'Inserts the new reservations of the batch and updates the changed ones; does not touch the others. Returns how many were inserted and updated.';

create or replace function private.sync_learn_tables(p_organization uuid, p_location uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A party at "4+5" sits at two tables joined. A name with control characters could not be saved again by
  -- staff, nor more tables than the API accepts.
  insert into public.dining_tables (organization_id, location_id, zone, name, capacity)
  select p_organization, p_location,
    (array_agg(b.zone order by b.recency desc) filter (where b.zone <> ''))[1],
    b.name, max(b.party_size)
  from (
    select left(t.name, 100) as name, recency,
      nullif(least(ceil(party_size::numeric / array_length(names, 1)), 999), 0)::integer as party_size,
      left(btrim(regexp_replace(zone_name, '[\u0001-\u001f\u007f-\u009f]+', ' ', 'g')), 100) as zone
    from pg_temp.sync_batch
    cross join lateral private.table_names(table_name) as names
    cross join lateral unnest(names) as t (name)
    where changed and table_name !~ '[\u0001-\u001f\u007f-\u009f]'
  ) as b
  where not exists (select from public.dining_tables t where t.location_id = p_location and t.name = b.name)
  group by b.name
  order by b.name
  limit greatest(0, 1000 - (select count(*) from public.dining_tables t where t.location_id = p_location))
  on conflict (location_id, name) do nothing;
end
$$;
comment on function private.sync_learn_tables(uuid, uuid) is
  'Adds the tables that the batch names and the location does not have yet, up to 1000 in all; the largest party seen is their first capacity.';

create or replace function public.sync_reservations(p_location uuid, p_rows jsonb,
  p_now timestamptz default now(), p_reader text default 'requests') returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_service date;
  v_counts_unmarked boolean;
  v_new_customers bigint;
  v_held text[];
  v_written record;
begin
  select organization_id, private.current_service(timezone, p_now), count_unmarked_visits
  into v_organization, v_service, v_counts_unmarked
  from public.locations where id = p_location;
  if v_organization is null then
    raise exception 'unknown location' using errcode = '22023';
  end if;
  -- One writer of identities at a time: two batches never create the same person twice.
  perform private.lock_identities(v_organization);

  -- Each step reads and completes pg_temp.sync_batch.
  perform private.sync_read_rows(v_organization, p_location, p_rows, v_service);
  v_held := private.sync_set_aside(p_location, p_now, p_reader);
  v_new_customers := private.sync_match_people(v_organization);
  perform private.sync_update_profiles(v_organization);
  select * into v_written from private.sync_write_reservations(v_organization, p_location, v_counts_unmarked);
  perform private.sync_learn_tables(v_organization, p_location);
  -- Recounts the customers, present and former, of every new or changed reservation.
  perform private.refresh_customers(array(
    select customer_id from pg_temp.sync_batch where changed and customer_id is not null
    union
    select previous_customer_id from pg_temp.sync_batch where changed and previous_customer_id is not null));

  return jsonb_build_object('created', v_written.created, 'updated', v_written.updated,
    'customers', (select count(distinct customer_id) from pg_temp.sync_batch), 'customers_created',
    v_new_customers, 'bad_emails', (
      select coalesce(jsonb_agg(external_id order by external_id), '[]') from pg_temp.sync_batch
      where email_broke), 'held_elsewhere', to_jsonb(v_held));
end
$$;
comment on function public.sync_reservations(uuid, jsonb, timestamptz, text) is
  'Saves one location''s normalised PMS rows (external_id, email, phone, names, date, time, party size, status, …). Returns counts, and bad_emails: the ids of bookings that come with an e-mail that is none and did not before; held_elsewhere: the ids of rows that change nothing because another location holds them, each once a day to each p_reader.';

create or replace function private.known_days(p_from date, p_until date, p_asked daterange) returns daterange
language sql immutable set search_path = ''
as $$
  select case when p_from is null then p_asked
    when known.days && p_asked or known.days -|- p_asked then known.days + p_asked
    else p_asked end
  from (select daterange(p_from, p_until, '[]') as days) as known
$$;
comment on function private.known_days(date, date, daterange) is
  'Joins the known days with those just fetched. If there is a gap between them, only the days just fetched stay known: one range cannot have a gap.';

create or replace function public.record_sync(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_failure text default null) returns void
language sql volatile set search_path = ''
as $$
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1, synced_at = p_at,
    sync_failing_since = null, sync_failure = null
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_failure is null;
  update public.locations
  set sync_failing_since = coalesce(sync_failing_since, p_at), sync_failure = p_failure
  where id = p_location and p_failure is not null;
$$;
comment on function public.record_sync(uuid, timestamptz, date, date, text) is
  'Records that the PMS delivered a location''s days from p_from to p_to, or with p_failure why it did not.';

create or replace function public.record_look_ahead(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_outcome text) returns void
language sql volatile set search_path = ''
as $$
  update public.locations set ahead_tried_at = p_at where id = p_location;
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1,
    looked_ahead_at = case when p_outcome = 'done' then p_at else l.looked_ahead_at end,
    ahead_until = case when p_outcome = 'more' then p_to end
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_outcome in ('done', 'more')
$$;
comment on function public.record_look_ahead(uuid, timestamptz, date, date, text) is
  'Records a request for some of a location''s days ahead: done (the last part), more (parts are left) or failed.';
grant execute on function private.sync_read_rows(uuid, uuid, jsonb, date),
  private.sync_set_aside(uuid, timestamptz, text),
  private.sync_match_people(uuid), private.sync_update_profiles(uuid),
  private.is_pms_walk_in(text), private.sync_write_reservations(uuid, uuid, boolean),
  private.sync_learn_tables(uuid, uuid),
  public.sync_reservations(uuid, jsonb, timestamptz, text),
  private.known_days(date, date, daterange), public.record_sync(uuid, timestamptz, date, date, text),
  public.record_look_ahead(uuid, timestamptz, date, date, text) to service_role;
-- << supabase/logic/reservations/sync.sql

-- >> supabase/logic/service/board.sql
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
    select l.*, coalesce(p_day, private.current_service(l.timezone, (select private.clock(p_now)))) as day
    from public.locations l
    where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
  ), bound as materialized (
    select private.bound_to() as locations
  ), birthdays as materialized (
    select n as days, unnest(private.birth_days(p.day + n, 0)) as birth_day
    from place p cross join generate_series(-3, 3) as n
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
      'vip', coalesce(t.rank >= (
        select coalesce(min(o.rank) filter (where o.name = 'Oro'), 3) from public.loyalty_tiers o
        where o.organization_id = c.organization_id), false),
      'birthday_in', b.days, 'first_visit', coalesce(c.total_visits = 0, false),
      'facts', coalesce((
        select jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note)
          order by f.kind, f.code)
        from public.customer_facts f where f.customer_id = c.id), '[]'),
      'allergies', coalesce(a.codes, '[]'),
      'no_shows', coalesce((
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.status = 'no_show' and o.source <> 'import' and o.id <> r.id
          and (w.locations is null or o.location_id = any(w.locations))), 0)) as party
    from place p cross join bound w
    join public.reservations r on r.location_id = p.id and r.service_date = p.day and r.source <> 'import'
    left join public.customers c on c.id = r.customer_id
      and c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    left join birthdays b on b.birth_day = c.birth_day
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
      select jsonb_agg(jsonb_build_object('name', d.name, 'zone', d.zone, 'capacity', d.capacity)
        -- As people count: 2 before 10.
        order by d.zone nulls last, substring(d.name from '^\D*'),
          substring(d.name from '\d+')::numeric nulls first, d.name)
      from public.dining_tables d where d.location_id = p.id and d.is_active), '[]'),
    'waiting', public.list_waiting(p.id),
    'parties', coalesce((select jsonb_agg(x.party order by x.service_order, x.id) from parties x), '[]'))
  from place p
$$;
comment on function public.service_list(uuid, date, timestamptz) is
  'A service day of a location, by default the current one: its closings, shifts, tables, waitlist, and parties by time with facts and notes of each. Null without the right.';

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
-- << supabase/logic/service/board.sql

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
grant execute on function private.stay_of(integer, jsonb), private.table_names(text),
  private.is_closed_at(uuid, date, time, text, text), private.closes(public.closed_days, uuid, text, text),
  private.parties_at(uuid, text[], timestamptz, integer, timestamptz),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) to service_role;
-- << supabase/logic/service/tables.sql

-- >> supabase/logic/service/together.sql
-- Parties that sit together: bookings of one service day that share their tables. Each stays a booking of its
-- own, with its covers, guest, state and money; joined_to is only a link between them.

create or replace function private.sits_with(p_party public.reservations) returns uuid[]
language sql stable set search_path = ''
as $$
  select array(
    select r.id
    from (select coalesce(p_party.joined_to, p_party.id) as id) as f
    join public.reservations r on r.id = f.id and r.joined_to is null or r.joined_to = f.id
    where r.id <> p_party.id and r.location_id = p_party.location_id
      and r.service_date = private.service_day(p_party.reservation_date, p_party.reservation_time)
      and r.status in ('pending', 'confirmed', 'seated'))
$$;
comment on function private.sits_with(public.reservations) is
  'The other parties that sit together with one: joined to the same first party, of the same service day, and still to come or seated. Who comes again, or to this day again, sits with them again.';

create or replace function private.seating(p_party public.reservations, out tables text[], out covers bigint)
language sql stable set search_path = ''
as $$
  with own as materialized (
    select private.table_names(p_party.table_name) as names
  ), others as materialized (
    select r.party_size, private.table_names(r.table_name) as names from public.reservations r
    where r.id = any(private.sits_with(p_party)) and r.table_name is not null
  )
  select o.names || array(
      select distinct name from others t cross join unnest(t.names) as name where name <> all(o.names)),
    p_party.party_size + coalesce((select sum(t.party_size) from others t), 0)
  from own o
$$;
comment on function private.seating(public.reservations) is
  'The tables of a party and of those who sit with it and have tables, and how many people these are together.';

create or replace function private.links_after(p_party public.reservations, p_to uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with named as (
    select r as party, r.id, r.joined_to from public.reservations r
    -- A walk-in that was tapped without a connection has no id yet: its key stands for it.
    where r.id in (p_to, (select t.reservation_id from private.service_taps t where t.key = p_to))
      and r.id <> p_party.id and r.location_id = p_party.location_id
      and r.service_date = p_party.service_date and r.source <> 'import'
      and r.status in ('pending', 'confirmed', 'seated')
      and p_party.status in ('pending', 'confirmed', 'seated')
    order by r.id = p_to desc limit 1
  ), moved as (
    select p_party.id union all
    select unnest(private.sits_with(p_party)) from named
  ), staying as (
    select n.id, n.joined_to from named n union
    select r.id, r.joined_to from named n join public.reservations r on r.id = any(private.sits_with(n.party))
  ), left_behind as (
    -- Who was joined to somebody who goes, and does not go along: they stay together.
    select r.id, first_value(r.id) over (order by r.service_order, r.customer_name, r.id) as first
    from public.reservations r
    where r.joined_to in (select id from moved) and r.id not in (select id from moved)
      and r.location_id = p_party.location_id
  )
  select case when p_to is null or exists (select from named) then (
    select jsonb_object_agg(l.id, nullif(l.first, l.id)) from (
      select m.id, (select coalesce(n.joined_to, n.id) from named n) as first from moved m
      union all select s.id, s.joined_to from staying s where s.id not in (select id from moved)
      union all select b.id, b.first from left_behind b) as l) end
$$;
comment on function private.links_after(public.reservations, uuid) is
  'The joined_to of all parties, by id, once a party and those who sit with it sit with another one (its id, or the key of its tap) and with those of that one; with null, once the party sits on its own. Null when the other one does not come, or is of another service day. components/service/board-model.ts has the same.';

create or replace function private.joined_fields(p_party public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$ select jsonb_build_object('joined_to', p_party.joined_to, 'table_name', p_party.table_name) $$;
comment on function private.joined_fields(public.reservations) is
  'What joining parties changes: joined_to and table_name.';

create or replace function private.link_parties(p_links jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform private.audit(r.organization_id, 'reservation.changed', r.id, '{"fields": ["joined_to"]}')
  from jsonb_each_text(p_links) as l join public.reservations r on r.id = l.key::uuid
  where r.joined_to is distinct from l.value::uuid;
  update public.reservations r set joined_to = l.value::uuid
  from jsonb_each_text(p_links) as l where r.id = l.key::uuid and r.joined_to is distinct from l.value::uuid;
end
$$;
comment on function private.link_parties(jsonb) is
  'Writes the joined_to of parties, by id, and logs each that changes.';

create or replace function private.links_before(p_party public.reservations,
  p_undone private.service_taps) returns jsonb
language sql stable set search_path = ''
as $$
  with parties as (
    select r.id, r.joined_to, o.before from (
      select p_party.id, p_undone.before, p_undone.after union all
      select o.* from jsonb_to_recordset(p_undone.others) as o (id uuid, before jsonb, after jsonb)) as o
    join public.reservations r on r.id = o.id and r.location_id = p_party.location_id
      and private.joined_fields(r) @> o.after
  ), links as (
    select id,
      case when before ? 'joined_to' then (before ->> 'joined_to')::uuid else joined_to end as joined_to
    from parties
  )
  select jsonb_object_agg(l.id, l.joined_to) from links l
  having count(*) = 1 + jsonb_array_length(p_undone.others)
    -- Nobody is joined to a party that is joined itself: others have chosen differently meanwhile.
    and bool_and(l.joined_to is null or exists (
      select from public.reservations f left join links k on k.id = f.id
      where f.id = l.joined_to and case when k.id is null then f.joined_to else k.joined_to end is null)
      and not exists (
        select from public.reservations r where r.joined_to = l.id and r.id not in (select id from links)))
$$;
comment on function private.links_before(public.reservations, private.service_taps) is
  'The joined_to that a party and others had before its tap, by id; null when one of them has changed since, or somebody else is joined to one that would be joined itself.';

create or replace function private.take_join(p_party public.reservations, p_tap jsonb,
  p_undone private.service_taps, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_undoes constant boolean := p_undone.key is not null;
  v_joins constant boolean := case when v_undoes then p_undone.action = 'separate'
    else p_tap ->> 'to' is not null end;
  v_links constant jsonb := case when v_undoes then private.links_before(p_party, p_undone)
    else private.links_after(p_party, (p_tap ->> 'to')::uuid) end;
  v_before jsonb;
  v_saved jsonb := '{"outcome": "conflict"}';
begin
  if v_links is null then
    return private.refused_tap((p_tap ->> 'key')::uuid, p_party.id, v_saved);
  end if;
  select jsonb_object_agg(r.id, private.joined_fields(r)) into v_before
  from jsonb_object_keys(v_links) as k join public.reservations r on r.id = k::uuid;
  -- A refusal of one takes back all.
  begin
    -- Nobody is in the way of who shares a table: who parts by an undo gets back other tables first.
    if v_joins or not v_undoes then
      perform private.link_parties(v_links);
    end if;
    v_saved := private.save_joined(p_party, p_tap, p_undone, p_now);
    if v_saved ->> 'outcome' <> 'saved' then
      raise exception using errcode = 'JO001';
    end if;
    perform private.link_parties(v_links);
    v_saved := private.asked_of_joined(p_party.id, p_tap -> 'confirm', v_joins, p_now);
    if v_saved ->> 'code' is not null then
      raise exception using errcode = 'JO001';
    end if;
  exception when sqlstate 'JO001' then
    return private.refused_tap((p_tap ->> 'key')::uuid, p_party.id, v_saved);
  end;
  with changes as (
    select r.id, c.* from jsonb_each(v_before) as b
    join public.reservations r on r.id = b.key::uuid
    cross join lateral (
      select jsonb_object_agg(f.key, f.value) as before, jsonb_object_agg(f.key, n.value) as after
      from jsonb_each(b.value) as f join jsonb_each(private.joined_fields(r)) as n on n.key = f.key
      where f.value <> n.value or r.id = p_party.id and f.key = 'joined_to') as c
    where c.before is not null
  )
  insert into private.service_taps
    (key, organization_id, reservation_id, action, before, after, others, taken_at)
  select (p_tap ->> 'key')::uuid, p_party.organization_id, p_party.id,
    case when v_joins then 'join' else 'separate' end, c.before, c.after,
    coalesce((select jsonb_agg(to_jsonb(o)) from changes o where o.id <> p_party.id), '[]'), p_now
  from changes c where c.id = p_party.id;
  return jsonb_build_object('key', p_tap -> 'key', 'outcome', 'saved', 'reservation_id', p_party.id);
end
$$;
comment on function private.take_join(public.reservations, jsonb, private.service_taps, timestamptz) is
  'Applies the tap join, or the undo of one, to a party and to all whom it concerns, or to nobody: as take_tap.';

create or replace function private.save_joined(p_party public.reservations, p_tap jsonb,
  p_undone private.service_taps, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_tables constant jsonb := private.tables_in(p_tap);
  v_parties jsonb;
  v_each record;
  v_saved jsonb := '{"outcome": "saved"}';
begin
  if p_undone.key is not null then
    select coalesce(jsonb_object_agg(o.id, jsonb_build_object('table_name', o.before -> 'table_name')), '{}')
      into v_parties
    from (select p_undone.reservation_id as id, p_undone.before union all
      select o.* from jsonb_to_recordset(p_undone.others) as o (id uuid, before jsonb)) as o
    where o.before ? 'table_name';
  else
    select coalesce(jsonb_object_agg(r.id, v_tables), '{}') into v_parties
    from public.reservations p
    join public.reservations r on r.id = any(p.id
      || case when p_tap ->> 'to' is not null then private.sits_with(p) else '{}' end)
    where p.id = p_party.id and v_tables <> '{}';
  end if;
  -- A few: those who sit at one table.
  for v_each in
    select p.* from jsonb_each(v_parties) as p join public.reservations r on r.id = p.key::uuid
    order by r.id <> p_party.id, r.service_order, r.customer_name, r.id
  loop
    v_saved := public.save_reservation(v_each.value
      || jsonb_build_object('by_tap', true, 'confirm', p_tap -> 'confirm'), v_each.key::uuid, p_now);
    exit when v_saved ->> 'outcome' <> 'saved';
  end loop;
  return v_saved;
end
$$;
comment on function private.save_joined(public.reservations, jsonb, private.service_taps, timestamptz) is
  'Gives the parties of the tap join its tables (by an undo: those from before). The answer of save_reservation: of the first that was not saved, else saved.';

create or replace function private.asked_of_joined(p_party uuid, p_confirmed jsonb, p_joins boolean,
  p_now timestamptz) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('outcome', 'asks', 'code', a.asked -> 'code', 'current', a.asked -> 'current',
    'questions', (a.asked -> 'questions') - 'CLOSED' - case when p_joins then 'TABLE_TAKEN' else '' end)
  from public.reservations r join public.locations l on l.id = r.location_id
  -- As if it got its table now; who joins others is in nobody's way who was not so before.
  cross join lateral private.reservation_questions(jsonb_populate_record(r, '{"table_name": null}'), r, l,
    coalesce(p_confirmed, '[]') || '["closed"]'
      || case when p_joins then jsonb '["table_taken"]' else '[]' end, p_now) as a (asked)
  where r.id = p_party
$$;
comment on function private.asked_of_joined(uuid, jsonb, boolean, timestamptz) is
  'What a party that was joined or parted is asked about the tables that it keeps, as reservation_questions: whether they have the seats (TABLE_TOO_SMALL), and of one that was parted whether others are there (TABLE_TAKEN).';
-- << supabase/logic/service/together.sql

-- >> supabase/logic/service/waitlist.sql
-- The waitlist: parties join, are called by SMS or WhatsApp, and are seated or leave. Ended entries are kept
-- for 30 days (tidy_up).

create or replace function public.join_waitlist(p_location uuid, p_entry jsonb,
  p_now timestamptz default now()) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_id uuid := coalesce((p_entry ->> 'key')::uuid, gen_random_uuid());
begin
  if p_location is null or p_location <> all(array(select private.my_locations('canAccessOperaciones'))) then
    return null;
  end if;
  -- First this lock: a device that gave up waiting sends the party again while it is being added.
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  if exists (select from public.waitlist w where w.id = v_id and w.location_id = p_location) then
    return v_id;
  end if;
  insert into public.waitlist (id, organization_id, location_id, name, phone, party_size, quoted_minutes,
    notes, joined_at)
  select v_id, l.organization_id, l.id, e.name, e.phone, e.party_size, e.quoted_minutes,
    nullif(btrim(e.notes), ''), private.tapped_at(p_entry, private.clock(p_now))
  from public.locations l
  cross join jsonb_to_record(p_entry) as e (name text, phone text, party_size integer,
    quoted_minutes integer, notes text)
  where l.id = p_location
    and (select count(*) from public.waitlist w where w.location_id = l.id and w.outcome is null) < 200
  -- The key of a party of another location is not taken twice.
  on conflict (id) do nothing
  returning id into v_id;
  return v_id;
end
$$;
comment on function public.join_waitlist(uuid, jsonb, timestamptz) is
  'Adds a party {name, phone, party_size, quoted_minutes, notes, key, at} to a location''s waitlist, once for each key, and returns its id, which is the key if there is one; null without the right, and when 200 already wait.';

create or replace function public.list_waiting(p_location uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  -- The host, who otherwise reads no messages, sees whether this message was sent.
  select (
    select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'phone', w.phone, 'party_size',
      w.party_size,
      'quoted_minutes', w.quoted_minutes, 'notes', w.notes, 'joined_at', w.joined_at, 'called_at',
      w.called_at,
      'message', case when m.id is not null then jsonb_build_object('channel', m.channel, 'status', m.status,
        'reason', m.reason, 'simulated', m.simulated) end, 'offer', (
        select jsonb_build_object('table_name', o.table_name,
          'tables', private.table_names(o.table_name), 'at', o.starts_at, 'expires_at', o.expires_at,
          'outcome', o.outcome)
        from private.table_offers o where o.waitlist_id = w.id order by o.offered_at desc limit 1))
          order by w.joined_at, w.id), '[]')
    from public.waitlist w left join public.messages m on m.id = w.message_id
    where w.location_id = l.id and w.outcome is null)
  from public.locations l
  where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
$$;
comment on function public.list_waiting(uuid) is
  'The waiting parties of a location in order of arrival, each with the message that called them; null without the right.';

-- By the database's own clock: the service may choose p_now.
create or replace function private.call_limit(p_entry public.waitlist) returns text
language plpgsql volatile set search_path = ''
as $$
begin
  -- Two calls of a number at once: the second sees the message of the first.
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('call:' || p_entry.organization_id || p_entry.phone, 0));
  if exists (
    select 1 from public.messages m
    where m.organization_id = p_entry.organization_id and m.channel in ('sms', 'whatsapp')
      and m.recipient = p_entry.phone
      and m.purpose = 'waitlist_call' and m.created_at > now() - interval '2 minutes') then
    return 'called_just_now';
  elsif public.take_rate_limit('call:' || (select private.caller()), 60, 3600) > 0
    or public.take_rate_limit('call:' || p_entry.location_id, 60, 3600) > 0 then
    return 'too_many_calls';
  end if;
  return null;
end
$$;
comment on function private.call_limit(public.waitlist) is
  'Counts a message that calls a party. called_just_now: its phone got one within 2 minutes; too_many_calls: 60 within an hour, by the caller or at the location; null: it may go.';

create or replace function public.call_waiting(p_id uuid, p_channels text[], p_now timestamptz default now())
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_entry public.waitlist;
  v_channel text;
  v_refusal text;
  v_message uuid;
begin
  p_now := private.clock(p_now);
  select * into v_entry from public.waitlist w
  where w.id = p_id
    and w.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_entry.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_entry.outcome is not null or v_entry.called_at is not null then
    return jsonb_build_object('outcome', 'conflict');
  end if;
  -- WhatsApp allows free text only within 24 hours of the person's last message.
  v_channel := case when v_entry.phone is null then null
    when 'whatsapp' = any(p_channels) and public.whatsapp_open(v_entry.organization_id, v_entry.phone, p_now)
      then 'whatsapp'
    when 'sms' = any(p_channels) then 'sms' end;
  if v_channel is not null then
    v_refusal := private.call_limit(v_entry);
    if v_refusal is not null then
      return jsonb_build_object('outcome', v_refusal);
    end if;
    insert into public.messages (organization_id, kind, purpose, about_type, about_id, location_id, channel,
      recipient, dedupe_key, content, not_before)
    select v_entry.organization_id, 'transactional', 'waitlist_call', 'waitlist', v_entry.id,
      v_entry.location_id, v_channel, v_entry.phone,
      'waitlist:' || v_entry.id,
      private.guest_text('table_ready', private.in_english(v_entry.phone),
        jsonb_build_object('location', l.name), p_now + interval '15 minutes'), p_now
    from public.locations l where l.id = v_entry.location_id
    returning id into v_message;
  end if;
  update public.waitlist set called_at = p_now, message_id = v_message where id = p_id;
  return jsonb_build_object('outcome', 'saved', 'channel', v_channel, 'message_id', v_message, 'at', p_now);
end
$$;
comment on function public.call_waiting(uuid, text[], timestamptz) is
  'Marks a waiting party as called and queues the message to it by one of the connected channels (null: staff call by voice): saved (at: since when it may be sent), not_found, conflict (called before, or no longer waiting), or called_just_now or too_many_calls (see private.call_limit).';

create or replace function private.end_waiting(p_id uuid, p_outcome text, p_tap jsonb, p_now timestamptz)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_entry public.waitlist;
  v_answer jsonb;
  v_contact jsonb;
  v_reservation uuid;
begin
  -- First this lock and then the party, as take_taps does with several taps at once.
  perform private.lock_identities(w.organization_id) from public.waitlist w
  where w.id = p_id and w.location_id = any(array(select private.my_locations('canAccessOperaciones')));
  select * into v_entry from public.waitlist w
  where w.id = p_id
    and w.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_entry.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif (v_entry.outcome is null) = (p_outcome is null) or v_entry.outcome in ('seated', 'booked') then
    return jsonb_build_object('outcome', 'conflict');
  end if;
  if p_outcome = 'seated' then
    v_answer := private.take_tap(v_entry.location_id, p_tap || jsonb_build_object('action', 'walk_in',
      'party_size', v_entry.party_size, 'customer_name', v_entry.name), p_now);
    if v_answer ->> 'outcome' <> 'saved' then
      return v_answer;
    end if;
    v_reservation := (v_answer ->> 'reservation_id')::uuid;
    v_contact := jsonb_build_object('customer_phone', v_entry.phone, 'notes', v_entry.notes);
    -- At the door staff are not asked whose phone it is: another guest's phone is stored without that guest.
    if public.save_reservation(v_contact, v_reservation) ->> 'outcome' = 'contact_of_another' then
      perform public.save_reservation(v_contact || '{"link": "none"}', v_reservation);
    end if;
  end if;
  update public.waitlist set outcome = p_outcome, ended_at = case when p_outcome is not null then p_now end
  where id = p_id;
  return jsonb_strip_nulls(jsonb_build_object('outcome', 'saved', 'reservation_id', v_reservation));
end
$$;
comment on function private.end_waiting(uuid, text, jsonb, timestamptz) is
  'public.end_waiting by a tap {key, at, table_name, confirm}.';

create or replace function public.end_waiting(p_id uuid, p_outcome text, p_table text default null,
  p_now timestamptz default now(), p_confirm jsonb default '[]')
returns jsonb
language sql volatile security definer set search_path = ''
as $$
  select private.end_waiting(p_id, p_outcome, jsonb_build_object('key', gen_random_uuid(),
    'table_name', p_table, 'confirm', p_confirm), private.clock(p_now))
$$;
comment on function public.end_waiting(uuid, text, text, timestamptz, jsonb) is
  'A waiting party is seated (and becomes a walk-in at p_table) or left; null brings back one that left: saved, not_found, conflict, or what the tap asks (private.refused_tap) and p_confirm does not answer.';

create or replace function private.take_waiting_tap(p_location uuid, p_tap jsonb, p_now timestamptz)
  returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  v_answer jsonb := jsonb_build_object('key', v_key);
  v_outcome text := case v_action when 'wait_seat' then 'seated' when 'wait_leave' then 'left' end;
  v_entry public.waitlist;
begin
  select * into v_entry from public.waitlist w where w.location_id = p_location
    and w.id = case when v_action = 'wait_join' then v_key else (p_tap ->> 'waiting_id')::uuid end;
  if v_action = 'wait_join' then
    return v_answer || jsonb_build_object('outcome', case when v_entry.id is not null then 'repeated'
      when public.join_waitlist(p_location, p_tap, p_now) is null then 'waitlist_full' else 'saved' end);
  elsif v_entry.id is null then
    return v_answer || '{"outcome": "not_found"}';
  elsif exists (select from private.service_taps t where t.key = v_key) then
    return v_answer || '{"outcome": "repeated"}';
  end if;
  -- Who left twice has left.
  v_answer := v_answer || case when v_action <> 'wait_seat' and v_entry.outcome is not distinct from v_outcome
    then '{"outcome": "repeated"}' else private.end_waiting(v_entry.id, v_outcome, p_tap, p_now) end;
  -- The walk-in that a seated party becomes has stored the key.
  insert into private.service_taps (key, organization_id, waitlist_id, action, before, after, taken_at)
  select v_key, v_entry.organization_id, v_entry.id, v_action, '{}', '{}', p_now
  where v_action <> 'wait_seat' and v_answer ->> 'outcome' in ('saved', 'repeated');
  return v_answer;
end
$$;
comment on function private.take_waiting_tap(uuid, jsonb, timestamptz) is
  'Applies one tap of the waitlist, once, under lock_identities: wait_join (its key becomes the party''s id), or wait_seat, wait_leave or wait_return of waiting_id. Answers as take_tap; waitlist_full: 200 wait already.';
grant execute on function public.join_waitlist(uuid, jsonb, timestamptz), public.list_waiting(uuid),
  public.call_waiting(uuid, text[], timestamptz), public.end_waiting(uuid, text, text, timestamptz, jsonb)
    to authenticated;
-- << supabase/logic/service/waitlist.sql

reset check_function_bodies;
