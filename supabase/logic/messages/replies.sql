-- Answers of guests to confirmations. lib/replies reads the text; the functions here find the reservation
-- and decide whether the answer is certain. A certain answer marks the reservation and gets a
-- short reply; any other opens a ticket for staff.

create or replace function private.senders(p_organization uuid, p_phone text, p_whatsapp_id text)
  returns table (customer_id uuid)
language sql stable set search_path = ''
as $$
  with own as materialized (
    select c.id from public.customers c where c.organization_id = p_organization and c.phone = p_phone
    union
    select c.id from public.customers c
    where c.organization_id = p_organization and c.whatsapp_id = p_whatsapp_id
  )
  select id from own
  union
  select a.customer_id from public.customer_aliases a
  where a.organization_id = p_organization and a.phone = p_phone and not exists (select from own)
$$;
comment on function private.senders(uuid, text, text) is
  'The customers who write from the number or WhatsApp id: those whose own it is, else those who have the number as a further one.';

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
      select unnest(private.whatsapp_addresses_of(person.customer_id))
      from private.senders(p_organization, p_phone, p_whatsapp_id) as person
    ) as known where p_channel = 'whatsapp' and known.address is not null
    union
    select c.phone from private.senders(p_organization, p_phone, null) as person
    join public.customers c on c.id = person.customer_id
    where p_channel = 'sms' and c.phone is not null)
$$;
comment on function private.sender_addresses(uuid, text, text, text) is
  'The addresses by which a sender may have been written to by the channel: for WhatsApp all numbers and ids of the person, for SMS also the first phone of a person who has this one as a further one.';

create or replace function private.is_senders(m public.messages, p_phone text, p_whatsapp_id text)
  returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(m.recipient in (p_phone, p_whatsapp_id), false) or exists (
    select 1 from private.senders(m.organization_id, p_phone, p_whatsapp_id) as person
    join public.customers c on c.id = person.customer_id
    where c.id = m.customer_id or m.recipient in (c.phone, c.whatsapp_id))
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
      private.language_for(p_organization, r.customer_id, v_number, p_reply ->> 'language'),
      jsonb_build_object('location', l.name, 'date', r.reservation_date,
        'time', to_char(r.reservation_time, 'HH24:MI')),
      least(v_starts, p_at + interval '1 hour')) || jsonb_build_object('event_datetime', v_starts),
    p_at, p_at);
  return jsonb_build_object('outcome', v_answer, 'reservation_id', r.id);
end
$$;
comment on function public.take_reply(uuid, jsonb, jsonb, timestamptz) is
  'Handles a guest''s message {id: the provider''s, channel, phone, whatsapp_id, answers: the provider''s id of the message quoted, intent: confirm, cancel, courtesy or null, language, text}, once. p_words: those of lib/tickets/guest-ticket-words.json for replies, by language. Outcome: confirmed or cancelled (marked, and a reply queued), ticket (with the reason), nothing (thanks, or the same answer again), not_asked, repeated.';
grant execute on function private.senders(uuid, text, text),
  public.take_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
