-- Push notices (Web Push): the subscribed devices with their kinds, and the outbox.

create table public.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  profile_id uuid not null references public.profiles on delete cascade,
  session_id uuid not null unique,
  endpoint text not null unique
    check (length(endpoint) <= 1000 and endpoint ~ '^https://[^[:space:][:cntrl:]]+$'),
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  kinds text[] not null
    check (kinds <@ array['vip_arrived', 'large_cancellation', 'failed_sync'] and cardinality(kinds) <= 3),
  language text not null default 'es' check (language in ('es', 'en')),
  browser text check (length(browser) <= 60),
  system text check (length(system) <= 60),
  created_at timestamptz not null default now(),
  last_success_at timestamptz,
  constraint push_subscriptions_instants_check check (
    least(created_at, last_success_at) >= '1900-01-01Z'
      and greatest(created_at, last_success_at) < '2200-01-01Z')
);

create index push_subscriptions_profile_idx on public.push_subscriptions (profile_id, created_at desc);
create index push_subscriptions_organization_idx on public.push_subscriptions (organization_id);
comment on table public.push_subscriptions is
  'A device with push notices, bound to its session: it gets none after the session ends or the person leaves.';
comment on column public.push_subscriptions.endpoint is
  'The address of the browser''s push service. With it and the two keys one can write to the device.';
comment on column public.push_subscriptions.kinds is 'The kinds of notices: vip_arrived, large_cancellation, failed_sync.';
comment on column public.push_subscriptions.browser is 'Such as Chrome, and system as Android: to recognise the device.';

create table private.push_notices (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  subscription_id uuid not null references public.push_subscriptions on delete cascade,
  reservation_id uuid references public.reservations on delete cascade,
  kind text not null check (kind in ('vip_arrived', 'large_cancellation', 'failed_sync', 'test')),
  content jsonb not null default '{}'
    check (jsonb_typeof(content) = 'object' and pg_column_size(content) <= 2048),
  location_ids uuid[] not null default '{}' check (cardinality(location_ids) <= 1000),
  dedupe_key text not null check (length(dedupe_key) <= 100),
  attempts smallint not null default 0 check (attempts between 0 and 100),
  outcome text check (outcome in ('sent', 'expired', 'refused', 'failed')),
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  leased_until timestamptz,
  expires_at timestamptz not null,
  done_at timestamptz,
  unique (subscription_id, dedupe_key),
  constraint push_notices_instants_check check (
    least(created_at, next_at, leased_until, expires_at, done_at) >= '1900-01-01Z'
    and greatest(created_at, next_at, leased_until, expires_at, done_at) < '2200-01-01Z')
);

create index push_notices_due_idx on private.push_notices (next_at, id) where done_at is null;
create index push_notices_reservation_idx on private.push_notices (reservation_id);
create index push_notices_organization_idx on private.push_notices (organization_id, done_at);
comment on table private.push_notices is
  'The outbox of push notices. A row stays for a week after it is done, without its content, so that no notice is sent twice.';
comment on column private.push_notices.location_ids is 'The locations of the notice: people who work in one of them may get it; empty: all people.';
alter table public.push_subscriptions enable row level security;
alter table private.push_notices enable row level security;

-- Not the address and keys: with them one can write to the device.
grant select (id, organization_id, profile_id, kinds, language, browser, system, created_at, last_success_at)
  on public.push_subscriptions to authenticated;
grant select, insert, update, delete on public.push_subscriptions, private.push_notices to service_role;

create policy "people read their own devices" on public.push_subscriptions for select to authenticated
  using (profile_id = (select private.caller()));
