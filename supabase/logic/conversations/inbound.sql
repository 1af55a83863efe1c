-- Texts of guests and strangers: which are answers that are understood, and what becomes of all others.
-- Nothing that anybody writes is dropped.

create or replace function private.guest_of_address(p_organization uuid, p_phone text, p_whatsapp_id text)
  returns uuid
language sql stable set search_path = ''
as $$
  with known as materialized (
    select s.customer_id from private.senders(p_organization, p_phone, p_whatsapp_id) as s
  )
  select coalesce(
    (select (array_agg(k.customer_id))[1] from known k having count(*) = 1),
    (select m.customer_id from public.messages m
      where m.organization_id = p_organization and m.recipient in (p_phone, p_whatsapp_id)
        and m.channel in ('sms', 'whatsapp') and m.customer_id in (select k.customer_id from known k)
      order by m.created_at desc limit 1))
$$;
comment on function private.guest_of_address(uuid, text, text) is
  'The guest who writes from the number or WhatsApp id: the only one who has it, else the one of them to whom we last wrote there; null: a stranger, or it is not known which of a family.';

create or replace function private.conversation_of(p_organization uuid, p_text jsonb, p_opens boolean,
  p_at timestamptz)
returns public.conversations
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := p_text ->> 'channel';
  v_whatsapp_id text := p_text ->> 'whatsapp_id';
  -- The number that the id last came with.
  v_phone text := coalesce(p_text ->> 'phone', (
    select w.address from public.whatsapp_windows w
    where v_channel = 'whatsapp' and w.organization_id = p_organization and w.whatsapp_id = v_whatsapp_id
      and w.address <> v_whatsapp_id
    order by w.last_inbound_at desc limit 1));
  v_guest uuid;
  c public.conversations;
begin
  select * into c from public.conversations k
  where k.organization_id = p_organization and k.channel = v_channel and k.address in (v_phone, v_whatsapp_id)
  order by k.address = v_phone desc nulls last limit 1 for update;
  if c.id is null and not p_opens then
    return null;
  end if;
  v_guest := private.guest_of_address(p_organization, v_phone, v_whatsapp_id);
  if c.id is null then
    insert into public.conversations (organization_id, customer_id, channel, address, last_message_at,
      last_inbound_at)
    values (p_organization, v_guest, v_channel, coalesce(v_phone, v_whatsapp_id), p_at, p_at)
    returning * into c;
    return c;
  end if;
  -- A number may have a new owner; a conversation that began by an id goes on by the number.
  update public.conversations k set address = coalesce(v_phone, k.address),
    customer_id = case when exists (
      select 1 from private.senders(p_organization, v_phone, v_whatsapp_id) as s
      where s.customer_id = k.customer_id) then k.customer_id else coalesce(v_guest, k.customer_id) end
  where k.id = c.id returning * into c;
  return c;
end
$$;
comment on function private.conversation_of(uuid, jsonb, boolean, timestamptz) is
  'The conversation with the sender of a text (see take_text), of their guest as known now; p_opens: a new one when there is none, else null.';

create or replace function private.note_text(p_organization uuid, p_text jsonb, p_opens boolean,
  p_at timestamptz)
returns public.conversation_messages
language plpgsql volatile set search_path = ''
as $$
declare
  c public.conversations;
  v_text public.conversation_messages;
begin
  -- One after another, also with merges and the sync, which take the same lock.
  perform private.lock_identities(p_organization);
  c := private.conversation_of(p_organization, p_text, p_opens, p_at);
  if c.id is null then
    return null;
  end if;
  insert into public.conversation_messages (organization_id, conversation_id, direction, text, media,
    provider_id, at)
  values (p_organization, c.id, 'in', nullif(btrim(left(p_text ->> 'full', 4096)), ''), p_text ->> 'media',
    p_text ->> 'id', p_at)
  on conflict (organization_id, provider_id) do nothing returning * into v_text;
  if v_text.id is not null then
    update public.conversations k set last_message_at = greatest(k.last_message_at, p_at),
      last_inbound_at = greatest(k.last_inbound_at, p_at),
      unread = least(k.unread + case when p_opens then 1 else 0 end, 1000000),
      sender_name = coalesce(nullif(btrim(left(p_text ->> 'name', 120)), ''), k.sender_name)
    where k.id = c.id;
  end if;
  return v_text;
end
$$;
comment on function private.note_text(uuid, jsonb, boolean, timestamptz) is
  'Writes a text (see take_text) into the conversation with its sender, once. p_opens: it opens one and is unread; else it only belongs to the history of one that is there. Null: nothing was written.';

create or replace function private.ticket_for_text(p_text public.conversation_messages, p_ticketed boolean,
  p_words jsonb)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  c public.conversations;
  v_words jsonb;
  v_day date;
  v_ticket uuid;
begin
  select * into c from public.conversations k where k.id = p_text.conversation_id;
  v_words := p_words -> case when private.in_english(c.address) then 'en' else 'es' end;
  v_day := (
    select (p_text.at at time zone o.timezone)::date from public.organizations o
    where o.id = c.organization_id);
  -- Once a day a guest, whatever the channel.
  if not p_ticketed and not exists (
    select 1 from public.conversations k
    where k.organization_id = c.organization_id and k.ticketed_on = v_day
      and (k.id = c.id or k.customer_id = c.customer_id)) then
    insert into public.tickets (organization_id, subject, description, location_id, customer_id, created_at)
    select c.organization_id, left(private.worded(v_words ->> 'subject', jsonb_build_object('name', coalesce(
        nullif(concat_ws(' ', g.first_name, g.last_name), ''), c.sender_name || ' (' || c.address || ')',
        c.address))), 200),
      private.worded(v_words ->> 'description', jsonb_build_object(
        'channel', case c.channel when 'whatsapp' then 'WhatsApp' else 'SMS' end,
        'text', coalesce(nullif(concat_ws(' ', left(p_text.text, 500), v_words -> 'media' ->> p_text.media),
          ''), v_words ->> 'no_text'))),
      g.location_id, c.customer_id, p_text.at
    from (select 1) as one left join public.customers g on g.id = c.customer_id
    returning id into v_ticket;
    update public.conversation_messages m set ticket_id = v_ticket where m.id = p_text.id;
  elsif not p_ticketed then
    return;
  end if;
  update public.conversations k set ticketed_on = v_day where k.id = c.id;
end
$$;
comment on function private.ticket_for_text(public.conversation_messages, boolean, jsonb) is
  'Opens a ticket for a text, unless another text of that guest or address became one on the same local day. p_ticketed: this one did, as an unclear answer. p_words: those of lib/tickets/guest-ticket-words.json for messages, by language.';

-- With its owner's rights, for the audit log and the tickets.
create or replace function public.take_text(p_organization uuid, p_text jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_done jsonb;
  v_text public.conversation_messages;
begin
  if exists (
    select 1 from public.conversation_messages m
    where m.organization_id = p_organization and m.provider_id = p_text ->> 'id') then
    return jsonb_build_object('outcome', 'repeated');
  elsif p_text ->> 'wish' is not null then
    perform private.note_text(p_organization, p_text, false, p_at);
    return jsonb_build_object('outcome', 'wish');
  end if;
  -- A "1" may be about a confirmation or a table that was offered: the last message to the guest decides.
  v_done := public.take_offer_reply(p_organization, p_text, p_words -> 'offer', p_at);
  if v_done ->> 'outcome' = 'not_asked' then
    v_done := public.take_reply(p_organization, p_text, p_words -> 'reply', p_at);
  end if;
  if v_done ->> 'outcome' in ('not_asked', 'ticket') then
    v_text := private.note_text(p_organization, p_text, true, p_at);
    if v_text.id is not null then
      perform private.ticket_for_text(v_text, v_done ->> 'outcome' = 'ticket', p_words -> 'message');
    end if;
  elsif v_done ->> 'outcome' <> 'repeated' then
    perform private.note_text(p_organization, p_text, false, p_at);
  end if;
  return v_done;
end
$$;
comment on function public.take_text(uuid, jsonb, jsonb, timestamptz) is
  'Handles a message to us, once and as a whole: an understood answer as take_offer_reply and take_reply do, with their outcomes; any other (ticket, not_asked) opens or continues the conversation with its sender and, once a day, a ticket. p_text: as for take_reply, with full (the whole text), media (its kind), name (WhatsApp''s) and wish (stop, start: outcome wish). What is understood is only noted in a conversation that is there. p_words: lib/tickets/guest-ticket-words.json.';
grant execute on function public.take_text(uuid, jsonb, jsonb, timestamptz) to service_role;
