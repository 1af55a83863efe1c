-- The reply inbox: lists of conversations, one with its texts, marking it read, and writing back.

create or replace function public.list_conversations(p_unread boolean default null,
  p_customer uuid default null, p_before timestamptz default null, p_before_id uuid default null,
  p_limit integer default 50)
returns table (id uuid, customer_id uuid, first_name text, last_name text, sender_name text, channel text,
  address text, last_text text, last_media text, last_direction text, last_at timestamptz, unread integer,
  last_inbound_at timestamptz)
language sql stable set search_path = ''
as $$
  select c.id, c.customer_id, g.first_name, g.last_name, c.sender_name, c.channel, c.address,
    left(last.text, 300), last.media, last.direction, c.last_message_at, c.unread, c.last_inbound_at
  from public.conversations c
  left join public.customers g on g.id = c.customer_id
  left join lateral (
    select m.text, m.media, m.direction from public.conversation_messages m
    where m.conversation_id = c.id order by m.at desc, m.id desc limit 1
  ) as last on true
  where c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and (p_unread is null or (c.unread > 0) = p_unread)
    and (p_customer is null or c.customer_id = p_customer)
    and (p_before is null or (c.last_message_at, c.id) < (p_before, p_before_id))
  order by c.last_message_at desc, c.id desc limit least(p_limit, 201)
$$;
comment on function public.list_conversations(boolean, uuid, timestamptz, uuid, integer) is
  'A keyset page of the caller''s conversations, the latest first, with the last text of each.';

create or replace function private.conversation_obstacle(c public.conversations, p_channels text[],
  p_now timestamptz)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_addresses text[] := array(
    select c.address
    union select unnest(array[g.phone, g.whatsapp_id]) from public.customers g where g.id = c.customer_id
    union select w.whatsapp_id from public.whatsapp_windows w
    where w.organization_id = c.organization_id and w.address = c.address);
  v_refused boolean := (
    select bool_or(s.reason <> 'bounce' or s.opt_out is not null) from public.suppressions s
    where s.organization_id = c.organization_id and s.channel = c.channel and s.address = any(v_addresses)
      -- A bounce is about one address.
      and (s.address = c.address or s.reason <> 'bounce' or s.opt_out is not null));
begin
  return case when v_refused then 'opted_out' when not v_refused then 'bounced'
    when c.channel = 'whatsapp' and c.last_inbound_at <= p_now - interval '24 hours' then 'needs_template'
    when c.channel <> all(p_channels) then 'no_provider' end;
end
$$;
comment on function private.conversation_obstacle(public.conversations, text[], timestamptz) is
  'Why nothing may be written back: opted_out (they said no, also when they wrote since), bounced, needs_template (WhatsApp, 24 hours after they last wrote), no_provider (the channel is not one of p_channels); null: it may.';

create or replace function public.conversation(p_id uuid, p_channels text[],
  p_before timestamptz default null, p_before_id uuid default null, p_limit integer default 100,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', c.id, 'customer_id', c.customer_id, 'first_name', g.first_name,
    'last_name', g.last_name, 'sender_name', c.sender_name, 'channel', c.channel, 'address', c.address,
    'last_at', c.last_message_at, 'unread', c.unread, 'last_inbound_at', c.last_inbound_at,
    'obstacle', private.conversation_obstacle(c, p_channels, (select private.clock(p_now))),
    'texts', (
      select coalesce(jsonb_agg(to_jsonb(one) order by one.at desc, one.id desc), '[]') from (
        select m.id, m.direction, m.text, m.media, m.at, m.sent_by, m.ticket_id, o.status, o.reason,
          coalesce(o.simulated, false) as simulated
        from public.conversation_messages m left join public.messages o on o.id = m.message_id
        where m.conversation_id = c.id and (p_before is null or (m.at, m.id) < (p_before, p_before_id))
        order by m.at desc, m.id desc limit least(p_limit, 201)) as one))
  from public.conversations c left join public.customers g on g.id = c.customer_id
  where c.id = p_id and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
$$;
comment on function public.conversation(uuid, text[], timestamptz, uuid, integer, timestamptz) is
  'A conversation with a keyset page of its texts, the latest first, what became of ours, and the obstacle to a reply (private.conversation_obstacle); null: none of the caller''s. With its owner''s rights, because who may answer need not be able to read all messages.';

create or replace function public.mark_conversation_read(p_id uuid) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with found as (
    update public.conversations c set unread = 0
    where c.id = p_id and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    returning 1
  )
  select exists (select from found)
$$;
comment on function public.mark_conversation_read(uuid) is
  'Marks the texts of a conversation as read, for everybody; whether there is one of the caller''s.';

create or replace function public.reply_to_conversation(p_id uuid, p_text text, p_channels text[],
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  c public.conversations;
  v_obstacle text;
  v_message uuid;
  v_text uuid;
begin
  p_now := private.clock(p_now);
  select * into c from public.conversations k
  where k.id = p_id and k.organization_id = any(array(select private.my_organizations('canAccessClientes')))
  for update;
  if c.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  v_obstacle := private.conversation_obstacle(c, p_channels, p_now);
  if v_obstacle is not null then
    return jsonb_build_object('outcome', v_obstacle);
  end if;
  v_text := private.new_id();
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, customer_id, location_id,
    channel, recipient, dedupe_key, content, not_before, created_at)
  values (c.organization_id, 'transactional', 'conversation_reply', 'conversation', c.id, c.customer_id,
    (select g.location_id from public.customers g where g.id = c.customer_id), c.channel, c.address,
    'conversation:' || v_text, jsonb_build_object('body', btrim(p_text), 'expires_at',
      case c.channel when 'whatsapp' then c.last_inbound_at else p_now end + interval '24 hours'),
    p_now, p_now)
  returning id into v_message;
  insert into public.conversation_messages (id, organization_id, conversation_id, direction, text, message_id,
    sent_by, at)
  values (v_text, c.organization_id, c.id, 'out', btrim(p_text), v_message, private.caller_name(), p_now);
  update public.conversations k set last_message_at = greatest(k.last_message_at, p_now), unread = 0
  where k.id = c.id;
  perform private.audit(c.organization_id, 'conversation.replied', c.id,
    jsonb_build_object('channel', c.channel));
  return jsonb_build_object('outcome', 'queued', 'id', v_text, 'channel', c.channel, 'at', p_now);
end
$$;
comment on function public.reply_to_conversation(uuid, text, text[], timestamptz) is
  'Writes back by the channel of the conversation: {outcome: queued (id of the text, channel, at: since when it may be sent), not_found, or the obstacle (private.conversation_obstacle)}. It is not sent later than 24 hours after, or by WhatsApp than the person''s window.';
grant execute on function public.list_conversations(boolean, uuid, timestamptz, uuid, integer),
  public.conversation(uuid, text[], timestamptz, uuid, integer, timestamptz),
  public.mark_conversation_read(uuid), public.reply_to_conversation(uuid, text, text[], timestamptz)
  to authenticated;
