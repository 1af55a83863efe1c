-- The outbox: every message is sent from it. The comment on the table lists the states of a row.

create table public.messages (
  id uuid primary key default private.new_id(),
  organization_id uuid not null references public.organizations on delete cascade,
  kind text not null check (kind in ('marketing', 'transactional', 'notification')),
  automation_id uuid references public.automations on delete set null,
  run_id uuid references public.automation_runs on delete set null,
  customer_id uuid references public.customers on delete set null,
  reservation_id uuid references public.reservations on delete set null,
  location_id uuid references public.locations on delete set null,
  channel text not null check (channel in ('whatsapp', 'sms', 'email')),
  recipient text check (length(recipient) <= 254),
  status text not null default 'queued' check (status in
    ('queued', 'sending', 'sent', 'delivered', 'failed', 'skipped', 'unknown')),
  reason public.reason,
  detail jsonb check (jsonb_typeof(detail) = 'object' and pg_column_size(detail) <= 1000),
  dedupe_key text not null check (length(dedupe_key) <= 500),
  content jsonb not null default '{}' check (jsonb_typeof(content) = 'object')
    check (pg_column_size(content) <= 1048576 and not jsonb_path_exists(content, '$.**{8}')),
  not_before timestamptz not null default now(),
  attempts integer not null default 0 check (attempts between 0 and 1000),
  lease_token uuid,
  lease_until timestamptz,
  idempotency_key text check (length(idempotency_key) <= 300),
  frozen_at timestamptz,
  maybe_accepted boolean not null default false,
  provider text check (length(provider) <= 60),
  simulated boolean not null generated always as (coalesce(provider = 'sandbox', false)) stored,
  provider_id text check (length(provider_id) <= 300),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  delivered_at timestamptz,
  updated_at timestamptz not null default now(),
  -- What kind of message it is: of an automation its type, of a notice its template.
  purpose text not null check (case when purpose in ('reply', 'waitlist_call', 'table_offer',
    'table_offer_answer', 'feedback_reply', 'conversation_reply', 'event_notification', 'event_reminder',
    'ticket_notification', 'ticket_reminder', 'morning_report', 'approval_limit', 'password_link',
    'new_sign_in', 'sign_in_failures', 'second_factor_removed') then true
    else purpose::public.automation_type is not null end),
  about_type text check (about_type in ('ticket', 'calendar_event', 'waitlist', 'table_offer', 'feedback',
    'conversation', 'profile', 'organization')),
  about_id uuid,
  superseded_at timestamptz check (superseded_at is null or status = 'skipped'),
  unsubscribed_at timestamptz check (unsubscribed_at between '1900-01-01Z' and '2200-01-01Z'),
  complained_at timestamptz check (complained_at between '1900-01-01Z' and '2200-01-01Z'),
  constraint messages_about_check check ((about_type is null) = (about_id is null)),
  constraint messages_instants_check check (
    least(not_before, lease_until, frozen_at, created_at, sent_at, delivered_at, updated_at, superseded_at)
      >= '1900-01-01Z'
    and greatest(not_before, lease_until, frozen_at, created_at, sent_at, delivered_at, updated_at,
      superseded_at) < '2200-01-01Z')
);
comment on table public.messages is
  'The outbox. queued → sending (leased) → sent → delivered; or skipped, failed, unknown, each with its reason.';
comment on column public.messages.kind is
  'marketing: cap, quiet hours and consent apply; transactional: to a customer about their reservation or event; notification: to staff.';
comment on column public.messages.location_id is
  'The reservation''s or event''s location, else the customer''s at the time of planning. Its staff may see the message, as may the staff of every location.';
comment on column public.messages.detail is
  'What stands behind the reason: {suppression: its reason, opt_out: the one behind a bounce} or {message: the one that fills the cap}; and of a message that waits for the end of the quiet hours {until, location (their own, not the group''s)}.';
comment on column public.messages.dedupe_key is
  'Unique, so that no message is sent twice: a birthday of a year, a reservation, a round of an event. Nobody reads it for what the message is about: that is in purpose, about_type and about_id.';
comment on column public.messages.content is 'Rendered subject and body, or Content SID and variables; frozen before the first attempt.';
comment on column public.messages.idempotency_key is
  'The Resend key of the request it is part of; e-mails that share one go again together or not at all.';
comment on column public.messages.maybe_accepted is
  'An earlier attempt of this e-mail may have been accepted: it ends as sent or unknown, never as skipped or failed.';
comment on column public.messages.about_id is
  'The record that the message is about, where it is neither its customer nor its reservation. It may be gone.';
comment on column public.messages.superseded_at is
  'When a skipped message was tried again with another outcome: a row of its own has that. This one says for 30 days why it had been skipped, and counts in its run alone.';
comment on column public.messages.unsubscribed_at is
  'When its guest opted out by its link, or by answering it: counts for its campaign. Taken back with the opt-out.';
comment on column public.messages.complained_at is 'When its guest reported it as unwanted, as the provider says.';
comment on column public.messages.simulated is 'The sandbox took it: recorded and shown, sent nowhere.';

create unique index messages_dedupe_key on public.messages (organization_id, dedupe_key);
-- Also finds the messages of a run, whatever their status.
create unique index messages_run_key on public.messages
  (run_id, customer_id, channel, (coalesce(reservation_id, '00000000-0000-0000-0000-000000000000')))
  where run_id is not null;
create index messages_queue_idx on public.messages (organization_id, channel, not_before, id)
  where status = 'queued';
create index messages_batch_idx on public.messages (idempotency_key) where idempotency_key is not null;
create index messages_leases_idx on public.messages (lease_until) where status = 'sending';
create index messages_recent_idx on public.messages (organization_id, created_at desc, id desc);
-- Not of those that are sent or being sent, so that sending does not write to it.
create index messages_run_idx on public.messages (run_id, status)
  where status in ('queued', 'skipped', 'failed', 'unknown');
create index messages_automation_idx on public.messages (automation_id, created_at desc, id desc);
-- Also "once in N days" and the frequency cap: a customer has few messages.
create index messages_customer_idx on public.messages (customer_id, created_at desc, id desc);
create index messages_reservation_idx on public.messages (reservation_id) where reservation_id is not null;
create index messages_location_idx on public.messages (location_id, created_at desc, id desc)
  where location_id is not null;
create index messages_provider_idx on public.messages (provider, provider_id) where provider_id is not null;
-- "Once a reservation".
create index messages_once_idx on public.messages (automation_id, reservation_id)
  where reservation_id is not null;
-- Rare outcomes among millions of messages that were sent.
create index messages_trouble_idx on public.messages (organization_id, status, created_at desc, id desc)
  where status in ('skipped', 'failed', 'unknown');
create index messages_notices_idx on public.messages (organization_id, channel, not_before, id)
  where status = 'queued' and automation_id is null;
create index messages_superseded_idx on public.messages (organization_id, superseded_at)
  where superseded_at is not null;
-- Whom a segment finds by what was sent to them, since a day or ever: from the index alone.
create index messages_sent_idx on public.messages (organization_id, sent_at)
  include (customer_id, kind, location_id, automation_id, id)
  where status in ('sent', 'delivered') and kind <> 'notification' and customer_id is not null;
create index messages_about_idx on public.messages (about_id) where about_id is not null;
alter table public.messages enable row level security;
grant select on public.messages to authenticated;
grant select, insert, update, delete on public.messages to service_role;

create policy "marketing staff read messages to customers" on public.messages for select to authenticated
  using (kind <> 'notification'
    and organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and ((select private.works_everywhere()) or location_id = any(array(select private.my_locations()))));

-- E-mails that look like their brand: the look of each brand, the stored images, and designs kept as
-- templates. A design itself is automations.email_design. Only the service writes here; lib/email-design
-- checks first.

create table public.email_images (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  path text not null unique check (path ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(png|jpg|gif|webp)$')
    check (split_part(path, '/', 1) = organization_id::text),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  bytes integer not null check (bytes between 1 and 2097152),
  width integer not null check (width between 1 and 6000),
  height integer not null check (height between 1 and 6000),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.email_images is 'Images for e-mails. The file is in the public bucket email-images, under path.';
comment on column public.email_images.path is '<organization_id>/<uuid>.<extension>';

create index email_images_recent_idx on public.email_images (organization_id, created_at desc, id desc);

create table public.email_looks (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  brand_id uuid references public.brands on delete cascade,
  logo text check (logo ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(png|jpg|gif|webp)$')
    check (split_part(logo, '/', 1) = organization_id::text),
  color text check (color ~ '^#[0-9a-f]{6}$'),
  button_color text check (button_color ~ '^#[0-9a-f]{6}$'),
  sender_name text
    check (btrim(sender_name) <> '' and length(sender_name) <= 120 and sender_name !~ '[[:cntrl:]]'),
  from_email text check (length(from_email) <= 254 and from_email ~ '^[^\s@<>]+@[^\s@<>]+$'),
  reply_to text check (length(reply_to) <= 254 and reply_to ~ '^[^\s@<>]+@[^\s@<>]+$'),
  footer text check (length(footer) <= 300),
  updated_at timestamptz not null default now() check (updated_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.email_looks is 'How the e-mails of a brand look, and who sends them. Null is as in the group''s look, else the usual.';
comment on column public.email_looks.brand_id is 'Null: the group''s look, of automations that are not of one brand.';
comment on column public.email_looks.logo is 'The path of an email_images row.';
comment on column public.email_looks.from_email is 'Null: the address of the integration.';

create unique index email_looks_brand_key
  on public.email_looks (organization_id, brand_id) nulls not distinct;
create index email_looks_brand_id_idx on public.email_looks (brand_id);

create table public.email_templates (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  design jsonb not null
    check (jsonb_typeof(design) = 'object' and coalesce(jsonb_typeof(design -> 'blocks') = 'array', false))
    check (pg_column_size(design) <= 131072 and not jsonb_path_exists(design, '$.**{9}')),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z'),
  updated_at timestamptz not null default now() check (updated_at between '1900-01-01Z' and '2200-01-01Z'),
  unique (organization_id, name)
);
comment on table public.email_templates is 'Designs under a name, to start an e-mail from; shared in the organization.';
alter table public.email_images enable row level security;
alter table public.email_looks enable row level security;
alter table public.email_templates enable row level security;
grant select on public.email_images, public.email_looks, public.email_templates to authenticated;
grant select, insert, update, delete on public.email_images, public.email_looks, public.email_templates
  to service_role;

create policy "marketing staff read the images" on public.email_images for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing'))));
create policy "marketing staff read the looks" on public.email_looks for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing'))));
create policy "marketing staff read the e-mail templates" on public.email_templates for select
  to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing'))));

-- Opens and clicks of e-mails, as Resend reports them.

create table private.engagement_events (
  message_id uuid not null references public.messages on delete cascade,
  receipt text not null check (length(receipt) <= 100),
  organization_id uuid not null references public.organizations on delete cascade,
  kind text not null check (kind in ('open', 'click')),
  link text not null check (length(link) <= 300),
  agent text check (length(agent) <= 500),
  at timestamptz not null check (at between '1900-01-01Z' and '2200-01-01Z'),
  received_at timestamptz not null check (received_at between '1900-01-01Z' and '2200-01-01Z'),
  primary key (message_id, receipt),
  constraint engagement_events_of_click_check check ((kind = 'click') = (link <> ''))
);

create index engagement_events_received_idx on private.engagement_events (organization_id, received_at);
comment on table private.engagement_events is
  'Opens and clicks as reported, 100 a message at most, deleted after 31 days (tidy_up). Without the address they came from.';
comment on column private.engagement_events.receipt is 'A hash of the event''s id: a repeated event changes nothing.';
comment on column private.engagement_events.link is 'Of a click: the address without its query, or unsubscribe or feedback.';
comment on column private.engagement_events.agent is 'The user agent; null when the provider names none.';
alter table private.engagement_events enable row level security;
grant select, insert, update, delete on private.engagement_events to service_role;

create table public.message_engagement (
  message_id uuid not null references public.messages on delete cascade,
  kind text not null check (kind in ('open', 'click')),
  link text not null check (length(link) <= 300),
  actor text not null check (actor in ('person', 'machine', 'unknown')),
  first_at timestamptz not null check (first_at between '1900-01-01Z' and '2200-01-01Z'),
  times integer not null check (times between 1 and 1000),
  primary key (message_id, kind, link, actor),
  constraint message_engagement_of_click_check check ((kind = 'click') = (link <> ''))
);
comment on table public.message_engagement is
  'Opens and clicks of an e-mail to a customer, summed up by who did it.';
comment on column public.message_engagement.actor is
  'person; machine: a privacy proxy or a security scanner; unknown: an open of which nothing is known. Only those of persons are counted as certain.';
alter table public.message_engagement enable row level security;
grant select on public.message_engagement to authenticated;
grant select, insert, update, delete on public.message_engagement to service_role;

create policy "who reads a message reads its opens and clicks" on public.message_engagement for select
  to authenticated
  using (exists (select 1 from public.messages m where m.id = message_id));

-- Addresses that must not be written to: opt-outs, bounces, complaints.

create table public.suppressions (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  channel text not null check (channel in ('whatsapp', 'sms', 'email')),
  address text not null check (length(address) <= 254),
  reason text not null check (reason in ('unsubscribe', 'stop', 'bounce', 'complaint', 'manual')),
  opt_out text check (opt_out in ('unsubscribe', 'stop', 'manual'))
    check (opt_out is null or reason = 'bounce'),
  author text check (length(author) <= 254),
  note text check (length(note) <= 500),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z'),
  unique (organization_id, channel, address)
);
comment on table public.suppressions is
  'Addresses that must not be written to by a channel, and why. A bounce or complaint stops everything, the others marketing.';
comment on column public.suppressions.opt_out is
  'The opt-out of an address that bounces, too: the person has said no, so no fallback channel is used either.';
comment on column public.suppressions.author is 'The name of the staff member who opted them out (manual); it stays when the profile is deleted.';
comment on column public.suppressions.note is 'Why, in the words of the staff.';
alter table public.suppressions enable row level security;
grant select on public.suppressions to authenticated;
grant select, insert, update, delete on public.suppressions to service_role;

create policy "marketing staff read suppressions" on public.suppressions for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing'))));

-- The pace of each channel, and WhatsApp's windows.

create table public.channel_pace (
  organization_id uuid not null references public.organizations on delete cascade,
  channel text not null check (channel in ('whatsapp', 'sms', 'email')),
  next_at timestamptz not null check (next_at between '1900-01-01Z' and '2200-01-01Z'),
  reason public.reason,
  primary key (organization_id, channel)
);
comment on table public.channel_pace is
  'When the next messages of a channel may be sent: after its pace, after a provider''s Retry-After, after trouble.';
comment on column public.channel_pace.reason is 'Why it waits, when that is not its pace.';

create table public.whatsapp_windows (
  organization_id uuid not null references public.organizations on delete cascade,
  address text not null check (length(address) <= 254),
  last_inbound_at timestamptz not null check (last_inbound_at between '1900-01-01Z' and '2200-01-01Z'),
  whatsapp_id text check (whatsapp_id ~ '^[A-Za-z0-9._-]{1,140}$'),
  primary key (organization_id, address)
);

create index whatsapp_windows_id_idx on public.whatsapp_windows (organization_id, whatsapp_id)
  where whatsapp_id is not null;
comment on table public.whatsapp_windows is
  'When a number or id last wrote by WhatsApp. Free text may be sent to it for 24 hours from then; else only templates.';
comment on column public.whatsapp_windows.address is
  'Phone number in E.164, or the business-scoped id of a person with a hidden number, as in messages.recipient.';
comment on column public.whatsapp_windows.whatsapp_id is
  'The id that came with the number: it identifies the sender of a message without a number.';
alter table public.channel_pace enable row level security;
alter table public.whatsapp_windows enable row level security;
grant select, insert, update, delete on public.channel_pace, public.whatsapp_windows to service_role;

-- Each report of a provider, once.

create table public.webhook_receipts (
  organization_id uuid not null references public.organizations on delete cascade,
  receipt text not null check (length(receipt) <= 500),
  received_at timestamptz not null default now() check (received_at between '1900-01-01Z' and '2200-01-01Z'),
  opens boolean not null default false,
  primary key (organization_id, receipt)
);

create index webhook_receipts_received_idx on public.webhook_receipts (received_at) where not opens;
comment on table public.webhook_receipts is
  'Inbound messages that were processed: a repeated or replayed one changes nothing.';
comment on column public.webhook_receipts.receipt is 'A hash of the signed data; it contains no part of the message.';
comment on column public.webhook_receipts.opens is
  'It opened something: a WhatsApp window, messages after a STOP, the link of a number to an id. Twilio signs no time, so such a receipt is kept permanently.';
alter table public.webhook_receipts enable row level security;
grant select, insert, update, delete on public.webhook_receipts to service_role;

create index messages_recipient_idx on public.messages (organization_id, recipient, created_at desc)
  where channel in ('sms', 'whatsapp');
