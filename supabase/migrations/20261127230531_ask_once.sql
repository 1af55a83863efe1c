-- Schema 20261127230531. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261127230531', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/messages/bucket.sql
-- The bucket of Supabase Storage for images in e-mails. It is public, because mail programs have no key.
-- Only the service role can write to it, because storage.objects has no policy. It stands in supabase/logic,
-- because db:release copies each changed file of this folder into a migration, and compares no rows.

do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values ('email-images', 'email-images', true, 2097152,
      array['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
    on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;
  end if;
end
$$;
-- << supabase/logic/messages/bucket.sql

-- >> supabase/logic/reservations/changes.sql
-- Creating and changing reservations by hand, in the caller's own locations.

create or replace function private.match_customer(p_organization uuid, p_email text, p_phone text,
  p_name text) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_first text := nullif(split_part(p_name, ' ', 1), '');
  v_last text := nullif(btrim(substr(p_name, length(split_part(p_name, ' ', 1)) + 2)), '');
  v_id uuid;
  v_is_new boolean;
begin
  select m.customer_id, m.is_new into v_id, v_is_new
  from private.match_people(p_organization, jsonb_build_array(jsonb_build_object('place', 1,
    'email', p_email, 'phone', p_phone, 'first_name', v_first, 'last_name', v_last))) as m;
  if v_is_new then
    insert into public.customers (id, organization_id, source, email, phone, first_name, last_name)
    values (v_id, p_organization, 'Manual', p_email, p_phone, v_first, v_last);
    perform private.suggest_for(v_id);
    perform private.audit(p_organization, 'customer.created', v_id);
    return v_id;
  end if;
  -- Contact data of one booking fills blanks, but replaces no value.
  update public.customers c set email = coalesce(c.email, p_email), phone = coalesce(c.phone, p_phone),
    first_name = case when coalesce(c.first_name, c.last_name) is null then v_first else c.first_name end,
    last_name = case when coalesce(c.first_name, c.last_name) is null then v_last else c.last_name end
  where c.id = v_id
    and ((c.email is null and p_email is not null) or (c.phone is null and p_phone is not null)
    or (coalesce(c.first_name, c.last_name) is null and v_first is not null));
  insert into public.customer_aliases (organization_id, customer_id, email)
  select p_organization, v_id, p_email from public.customers c where c.id = v_id and c.email <> p_email
  on conflict (organization_id, email) where email is not null do nothing;
  return v_id;
end
$$;
comment on function private.match_customer(uuid, text, text, text) is
  'The customer behind an e-mail (first) or phone, created when there is none; fills blanks and keeps a new e-mail as an alias. Call it under lock_identities.';

create or replace function private.contact_owners(p_organization uuid, p_email text, p_phone text,
  p_name text)
returns table (id uuid, name text, by_phone boolean, agrees boolean, is_same boolean)
language sql stable set search_path = ''
as $$
  with owned as (
    select c.id, false as by_phone from public.customers c where c.organization_id = p_organization
      and c.email = p_email
    union select a.customer_id, false from public.customer_aliases a
    where a.organization_id = p_organization and a.email = p_email
    union select o.customer_id, true from private.phone_owners(p_organization, array[p_phone]) as o
  )
  select c.id, nullif(concat_ws(' ', c.first_name, c.last_name), ''), o.by_phone,
    private.names_agree(named.typed, named.theirs),
    named.typed <> '' and named.typed = named.theirs
  from owned o join public.customers c on c.id = o.id
  cross join lateral (select private.name_key(p_name),
    private.name_key(concat_ws(' ', c.first_name, c.last_name)))
    as named (typed, theirs)
$$;
comment on function private.contact_owners(uuid, text, text, text) is
  'The customers whom an e-mail or a phone belongs to. agrees: not of a different name (one name has all words of the other, or one is missing); is_same: of the same name.';

create or replace function private.owners_of_another_name(p_organization uuid, p_email text, p_phone text,
  p_name text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
  from (
    select distinct o.id, o.name
    from (
      select k.*, bool_or(k.agrees) over (partition by k.by_phone) as is_known
      from private.contact_owners(p_organization, p_email, p_phone, p_name) as k) as o
    where not o.is_known limit 20) as x
$$;
comment on function private.owners_of_another_name(uuid, text, text, text) is
  'The customers [{id, name}], at most 20, to whom the e-mail or the phone belongs when none of its owners has the name; else null.';

create or replace function private.own_customer(p_organization uuid, p_email text, p_phone text, p_name text)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_first text := nullif(split_part(p_name, ' ', 1), '');
  v_last text := nullif(btrim(substr(p_name, length(split_part(p_name, ' ', 1)) + 2)), '');
  v_taken constant boolean[] := (
    select array[coalesce(bool_or(not o.by_phone), false), coalesce(bool_or(o.by_phone), false)]
    from private.contact_owners(p_organization, p_email, p_phone, p_name) as o);
  v_id uuid;
begin
  insert into public.customers (organization_id, source, email, phone, first_name, last_name)
  values (p_organization, 'Manual', case when not v_taken[1] then p_email end,
    case when not v_taken[2] then p_phone end, v_first, v_last)
  returning id into v_id;
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select p_organization, v_id, p_phone where v_taken[2];
  perform private.suggest_for(v_id);
  perform private.audit(p_organization, 'customer.created', v_id);
  return v_id;
end
$$;
comment on function private.own_customer(uuid, text, text, text) is
  'A new customer of that name. A shared phone becomes a further phone of theirs; a shared e-mail stays with its owner.';

create or replace function private.take_contact(p_customer uuid, p_email text, p_phone text) returns void
language sql volatile set search_path = ''
as $$
  update public.customers c
    set phone = coalesce(c.phone, p_phone), email = coalesce(c.email, case when not exists (
    select from private.contact_owners(c.organization_id, p_email, null, null)) then p_email end)
  where c.id = p_customer
    and (c.phone is null and p_phone is not null or c.email is null and p_email is not null)
$$;
comment on function private.take_contact(uuid, text, text) is 'Fills a customer''s blanks with the contact data of a booking; takes no other''s e-mail.';

create or replace function private.reservation_json(p_reservation public.reservations) returns jsonb
language sql stable set search_path = ''
as $$
  select to_jsonb(p_reservation) - array['organization_id', 'customer_email', 'customer_phone', 'created_at',
      'updated_at', 'service_date', 'service_order', 'service_over', 'counts_unmarked', 'staff_marks',
      'search_name',
      'erased_at', 'walk_in', 'arrived_at', 'seated_at', 'finished_at', 'guest_answer', 'guest_answered_at']
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
    from unnest(array['status', 'table_name', 'notes']) as field
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
      counts_unmarked = p_counts_unmarked
    where r.id = p_next.id
    returning * into v_saved;
  end if;
  return v_saved;
end
$$;
comment on function private.write_reservation(public.reservations, boolean) is
  'Inserts a reservation made by hand (id null), or changes one; returns it as saved.';

create or replace function private.customer_of_contact(p_old public.reservations, p_next public.reservations,
  p_changed text[], p_link text, p_chosen uuid, p_is_floor boolean, out customer_id uuid, out refusal jsonb)
language plpgsql volatile set search_path = ''
as $$
declare
  -- A contact that was there before has been decided on.
  v_email constant text := case when 'customer_email' = any(p_changed) then p_next.customer_email end;
  v_phone constant text := case when 'customer_phone' = any(p_changed) then p_next.customer_phone end;
  v_owners jsonb;
begin
  if p_is_floor then
    -- Floor staff do not learn whether others have the contact: a guest of the typed name and contact, or
    -- none.
    customer_id := p_next.customer_id;
    if p_link = 'none' or p_old.customer_id is null or 'customer_name' = any(p_changed) then
      customer_id := (
        select o.id
        from private.contact_owners(p_next.organization_id, v_email, v_phone, p_next.customer_name) as o
        where p_link is null and o.is_same order by o.by_phone, o.id limit 1);
    end if;
    return;
  elsif p_link = 'none' or coalesce(p_next.customer_email, p_next.customer_phone) is null then
    return;
  elsif p_link = 'new' then
    customer_id := private.own_customer(p_next.organization_id, p_next.customer_email, p_next.customer_phone,
      p_next.customer_name);
    return;
  end if;
  v_owners := private.owners_of_another_name(p_next.organization_id, v_email, v_phone, p_next.customer_name);
  customer_id := p_chosen;
  if customer_id is not null and not exists (
    select from private.contact_owners(p_next.organization_id, p_next.customer_email, p_next.customer_phone,
      null) as o
    where o.id = customer_id) then
    refusal := jsonb_build_object('outcome', 'unknown_customer');
    return;
  elsif p_link = 'existing' and jsonb_array_length(v_owners) = 1 then
    customer_id := (v_owners #>> '{0,id}')::uuid;
  end if;
  if v_owners is not null and customer_id is null then
    refusal := jsonb_build_object('outcome', 'contact_of_another', 'candidates', case
      when exists (select from private.my_organizations('canAccessClientes')) then v_owners else '[]' end);
  elsif customer_id is not null then
    perform private.take_contact(customer_id, p_next.customer_email, p_next.customer_phone);
  else
    customer_id := private.match_customer(p_next.organization_id, p_next.customer_email,
      p_next.customer_phone, p_next.customer_name);
  end if;
end
$$;
comment on function private.customer_of_contact(public.reservations, public.reservations, text[], text, uuid, boolean) is
  'Whose a reservation is after its contact was changed by hand: customer_id, null for nobody. Creates a customer when p_link is new, or when nobody has the contact. p_link: as link of save_reservation; p_chosen: the customer_id that came with existing; p_is_floor: whether the caller is floor staff. refusal, in place of a customer: the answer of save_reservation (unknown_customer, contact_of_another). Call it under lock_identities.';

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

create or replace function public.save_reservation(p_fields jsonb, p_id uuid default null) returns jsonb
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
  v_is_floor constant boolean := exists (
    select from public.profiles p where p.id = (select private.caller()) and p.role = 'sala');
  v_refusal jsonb;
  v_check text;
begin
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
  v_next.status := coalesce(v_next.status, 'pending');
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
  if v_old.source = 'pms' and not v_changed <@ array['status', 'total_amount', 'table_name', 'notes'] then
    return jsonb_build_object('outcome', 'managed');
  end if;
  if v_next.location_id is null or v_next.location_id <> all(v_locations) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  select * into v_location from public.locations where id = v_next.location_id;
  if 'total_amount' = any(v_changed) then
    if v_is_floor then
      return jsonb_build_object('outcome', 'forbidden');
    elsif v_next.total_amount > greatest(1000,
      10 * v_next.party_size * coalesce(v_location.average_spend_per_guest, 0))
      and not coalesce(p_fields -> 'confirm' ? 'unusual_amount', false) then
      return jsonb_build_object('outcome', 'asks', 'questions', '["UNUSUAL_AMOUNT"]'::jsonb);
    end if;
  end if;
  v_next.staff_marks := private.marks_of(v_old, v_next);
  -- A service that was closed stays closed, unless the reservation moves to another one.
  if p_id is null or v_changed && array['location_id', 'reservation_date', 'reservation_time'] then
    v_next.service_over := private.service_day(v_next.reservation_date, v_next.reservation_time)
      < private.current_service(v_location.timezone, now());
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
comment on function public.save_reservation(jsonb, uuid) is
  'Creates a manual reservation, or changes the fields given (of a PMS reservation status, total_amount, table_name and notes, as staff marks). p_fields may also have link (existing with customer_id, new, none), confirm and loaded. Outcome saved (with reservation), contact_of_another (with candidates), asks (with questions), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), managed, unknown_location, unknown_customer, malformed (with its field) or forbidden.';

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
grant execute on function public.save_reservation(jsonb, uuid), public.reservation_activity(uuid),
  public.log_reservations_export(jsonb) to authenticated;
-- << supabase/logic/reservations/changes.sql

-- >> supabase/logic/service/table_offers.sql
-- A table that was given back is offered to the waitlist by SMS or WhatsApp, one party after the other, where
-- the organization wants it (offer_tables_minutes). A clear yes books it. All that takes a table holds
-- lock_identities, as do staff's changes and the sync, so a table is never given to two.

create or replace function private.stay_of(p_party_size integer) returns interval
language sql immutable set search_path = ''
as $$
  select case when p_party_size <= 2 then interval '90 minutes'
    when p_party_size <= 6 then interval '120 minutes'
    else interval '150 minutes' end
$$;
comment on function private.stay_of(integer) is
  'How long a party of that size usually stays, as components/service/table-model.ts assumes.';

create or replace function private.table_names(p_table text) returns text[]
language sql immutable set search_path = ''
as $$ select array(select btrim(name) from unnest(string_to_array(p_table, '+')) as name
  where btrim(name) <> '') $$;
comment on function private.table_names(text) is 'The tables of a reservation: 4+5 are two joined ones.';

create or replace function private.table_is_free(p_location uuid, p_table text, p_from timestamptz,
  p_party_size integer, p_now timestamptz, p_except uuid default null)
returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
    select 1 from public.reservations r
    join public.locations l on l.id = r.location_id
    cross join lateral (
      select r.service_order at time zone l.timezone as booked, private.stay_of(r.party_size) as stay) as s
    where r.location_id = p_location
      and r.service_date between (p_from at time zone l.timezone)::date - 1
        and (p_from at time zone l.timezone)::date + 1
      and r.source <> 'import' and r.status in ('pending', 'confirmed', 'seated')
      and private.table_names(r.table_name) && private.table_names(p_table)
      and tstzrange(case r.status when 'seated' then least(coalesce(r.seated_at, s.booked), p_now)
        else s.booked end,
        case when r.status = 'seated'
          then greatest(coalesce(r.seated_at, s.booked) + s.stay, p_now + interval '15 minutes')
          when p_now - s.booked between interval '0' and interval '60 minutes' then p_now + s.stay
          else s.booked + s.stay end) && tstzrange(p_from, p_from + private.stay_of(p_party_size)))
    and not exists (
      select 1 from private.table_offers o
      where o.location_id = p_location and o.outcome is null and o.expires_at > p_now and o.id is distinct
        from p_except
        and private.table_names(o.table_name) && private.table_names(p_table))
$$;
comment on function private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) is
  'Whether no party that comes or sits has one of these tables during a usual stay from p_from, and none is offered it (but by the offer p_except).';

create or replace function private.close_offers(p_organization uuid, p_now timestamptz) returns void
language sql volatile set search_path = ''
as $$
  update private.table_offers o set ended_at = p_now,
    outcome = case when o.expires_at <= p_now then 'expired' else 'gone' end
  from public.waitlist w, public.reservations r
  where o.organization_id = p_organization and o.outcome is null and w.id = o.waitlist_id
    and r.id = o.reservation_id
    and (o.expires_at <= p_now or w.outcome is not null or w.called_at is not null
      or r.status not in ('cancelled', 'no_show'))
$$;
comment on function private.close_offers(uuid, timestamptz) is
  'Ends offers whose time is over, whose party no longer waits, or whose reservation is on again.';

create or replace function public.offer_freed_tables(p_organization uuid, p_channels text[],
  p_now timestamptz default now())
returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  o public.organizations;
  v_channels text[];
begin
  select * into o from public.organizations where id = p_organization;
  if o.offer_tables_minutes is null then
    return '{}';
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_now);
  with slots as (
    select r.id, r.location_id, r.table_name, l.name as place, l.timezone,
      greatest(r.service_order at time zone l.timezone, p_now) as starts_at, coalesce((
        select sum(coalesce(d.capacity, r.party_size)) from public.dining_tables d
        where d.location_id = r.location_id and d.is_active
        and d.name = any(private.table_names(r.table_name))), r.party_size) as seats
    from public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date = private.current_service(l.timezone, p_now)
    where l.organization_id = p_organization and l.is_active and r.source <> 'import'
      and r.status in ('cancelled', 'no_show') and not r.walk_in and r.table_name is not null
      and r.service_order at time zone l.timezone > p_now - interval '60 minutes'
      and r.service_order at time zone l.timezone <= p_now + interval '2 hours'
      and not exists (
        select 1 from private.table_offers f
        where f.reservation_id = r.id and (f.outcome is null or f.outcome = 'accepted'))
  ), pairs as (
    select s.*, w.id as waitlist_id, w.phone, w.party_size, w.joined_at, by.channel
    from slots s
    join public.waitlist w on w.location_id = s.location_id and w.outcome is null and w.called_at is null
      and w.phone is not null and w.party_size <= s.seats
    cross join lateral (
      -- WhatsApp allows free text only within 24 hours of the person's last message.
      select c.channel from unnest(array['whatsapp', 'sms']) with ordinality as c (channel, place)
      where c.channel = any(p_channels)
        and (c.channel = 'sms' or public.whatsapp_open(p_organization, w.phone, p_now))
        and not exists (
          select 1 from public.suppressions x
          where x.organization_id = p_organization and x.channel = c.channel and x.address = w.phone)
      order by c.place limit 1) as by
    where not exists (
        select 1 from private.table_offers f
        where f.waitlist_id = w.id and (f.outcome is null or f.reservation_id = s.id))
      and private.table_is_free(s.location_id, s.table_name, s.starts_at, w.party_size, p_now)
  -- The first who came for each table, one table for each party; of two reservations of one table, one.
  ), first_come as (
    select distinct on (p.id) p.* from pairs p order by p.id, p.joined_at, p.waitlist_id
  ), one_each as (
    select distinct on (f.waitlist_id) f.* from first_come f order by f.waitlist_id, f.starts_at, f.id
  ), chosen as (
    select e.*, gen_random_uuid() as offer_id, gen_random_uuid() as message_id,
      p_now + make_interval(mins => o.offer_tables_minutes) as expires_at
    from one_each e
    where not exists (
      select 1 from one_each other
      where other.location_id = e.location_id and other.id <> e.id
        and (other.starts_at, other.id) < (e.starts_at, e.id)
        and private.table_names(other.table_name) && private.table_names(e.table_name))
  ), told as (
    insert into public.messages (id, organization_id, kind, purpose, about_type, about_id, location_id,
      channel, recipient, dedupe_key, content, not_before, created_at)
    select c.message_id, p_organization, 'transactional', 'table_offer', 'table_offer', c.offer_id,
      c.location_id, c.channel, c.phone, 'offer:' || c.offer_id,
      private.guest_text('table_offer', private.in_english(c.phone), jsonb_build_object('party_size',
        c.party_size, 'location', c.place, 'time', to_char(c.starts_at at time zone c.timezone, 'HH24:MI'),
        'until', to_char(c.expires_at at time zone c.timezone, 'HH24:MI')), c.expires_at), p_now, p_now
    from chosen c
  ), offered as (
    insert into private.table_offers (id, organization_id, location_id, waitlist_id, reservation_id,
      table_name, starts_at, message_id, offered_at, expires_at)
    select c.offer_id, p_organization, c.location_id, c.waitlist_id, c.id, c.table_name, c.starts_at,
      c.message_id, p_now, c.expires_at
    from chosen c
  )
  select array_agg(distinct c.channel order by c.channel) into v_channels from chosen c;
  return coalesce(v_channels, '{}');
end
$$;
comment on function public.offer_freed_tables(uuid, text[], timestamptz) is
  'Ends old offers. Then offers each table that a cancellation or a no-show of the current services has freed to the first waiting party that fits, by the connected channels; no party is offered the same table twice. Returns the channels of the messages it queued. Call it again until there are none.';

create or replace function private.book_offer(o private.table_offers, w public.waitlist, l public.locations)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v public.reservations;
begin
  v.organization_id := o.organization_id;
  v.location_id := o.location_id;
  v.customer_name := w.name;
  v.customer_phone := w.phone;
  -- A phone of a guest with another name makes no guest of them: floor staff typed both.
  if private.owners_of_another_name(o.organization_id, null, w.phone, w.name) is null then
    v.customer_id := private.match_customer(o.organization_id, null, w.phone, w.name);
  end if;
  v.reservation_date := (o.starts_at at time zone l.timezone)::date;
  v.reservation_time := date_trunc('minute', o.starts_at at time zone l.timezone)::time;
  v.party_size := w.party_size;
  v.status := 'confirmed';
  v.notes := w.notes;
  v.table_name := o.table_name;
  v.service_over := false;
  v := private.write_reservation(v, l.count_unmarked_visits);
  perform private.refresh_customers(array_remove(array[v.customer_id], null));
  perform private.audit(o.organization_id, 'reservation.created', v.id, '{}');
  return v.id;
end
$$;
comment on function private.book_offer(private.table_offers, public.waitlist, public.locations) is
  'Books an offered table for the waiting party, like a reservation by staff; returns its id.';

create or replace function private.ticket_for_offer(o private.table_offers, w public.waitlist, p_channel text,
  p_reason text, p_text text, p_at timestamptz, p_words jsonb)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := case p_channel when 'whatsapp' then 'WhatsApp' else 'SMS' end;
  v_values jsonb := jsonb_build_object('name', w.name, 'table', o.table_name, 'channel', v_channel,
    'reason', p_words -> 'reasons' ->> p_reason,
    'text', coalesce(nullif(btrim(left(p_text, 500)), ''), p_words ->> 'no_text'));
  v_ticket uuid;
begin
  -- One ticket per offer: further messages are added while it is open.
  select t.id into v_ticket from public.tickets t
  where t.id = o.ticket_id and t.status in ('open', 'in_progress', 'waiting') for update;
  if v_ticket is not null then
    if (select count(*) from public.ticket_comments c where c.ticket_id = v_ticket) < 50 then
      insert into public.ticket_comments (ticket_id, author_name, body, created_at)
      values (v_ticket, v_channel, private.worded(p_words ->> 'comment', v_values), p_at);
      update public.tickets set changes = changes + 1 where id = v_ticket;
    end if;
    return;
  end if;
  insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
    created_at)
  values (o.organization_id, left(private.worded(p_words ->> 'subject', v_values), 200),
    private.worded(p_words ->> 'description', v_values), 'urgent', o.location_id, (
      select (array_agg(c.id))[1] from public.customers c
      where c.organization_id = o.organization_id and c.phone = w.phone having count(*) = 1), p_at)
  returning id into v_ticket;
  update private.table_offers set ticket_id = v_ticket where id = o.id;
end
$$;
comment on function private.ticket_for_offer(private.table_offers, public.waitlist, text, text, text, timestamptz, jsonb) is
  'Passes a message about an offer to staff: as a comment on the offer''s open ticket, else as a new one, of the guest who alone has the phone. p_words: those of lib/tickets/guest-ticket-words.json for offers, in one language.';

create or replace function public.take_offer_reply(p_organization uuid, p_reply jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_channel text := p_reply ->> 'channel';
  v_intent text := p_reply ->> 'intent';
  v_addresses text[] := private.sender_addresses(p_organization, v_channel, p_reply ->> 'phone',
    p_reply ->> 'whatsapp_id');
  v_last public.messages;
  o private.table_offers;
  w public.waitlist;
  l public.locations;
  v_booking uuid;
  v_english boolean;
  v_answered boolean;
  v_theirs boolean;
begin
  -- A reply of "1" can only mean our last message to the guest.
  select * into v_last from public.messages m
  where m.organization_id = p_organization and m.recipient = any(v_addresses) and m.channel = v_channel
    and m.created_at > p_at - interval '1 day' and m.status in ('sending', 'sent', 'delivered', 'unknown')
  order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1;
  v_answered := coalesce(v_last.purpose = 'table_offer_answer', false);
  select * into o from private.table_offers f
  where f.organization_id = p_organization and case when v_answered
    then f.id = v_last.about_id else f.message_id = v_last.id end;
  if o.id is null or p_reply ->> 'answers' is not null and v_last.provider_id is distinct
    from p_reply ->> 'answers' then
    return jsonb_build_object('outcome', 'not_asked');
  end if;
  insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
  values (p_organization, 'reply:' || (p_reply ->> 'id'), p_at, true) on conflict do nothing;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_at);
  select * into o from private.table_offers f where f.id = o.id for update;
  select * into w from public.waitlist e where e.id = o.waitlist_id for update;
  select * into l from public.locations p where p.id = o.location_id;
  v_theirs := private.is_senders(v_last, p_reply ->> 'phone', p_reply ->> 'whatsapp_id');
  v_english := coalesce(p_reply ->> 'language' = 'en', private.in_english(w.phone));
  if v_intent = 'courtesy' or v_intent = 'confirm' and (v_answered or o.outcome = 'accepted') then
    return jsonb_build_object('outcome', 'nothing');
  elsif v_intent = 'cancel' and o.outcome is null and v_theirs then
    update private.table_offers set outcome = 'declined', ended_at = p_at where id = o.id;
    return jsonb_build_object('outcome', 'declined');
  elsif v_intent = 'confirm' and o.outcome is null and v_theirs
    and private.table_is_free(o.location_id, o.table_name, o.starts_at, w.party_size, p_at, o.id) then
    v_booking := private.book_offer(o, w, l);
    update private.table_offers set outcome = 'accepted', ended_at = p_at, booking_id = v_booking
      where id = o.id;
    update public.waitlist set outcome = 'booked', ended_at = p_at where id = w.id;
  else
    perform private.ticket_for_offer(o, w, v_channel, case
      when not v_theirs then 'another_number'
      when v_intent = 'confirm' and w.outcome is null then 'too_late'
      when v_intent = 'confirm' then 'not_waiting'
      when o.outcome = 'accepted' then 'booked'
      else 'unclear' end, p_reply ->> 'text', p_at,
      p_words -> case when private.in_english(w.phone) then 'en' else 'es' end);
    if v_intent is distinct from 'confirm' or not v_theirs then
      return jsonb_build_object('outcome', 'ticket');
    end if;
    update private.table_offers set outcome = 'gone', ended_at = p_at where id = o.id and outcome is null;
  end if;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, reservation_id,
    location_id, channel, recipient, dedupe_key, content, not_before, created_at)
  select p_organization, 'transactional', 'table_offer_answer', 'table_offer', o.id, v_booking, o.location_id,
    v_channel, v_last.recipient, 'offer-answer:' || o.id || ':' || (p_reply ->> 'id'),
    private.guest_text(case when v_booking is not null then 'table_taken' when w.outcome is null
      then 'table_gone' else 'table_gone_not_waiting' end, v_english,
      jsonb_build_object('location', l.name, 'time', to_char(o.starts_at at time zone l.timezone, 'HH24:MI')),
      p_at + interval '1 hour'), p_at, p_at;
  return jsonb_build_object('outcome', case when v_booking is null then 'gone' else 'accepted' end,
    'reservation_id', v_booking);
end
$$;
comment on function public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) is
  'Handles a guest''s reply to the offer of a freed table, or to our answer about one, when that was our last message to them; once, also when the provider delivers the reply again. p_reply as take_reply takes it; p_words: those of lib/tickets/guest-ticket-words.json for offers, by language. Outcome: accepted (booked as reservation_id, and the guest is told), declined, gone (a yes that came too late: the guest is told, and staff get a ticket), ticket (for staff: unclear, from another number, or about an offer that has ended), nothing (thanks, or another yes), not_asked (our last message was about no offer, or the reply quotes another), repeated (delivered before).';
grant execute on function private.stay_of(integer), private.table_names(text),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid),
  private.close_offers(uuid, timestamptz) to service_role;
grant execute on function public.offer_freed_tables(uuid, text[], timestamptz),
  public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/service/table_offers.sql

reset check_function_bodies;
