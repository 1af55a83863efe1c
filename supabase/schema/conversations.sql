-- Conversations: what guests and strangers write to us by SMS and WhatsApp, and what the restaurant answers.

create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  customer_id uuid references public.customers on delete cascade,
  channel text not null check (channel in ('sms', 'whatsapp')),
  address text not null check (btrim(address) <> '' and length(address) <= 254),
  sender_name text check (btrim(sender_name) <> '' and length(sender_name) <= 120),
  last_message_at timestamptz not null,
  last_inbound_at timestamptz not null,
  unread integer not null default 0 check (unread between 0 and 1000000),
  ticketed_on date check (ticketed_on between '1900-01-01' and '2199-12-31'),
  unique (organization_id, channel, address),
  constraint conversations_instants_check check (
    least(last_message_at, last_inbound_at) >= '1900-01-01Z'
    and greatest(last_message_at, last_inbound_at) < '2200-01-01Z')
);
comment on table public.conversations is
  'Everything that people wrote to us that was neither an opt-out nor an understood answer, one row for each address of a channel.';
comment on column public.conversations.customer_id is 'The guest of the address; null: a stranger, or several guests share it.';
comment on column public.conversations.address is
  'Phone number in E.164, or the business-scoped id of a person with a hidden number, as in messages.recipient.';
comment on column public.conversations.sender_name is 'The name that the person gave themselves in WhatsApp.';
comment on column public.conversations.last_inbound_at is
  'When they last wrote anything. Free text may go by WhatsApp for 24 hours from then.';
comment on column public.conversations.unread is 'How many of their texts nobody has read.';
comment on column public.conversations.ticketed_on is
  'The local day on which a text of theirs last became a ticket: one a day, also when that ticket was deleted.';

create index conversations_recent_idx on public.conversations
  (organization_id, last_message_at desc, id desc);
create index conversations_unread_idx on public.conversations
  (organization_id, last_message_at desc, id desc) where unread > 0;
create index conversations_customer_idx on public.conversations (customer_id) where customer_id is not null;
alter table public.conversations enable row level security;
grant select on public.conversations to authenticated;
grant select, insert, update, delete on public.conversations to service_role;

-- What guests wrote is their own, as their facts: the group's, for who may read customers. Who may read it
-- may answer it, as with feedback.
create policy "who may read customers reads conversations" on public.conversations
  for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));

create table public.conversation_messages (
  id uuid primary key default private.new_id(),
  organization_id uuid not null references public.organizations on delete cascade,
  conversation_id uuid not null references public.conversations on delete cascade,
  direction text not null check (direction in ('in', 'out')),
  text text check (btrim(text) <> '' and length(text) <= 4096),
  media text check (media in ('image', 'audio', 'video', 'contact', 'location', 'file')),
  provider_id text check (length(provider_id) <= 300),
  message_id uuid references public.messages on delete set null,
  ticket_id uuid references public.tickets on delete set null,
  sent_by text check (length(sent_by) <= 254),
  at timestamptz not null check (at >= '1900-01-01Z' and at < '2200-01-01Z'),
  unique (organization_id, provider_id),
  constraint conversation_messages_sides_check check (case direction
    when 'in' then provider_id is not null and num_nonnulls(message_id, sent_by) = 0
    else text is not null and num_nonnulls(media, provider_id, ticket_id) = 0 end)
);
comment on table public.conversation_messages is 'The texts of conversations, both ways.';
comment on column public.conversation_messages.text is 'Null: without a text, as a picture or an empty message.';
comment on column public.conversation_messages.media is 'What came with it. The file itself stays with the provider.';
comment on column public.conversation_messages.provider_id is
  'The provider''s id of their message: a webhook that is delivered twice writes it once.';
comment on column public.conversation_messages.message_id is 'Our text in the outbox, with what became of it.';
comment on column public.conversation_messages.ticket_id is 'The ticket that quotes it.';
comment on column public.conversation_messages.sent_by is 'Who wrote back: a name that outlives the profile.';

create index conversation_messages_idx on public.conversation_messages
  (conversation_id, at desc, id desc);
create index conversation_messages_outbox_idx on public.conversation_messages (message_id)
  where message_id is not null;
create index conversation_messages_ticket_idx on public.conversation_messages (ticket_id)
  where ticket_id is not null;
alter table public.conversation_messages enable row level security;
grant select on public.conversation_messages to authenticated;
grant select, insert, update, delete on public.conversation_messages to service_role;

create policy "who may read customers reads texts of conversations" on public.conversation_messages
  for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));
