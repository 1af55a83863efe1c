-- Schema 20261128183900. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- What went, or cannot be replaced

drop function public.save_hours(uuid, jsonb, jsonb);

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261128183900', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/messages/replies.sql
-- Answers of guests to confirmations. lib/replies reads the text; the functions here find the reservation
-- and decide whether the answer is certain. A certain answer marks the reservation and gets a
-- short reply; any other opens a ticket for staff.

create or replace function private.sender_addresses(p_organization uuid, p_channel text, p_phone text,
  p_whatsapp_id text)
returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select p_phone where p_phone is not null
    union
    select known.address from (
      select p_whatsapp_id as address
      union all
      select unnest(private.whatsapp_addresses_of(person.id)) from (
        select c.id from public.customers c where c.organization_id = p_organization and c.phone = p_phone
        union
        select c.id from public.customers c
        where c.organization_id = p_organization and c.whatsapp_id = p_whatsapp_id) as person
    ) as known where p_channel = 'whatsapp' and known.address is not null)
$$;
comment on function private.sender_addresses(uuid, text, text, text) is
  'The addresses by which a sender may have been written to by the channel: for WhatsApp all numbers and ids of the person.';

create or replace function private.is_senders(m public.messages, p_phone text, p_whatsapp_id text)
  returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(m.recipient in (p_phone, p_whatsapp_id), false) or exists (
    select 1 from public.customers c
    where c.organization_id = m.organization_id and (c.phone = p_phone or c.whatsapp_id = p_whatsapp_id)
      and (c.id = m.customer_id or m.recipient in (c.phone, c.whatsapp_id)))
$$;
comment on function private.is_senders(public.messages, text, text) is
  'Whether the message went to the sender: to a present address of theirs, or to one of their customers. A former number may be another guest''s now.';

create or replace function private.is_question(m public.messages) returns boolean
language sql stable set search_path = ''
as $$
  select m.reservation_id is not null and exists (
    select 1 from public.automations a
    where a.id = m.automation_id and a.type = 'reservation_confirmation'
      and a.criteria ->> 'answers' = 'true')
$$;
comment on function private.is_question(public.messages) is
  'Whether the message is a confirmation with answers on.';

create or replace function private.last_question(p_organization uuid, p_channel text, p_addresses text[],
  p_at timestamptz)
returns public.messages
language sql stable set search_path = ''
as $$
  select m.* from public.messages m
  join public.reservations r on r.id = m.reservation_id
  join public.locations l on l.id = r.location_id
  where m.organization_id = p_organization and m.recipient = any(p_addresses) and m.channel = p_channel
    and m.created_at > p_at - interval '90 days' and m.status in ('sending', 'sent', 'delivered', 'unknown')
    and private.is_question(m) and r.service_order at time zone l.timezone > p_at - interval '1 day'
  order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1
$$;
comment on function private.last_question(uuid, text, text[], timestamptz) is
  'The last confirmation to one of the addresses about a reservation that is ahead, or ended within a day.';

create or replace function private.reply_obstacle(p_question public.messages, r public.reservations,
  p_starts timestamptz, p_reply jsonb, p_addresses text[], p_at timestamptz)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_intent text := p_reply ->> 'intent';
  v_answer text := case v_intent when 'confirm' then 'confirmed' when 'cancel' then 'cancelled' end;
  v_last public.messages;
begin
  if v_answer is null then
    return 'unclear';
  elsif not private.is_senders(p_question, p_reply ->> 'phone', p_reply ->> 'whatsapp_id') then
    return 'another_number';
  elsif p_starts <= p_at then
    return 'too_late';
  elsif exists (
    select 1 from public.reservations other
    join public.locations l on l.id = other.location_id
    where other.organization_id = r.organization_id and other.id <> r.id and other.source <> 'import'
      and other.status in ('pending', 'confirmed') and other.service_order at time zone l.timezone > p_at
      and other.customer_id in (
        select r.customer_id
        union
        select c.id from public.customers c
        where c.organization_id = r.organization_id and c.phone = any(p_addresses)
        union
        select c.id from public.customers c
        where c.organization_id = r.organization_id and c.whatsapp_id = any(p_addresses))) then
    return 'several';
  end if;
  -- The last message to them on this channel; our replies are part of the conversation.
  select * into v_last from public.messages m
  where m.organization_id = p_question.organization_id and m.recipient = any(p_addresses)
    and m.channel = p_question.channel and m.created_at > p_at - interval '90 days'
    and m.status in ('sending', 'sent', 'delivered', 'unknown')
  order by coalesce(m.sent_at, m.created_at) desc, m.id = p_question.id desc limit 1;
  if v_last.reservation_id is distinct from r.id
    or not (private.is_question(v_last) or v_last.purpose = 'reply')
    or p_reply ->> 'answers' is not null and not exists (
      select 1 from public.messages quoted
      where quoted.provider = any(private.providers_of(p_question.channel))
        and quoted.provider_id = p_reply ->> 'answers'
        and quoted.reservation_id = r.id
        and (private.is_question(quoted) or quoted.purpose = 'reply')) then
    return 'another_message';
  elsif r.guest_answer is null
    and coalesce(v_last.sent_at, v_last.created_at) < p_at - make_interval(hours => (
    select (a.criteria ->> 'answer_hours')::integer from public.automations a
    where a.id = p_question.automation_id)) then
    return 'old';
  elsif p_question.content -> 'about' is distinct from jsonb_build_object('date', r.reservation_date,
      'time', to_char(r.reservation_time, 'HH24:MI'), 'party_size', r.party_size)
    or not (r.status in ('pending', 'confirmed') or r.status = 'cancelled' and r.guest_answer is not distinct
      from 'cancelled') then
    return 'changed';
  -- Their table may be another party's since they cancelled; one that is only on offer is theirs again.
  elsif v_intent = 'confirm' and r.status = 'cancelled'
    and (private.is_closed_at(r.location_id, r.service_date, r.reservation_time, r.zone_name, r.table_name)
      or r.table_name is not null and not private.table_is_free(r.location_id, r.table_name, p_starts,
        r.party_size, p_at, (
          select o.id from private.table_offers o where o.reservation_id = r.id and o.outcome is null))) then
    return 'changed';
  -- Twilio sends no time of writing: the order of two contradicting messages at the same time is unknown.
  elsif r.guest_answer <> v_answer and p_at < r.guest_answered_at + interval '10 seconds' then
    return 'contradiction';
  elsif (
    select count(*) from public.messages m
    where m.reservation_id = r.id and m.purpose = 'reply' and m.created_at > p_at - interval '1 hour')
      >= 6 then
    return 'too_many';
  end if;
  return null;
end
$$;
comment on function private.reply_obstacle(public.messages, public.reservations, timestamptz, jsonb, text[], timestamptz) is
  'The reason why staff have to read a reply; null when it is certain: unclear, another_number, too_late, several, another_message, old, changed (the reservation since they were asked, or their table was given away or is closed), contradiction, too_many.';

create or replace function private.ticket_for_reply(p_question public.messages, r public.reservations,
  p_starts timestamptz, p_reply jsonb, p_reason text, p_at timestamptz, p_words jsonb)
returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := case p_question.channel when 'whatsapp' then 'WhatsApp' else 'SMS' end;
  v_text text := coalesce(nullif(btrim(left(p_reply ->> 'text', 500)), ''), p_words ->> 'no_text');
  v_due timestamptz := greatest(p_starts - interval '30 minutes', p_at + interval '5 minutes');
  v_ticket uuid;
begin
  -- One ticket per conversation: further messages are added while it is open.
  select t.id into v_ticket from public.tickets t
  where t.organization_id = r.organization_id and t.customer_id = p_question.customer_id
    and t.reservation_id is not null and t.status in ('open', 'in_progress', 'waiting')
  order by t.number desc limit 1 for update;
  if v_ticket is not null then
    if (select count(*) from public.ticket_comments c where c.ticket_id = v_ticket) < 50 then
      insert into public.ticket_comments (ticket_id, author_name, body, created_at)
        values (v_ticket, v_channel, v_text, p_at);
      update public.tickets set changes = changes + 1 where id = v_ticket;
    end if;
    return v_ticket;
  end if;
  insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
    reservation_id, created_at)
  select r.organization_id,
    left(private.worded(p_words ->> 'subject', jsonb_build_object('name', coalesce(
      nullif(concat_ws(' ', c.first_name, c.last_name), ''), r.customer_name, p_words ->> 'nobody'),
      'date', to_char(r.reservation_date, p_words ->> 'date'),
      'time', to_char(r.reservation_time, 'HH24:MI'))), 200),
    private.worded(p_words ->> 'description', jsonb_build_object('channel', v_channel, 'text', v_text,
      'reason', p_words -> 'reasons' ->> p_reason)),
    case when p_at + private.sla_length('medium') <= v_due or p_starts <= p_at then 'medium'
      when p_at + private.sla_length('high') <= v_due then 'high' else 'urgent' end,
    r.location_id, p_question.customer_id, r.id, p_at
  from (select 1) as one left join public.customers c on c.id = p_question.customer_id
  returning id into v_ticket;
  if p_starts > p_at then
    update public.tickets set sla_due_at = least(sla_due_at, v_due) where id = v_ticket;
  end if;
  return v_ticket;
end
$$;
comment on function private.ticket_for_reply(public.messages, public.reservations, timestamptz, jsonb, text, timestamptz, jsonb) is
  'Passes a reply to staff: as a comment on the open ticket of the guest''s conversation, else as a new ticket, due before the reservation. p_words: those of lib/tickets/guest-ticket-words.json for replies, in one language.';

create or replace function private.mark_by_guest(r public.reservations, p_answer text, p_channel text,
  p_at timestamptz)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_next public.reservations := r;
begin
  v_next.status := p_answer;
  v_next.staff_marks := private.marks_of(r, v_next);
  update public.reservations set status = v_next.status, staff_marks = v_next.staff_marks,
    guest_answer = p_answer, guest_answered_at = p_at
  where id = r.id;
  perform private.refresh_customers(array_remove(array[r.customer_id], null));
  perform private.audit(r.organization_id, 'reservation.answered', r.id, jsonb_strip_nulls(jsonb_build_object(
    'answer', p_answer, 'channel', p_channel, 'status', case when r.status <> p_answer then
      jsonb_build_object('from', r.status, 'to', p_answer, 'pms', v_next.staff_marks ->> 'status') end)));
end
$$;
comment on function private.mark_by_guest(public.reservations, text, text, timestamptz) is
  'Marks a reservation as confirmed or cancelled by its guest, as staff do: the mark stays while the PMS sends the value of this moment.';

-- With its owner's rights, for the audit log.
create or replace function public.take_reply(p_organization uuid, p_reply jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_channel text := p_reply ->> 'channel';
  v_addresses text[] := private.sender_addresses(p_organization, v_channel, p_reply ->> 'phone',
    p_reply ->> 'whatsapp_id');
  v_answer text := case p_reply ->> 'intent' when 'confirm' then 'confirmed'
    when 'cancel' then 'cancelled' end;
  v_question public.messages := private.last_question(p_organization, v_channel, v_addresses, p_at);
  r public.reservations;
  l public.locations;
  v_starts timestamptz;
  v_obstacle text;
  v_number text := coalesce(p_reply ->> 'phone', v_question.recipient);
begin
  if v_question.id is null then
    return jsonb_build_object('outcome', 'not_asked');
  end if;
  -- Kept permanently: the provider signs no time, and a replay would override the guest's later answer.
  insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
  values (p_organization, 'reply:' || (p_reply ->> 'id'), p_at, true) on conflict do nothing;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  -- One after another, also with the sync, which takes the same lock.
  perform private.lock_identities(p_organization);
  select * into r from public.reservations where id = v_question.reservation_id for update;
  select * into l from public.locations where id = r.location_id;
  v_starts := r.service_order at time zone l.timezone;
  if p_reply ->> 'intent' = 'courtesy' and r.guest_answer is not null then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  v_obstacle := private.reply_obstacle(v_question, r, v_starts, p_reply, v_addresses, p_at);
  if v_obstacle is not null then
    return jsonb_build_object('outcome', 'ticket', 'reason', v_obstacle,
      'ticket_id', private.ticket_for_reply(v_question, r, v_starts, p_reply, v_obstacle, p_at,
        p_words -> case when private.in_english(v_number) then 'en' else 'es' end));
  elsif r.guest_answer = v_answer and r.status = v_answer then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  perform private.mark_by_guest(r, v_answer, v_channel, p_at);
  insert into public.messages (organization_id, kind, purpose, customer_id, reservation_id, location_id,
    channel, recipient, dedupe_key, content, not_before, created_at)
  values (p_organization, 'transactional', 'reply', r.customer_id, r.id, r.location_id, v_channel,
    v_number, 'reply:' || (p_reply ->> 'id'),
    private.guest_text('booking_' || v_answer,
      coalesce(p_reply ->> 'language' = 'en', private.in_english(v_number)),
      jsonb_build_object('location', l.name, 'date', r.reservation_date,
        'time', to_char(r.reservation_time, 'HH24:MI')),
      least(v_starts, p_at + interval '1 hour')) || jsonb_build_object('event_datetime', v_starts),
    p_at, p_at);
  return jsonb_build_object('outcome', v_answer, 'reservation_id', r.id);
end
$$;
comment on function public.take_reply(uuid, jsonb, jsonb, timestamptz) is
  'Handles a guest''s message {id: the provider''s, channel, phone, whatsapp_id, answers: the provider''s id of the message quoted, intent: confirm, cancel, courtesy or null, language, text}, once. p_words: those of lib/tickets/guest-ticket-words.json for replies, by language. Outcome: confirmed or cancelled (marked, and a reply queued), ticket (with the reason), nothing (thanks, or the same answer again), not_asked, repeated.';
grant execute on function public.take_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/messages/replies.sql

-- >> supabase/logic/reservations/changes.sql
-- Creating and changing reservations by hand, in the caller's own locations.

create or replace function private.reservation_json(p_reservation public.reservations) returns jsonb
language sql stable set search_path = ''
as $$
  select to_jsonb(p_reservation) - array['organization_id', 'customer_email', 'customer_phone', 'created_at',
      'updated_at', 'service_date', 'service_order', 'service_over', 'counts_unmarked', 'staff_marks',
      'search_name', 'erased_at', 'walk_in', 'arrived_at', 'seated_at', 'finished_at', 'guest_answer',
      'guest_answered_at', 'email_unread']
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
  v_next.status := coalesce(v_next.status, 'pending');
  -- Back to the PMS's own spelling is back to its value: no mark is left.
  if (v_next.table_name, v_next.location_id) is distinct from (v_old.table_name, v_old.location_id)
    and v_next.table_name is distinct from v_old.staff_marks ->> 'table_name' then
    v_next.table_name := private.tables_as_written(v_next.location_id, v_next.table_name);
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
  if v_old.source = 'pms' and not v_changed <@ array['status', 'total_amount', 'table_name', 'notes'] then
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
  'Creates a manual reservation, or changes the fields given (of a PMS reservation status, total_amount, table_name and notes, as staff marks). p_fields may also have link (existing with customer_id, new, none), confirm and loaded. Outcome saved (with reservation), contact_of_another (with candidates), asks (as reservation_questions), skipped_time (the clocks skip it), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), managed, unknown_location, unknown_customer, malformed (with its field) or forbidden.';

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

-- >> supabase/logic/service/closings.sql
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
-- << supabase/logic/service/closings.sql

-- >> supabase/logic/service/setup.sql
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
  select jsonb_build_object('tables', coalesce(jsonb_agg(jsonb_build_object('zone', t.zone, 'name', t.name,
    'capacity', t.capacity, 'is_active', t.is_active)
    -- As people count: 2 before 10.
    order by t.zone nulls last, substring(t.name from '^\D*'),
      substring(t.name from '\d+')::numeric nulls first, t.name), '[]'))
  from public.dining_tables t where t.location_id = p_location
$$;
comment on function private.tables_json(uuid) is 'The tables of a location, as the audit log shows them.';

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
  v_before jsonb;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for no key update;
  if v_location.id is null then
    return 'not_found';
  end if;
  v_before := private.tables_json(p_location);
  delete from public.dining_tables where location_id = p_location;
  insert into public.dining_tables (organization_id, location_id, zone, name, capacity, is_active)
  select v_location.organization_id, p_location, t.zone, t.name, t.capacity, coalesce(t.is_active, true)
  from jsonb_to_recordset(p_tables) as t (zone text, name text, capacity integer, is_active boolean);
  perform private.audit_setup(v_location, 'location.tables_changed', v_before,
    private.tables_json(p_location));
  return 'saved';
exception
  when unique_violation then return 'repeated';
end
$$;
comment on function public.save_tables(uuid, jsonb) is
  'Replaces the tables [{zone, name, capacity, is_active}] of a location: saved, not_found or repeated (a name twice).';

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
-- << supabase/logic/service/setup.sql

-- >> supabase/logic/service/table_offers.sql
-- A table that was given back is offered to the waitlist by SMS or WhatsApp, one party after the other, where
-- the organization wants it (offer_tables_minutes). A clear yes books it. All that takes a table holds
-- lock_identities, as do staff's changes and the sync, so a table is never given to two.

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
      and not private.is_closed_at(l.id, r.service_date, r.reservation_time, r.zone_name, r.table_name)
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
  'Handles a guest''s reply to an offer of a freed table, or to our answer about that offer, when that was our last message to the guest. p_reply: as for take_reply. p_words: the texts for offers in lib/tickets/guest-ticket-words.json, by language. Returns {outcome, reservation_id (only when booked)}. Outcomes: accepted (booked, and the guest is told), declined, gone (a yes that came too late: the guest is told, and staff get a ticket), ticket (staff must read it: unclear, from another number, or the offer has ended), nothing (thanks, or a second yes), not_asked (our last message was no offer, or the reply quotes another message), repeated (the provider delivered this reply before; nothing changes).';
grant execute on function   private.close_offers(uuid, timestamptz) to service_role;
grant execute on function public.offer_freed_tables(uuid, text[], timestamptz),
  public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/service/table_offers.sql

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
      when p_now - s.booked between interval '0' and interval '60 minutes' then p_now + s.stay
      else s.booked + s.stay end) as b (starts_at, ends_at)
  where l.id = p_location
    and r.service_date between (p_from at time zone l.timezone)::date - 1
      and (p_from at time zone l.timezone)::date + 1
    and r.source <> 'import' and r.status in ('pending', 'confirmed', 'seated')
    -- A party that staff did not mark as gone left when the service ended.
    and (r.status <> 'seated' or r.service_date >= private.current_service(l.timezone, p_now))
    and private.table_names(r.table_name) && p_tables
    and tstzrange(b.starts_at, b.ends_at)
      && tstzrange(p_from, p_from + private.stay_of(p_party_size, l.stay_minutes))
$$;
comment on function private.parties_at(uuid, text[], timestamptz, integer, timestamptz) is
  'The parties that come to or sit at one of these tables during a usual stay from p_from, each with its own time there. One that is late is waited for an hour, one that sits longer than usual is taken to leave in 15 minutes.';

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

-- >> supabase/logic/service/waitlist.sql
-- The waitlist: parties join, are called by SMS or WhatsApp, and are seated or leave. Ended entries are kept
-- for 30 days (tidy_up).

create or replace function public.join_waitlist(p_location uuid, p_entry jsonb,
  p_now timestamptz default now()) returns uuid
language sql volatile security definer set search_path = ''
as $$
  insert into public.waitlist (organization_id, location_id, name, phone, party_size, quoted_minutes, notes,
    joined_at)
  select l.organization_id, l.id, e.name, e.phone, e.party_size, e.quoted_minutes, nullif(btrim(e.notes), ''),
    private.clock(p_now)
  from public.locations l
  cross join jsonb_to_record(p_entry) as e (name text, phone text, party_size integer, quoted_minutes integer,
    notes text)
  where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and (select count(*) from public.waitlist w where w.location_id = l.id and w.outcome is null) < 200
  returning id
$$;
comment on function public.join_waitlist(uuid, jsonb, timestamptz) is
  'Adds a party {name, phone, party_size, quoted_minutes, notes} to a location''s waitlist, and returns its id; null without the right, and when 200 already wait.';

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
        select jsonb_build_object('table_name', o.table_name, 'at', o.starts_at, 'expires_at', o.expires_at,
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

create or replace function public.end_waiting(p_id uuid, p_outcome text, p_table text default null,
  p_now timestamptz default now(), p_confirm jsonb default '[]')
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_entry public.waitlist;
  v_answer jsonb;
  v_contact jsonb;
  v_reservation uuid;
begin
  p_now := private.clock(p_now);
  select * into v_entry from public.waitlist w
  where w.id = p_id
    and w.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_entry.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif (v_entry.outcome is null) = (p_outcome is null) or v_entry.outcome in ('seated', 'booked') then
    return jsonb_build_object('outcome', 'conflict');
  end if;
  if p_outcome = 'seated' then
    v_answer := private.take_tap(v_entry.location_id,
      jsonb_build_object('key', gen_random_uuid(), 'action', 'walk_in',
      'party_size', v_entry.party_size, 'customer_name', v_entry.name, 'table_name', p_table,
      'confirm', p_confirm), p_now);
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
  return jsonb_build_object('outcome', 'saved', 'reservation_id', v_reservation);
end
$$;
comment on function public.end_waiting(uuid, text, text, timestamptz, jsonb) is
  'A waiting party is seated (and becomes a walk-in at p_table) or left; null brings back one that left: saved, not_found, conflict, or what the tap asks (private.refused_tap) and p_confirm does not answer.';
grant execute on function public.join_waitlist(uuid, jsonb, timestamptz), public.list_waiting(uuid),
  public.call_waiting(uuid, text[], timestamptz), public.end_waiting(uuid, text, text, timestamptz, jsonb)
    to authenticated;
-- << supabase/logic/service/waitlist.sql

reset check_function_bodies;

-- Rows

-- Coming reservations by staff name their tables as the location does, so that they are compared.
update public.reservations r set table_name = private.tables_as_written(r.location_id, r.table_name)
from public.locations l
where r.location_id = l.id and r.service_date >= current_date - 1 and r.source = 'manual'
  and r.table_name is not null
  and r.table_name is distinct from private.tables_as_written(r.location_id, r.table_name);
