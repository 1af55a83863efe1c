-- Automations, their log, and the outbox through which every message leaves. lib/automations and lib/messaging
-- work on it; what a row goes through is told at `messages.status`.

alter table public.organizations
  add column frequency_cap_days integer not null default 7 check (frequency_cap_days between 0 and 365),
  add column quiet_from time not null default '21:30',
  add column quiet_until time not null default '09:30';
comment on column public.organizations.frequency_cap_days is
  'At most one marketing message a customer in so many days, across all automations; 0 is no cap.';
comment on column public.organizations.quiet_from is
  'Marketing messages wait from quiet_from to quiet_until, in the customer''s local time.';

create table public.automations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> ''),
  type text not null check (type in
    ('birthday', 'reengagement', 'vip_reward', 'post_visit', 'reservation_confirmation')),
  channel text not null check (channel in ('whatsapp', 'sms', 'email')),
  fallback_channel text check (fallback_channel in ('whatsapp', 'sms', 'email') and fallback_channel <> channel),
  status text not null default 'inactive' check (status in ('active', 'inactive')),
  subject text,
  body text not null default '',
  content_sid text,
  content_variables jsonb not null default '{}' check (jsonb_typeof(content_variables) = 'object'),
  criteria jsonb not null default '{}' check (jsonb_typeof(criteria) = 'object'),
  location_ids uuid[] not null default '{}',
  tags text[] not null default '{}',
  tier_ids uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, name)
);
create index automations_active_idx on public.automations (organization_id, name) where status = 'active';
comment on table public.automations is 'A message that goes to customers by itself: to whom, when, by which channel.';
comment on column public.automations.criteria is 'The type''s own settings; lib/automations/criteria.ts has their defaults.';
comment on column public.automations.location_ids is 'Only customers or reservations of these locations; empty: all.';

create table public.automation_runs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  automation_id uuid references public.automations on delete set null,
  automation_name text not null,
  location_ids uuid[] not null default '{}',
  triggered_by text not null check (triggered_by in ('manual', 'schedule')),
  status text not null default 'running' check (status in
    ('running', 'paused', 'finished', 'waiting_approval', 'refused', 'expired', 'stopped')),
  reason text,
  processed integer not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index automation_runs_recent_idx on public.automation_runs (organization_id, started_at desc, id);
create index automation_runs_automation_idx on public.automation_runs (automation_id, started_at desc, id);
comment on table public.automation_runs is 'The automation log: one row a run. Its sent, skipped and failed are counted from its messages.';
comment on column public.automation_runs.processed is 'Customers that matched; each has a message row that says how it ended.';
comment on column public.automation_runs.location_ids is 'Those of the automation when it ran; empty: all.';
comment on column public.automation_runs.reason is 'Why it is paused.';

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  kind text not null check (kind in ('marketing', 'transactional', 'notification')),
  automation_id uuid references public.automations on delete set null,
  run_id uuid references public.automation_runs on delete set null,
  customer_id uuid references public.customers on delete set null,
  reservation_id uuid references public.reservations on delete set null,
  location_id uuid references public.locations on delete set null,
  channel text not null check (channel in ('whatsapp', 'sms', 'email')),
  recipient text,
  status text not null default 'queued' check (status in
    ('queued', 'sending', 'sent', 'delivered', 'failed', 'skipped', 'unknown')),
  reason text,
  dedupe_key text not null,
  content jsonb not null default '{}' check (jsonb_typeof(content) = 'object'),
  not_before timestamptz not null default now(),
  attempts integer not null default 0,
  lease_token uuid,
  lease_until timestamptz,
  idempotency_key text,
  frozen_at timestamptz,
  provider text,
  simulated boolean not null generated always as (coalesce(provider = 'sandbox', false)) stored,
  provider_id text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  delivered_at timestamptz,
  updated_at timestamptz not null default now()
);
comment on table public.messages is
  'The outbox. queued → sending (leased) → sent → delivered; or skipped, failed, unknown, each with its reason.';
comment on column public.messages.kind is
  'marketing: cap, quiet hours and consent apply; transactional: to a customer about a reservation; notification: to staff.';
comment on column public.messages.location_id is
  'The reservation''s or event''s location, else the customer''s when it was planned: whose staff may see it, besides those of every location.';
comment on column public.messages.dedupe_key is 'Says what it is about: a birthday of a year, a reservation, an event. Never twice.';
comment on column public.messages.content is 'Rendered subject and body, or Content SID and variables; frozen before the first attempt.';
comment on column public.messages.simulated is 'The sandbox took it: recorded and shown, sent nowhere.';
comment on column public.messages.idempotency_key is
  'The Resend key of the request it is part of; e-mails that share one go again together or not at all.';

create unique index messages_dedupe_key on public.messages (organization_id, dedupe_key);
create unique index messages_run_key on public.messages (run_id, customer_id, channel, reservation_id) nulls not distinct
  where run_id is not null and customer_id is not null;
create index messages_queue_idx on public.messages (organization_id, channel, not_before, id) where status = 'queued';
create index messages_batch_idx on public.messages (idempotency_key) where idempotency_key is not null;
create index messages_leases_idx on public.messages (lease_until) where status = 'sending';
create index messages_recent_idx on public.messages (organization_id, created_at desc, id desc);
create index messages_run_idx on public.messages (run_id, status);
create index messages_automation_idx on public.messages (automation_id, created_at desc, id desc);
create index messages_customer_idx on public.messages (customer_id, created_at desc, id desc);
create index messages_reservation_idx on public.messages (reservation_id) where reservation_id is not null;
create index messages_location_idx on public.messages (location_id, created_at desc, id desc) where location_id is not null;
create index messages_provider_idx on public.messages (provider, provider_id) where provider_id is not null;

create table public.suppressions (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  channel text not null check (channel in ('whatsapp', 'sms', 'email')),
  address text not null,
  reason text not null check (reason in ('unsubscribe', 'stop', 'bounce', 'complaint', 'manual')),
  author text,
  note text check (length(note) <= 500),
  created_at timestamptz not null default now(),
  unique (organization_id, channel, address)
);
comment on table public.suppressions is
  'Addresses that must not be written to by a channel, and why. A bounce or complaint stops everything, the others marketing.';
comment on column public.suppressions.author is 'Who of the staff opted them out (manual): a name that outlives the profile.';
comment on column public.suppressions.note is 'Why, in the words of the staff.';

create trigger automations_touch before update on public.automations
  for each row execute function private.touch_updated_at();
create trigger messages_touch before update on public.messages
  for each row execute function private.touch_updated_at();

alter table public.automations enable row level security;
alter table public.automation_runs enable row level security;
alter table public.messages enable row level security;
alter table public.suppressions enable row level security;
revoke all on public.automations, public.automation_runs, public.messages, public.suppressions
  from anon, authenticated;
grant select on public.automations, public.automation_runs, public.messages, public.suppressions to authenticated;
grant select, insert, update, delete on public.automations, public.automation_runs, public.messages,
  public.suppressions to service_role;

create policy "marketing staff read automations" on public.automations for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing'))));
create policy "marketing staff read the automation log" on public.automation_runs for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and ((select private.works_everywhere())
      or (location_ids <> '{}' and location_ids <@ array(select private.my_locations()))));
create policy "marketing staff read messages to customers" on public.messages for select to authenticated
  using (kind <> 'notification'
    and organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and ((select private.works_everywhere()) or location_id = any(array(select private.my_locations()))));
create policy "marketing staff read suppressions" on public.suppressions for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing'))));
