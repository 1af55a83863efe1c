-- Configuration of outside services. Secrets are ciphertext and never leave through the API; a new
-- SECRETS_KEY seals them again, and links that were signed with the former one stay good.

-- lib/integrations/types says what each is; TypeScript takes the list from here (npm run gen:types).
create type public.integration_type as enum ('pms', 'ai', 'twilio', 'resend');
comment on type public.integration_type is 'The outside services that an organization can set up.';

create table public.integration_configs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  integration_type public.integration_type not null,
  is_enabled boolean not null default false,
  config jsonb not null default '{}' check (jsonb_typeof(config) = 'object')
    check (pg_column_size(config) <= 65536 and not jsonb_path_exists(config, '$.**{6}')),
  secrets jsonb not null default '{}' check (jsonb_typeof(secrets) = 'object')
    check (pg_column_size(secrets) <= 65536 and not jsonb_path_exists(secrets, '$.**{4}')),
  address text not null default '' check (length(address) <= 300),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, integration_type),
  constraint integration_configs_instants_check check (
    least(created_at, updated_at) >= '1900-01-01Z' and greatest(created_at, updated_at) < '2200-01-01Z')
);
comment on table public.integration_configs is 'One row an organization and service; only enabled ones are used.';
comment on column public.integration_configs.secrets is
  'Field name to AES-256-GCM ciphertext (lib/integrations/secrets.ts); not granted to users.';
comment on column public.integration_configs.address is
  'What the secrets are bound to (lib/integrations/secrets.ts): another host or account clears them.';

create table public.retired_keys (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  sealed text not null check (length(sealed) <= 1000),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.retired_keys is
  'Former keys of unsubscribe links, which never expire; derived one way from a former SECRETS_KEY, sealed with today''s.';
comment on column public.retired_keys.id is 'The id of the SECRETS_KEY it is derived from (lib/integrations/secrets.ts).';
alter table public.integration_configs enable row level security;
alter table public.retired_keys enable row level security;
grant select (id, organization_id, integration_type, is_enabled, config, created_at, updated_at)
  on public.integration_configs to authenticated;
grant select, insert, update, delete on public.integration_configs, public.retired_keys to service_role;

create policy "settings staff read integrations" on public.integration_configs for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));

-- When each provider's webhook was last heard: whether its address and its key are right shows only by its
-- calls.

create table public.webhook_calls (
  organization_id uuid not null references public.organizations on delete cascade,
  provider public.integration_type not null,
  heard_at timestamptz check (heard_at between '1900-01-01Z' and '2200-01-01Z'),
  refused_at timestamptz check (refused_at between '1900-01-01Z' and '2200-01-01Z'),
  primary key (organization_id, provider)
);
comment on table public.webhook_calls is
  'One row an organization and provider with two times, each written at most once a minute; nothing of a call is stored.';
comment on column public.webhook_calls.heard_at is 'The last call whose signature was right; null: none yet.';
comment on column public.webhook_calls.refused_at is
  'The last call whose signature was wrong. Nobody knows whose it was: every organization that set up the provider gets it.';
alter table public.webhook_calls enable row level security;
grant select on public.webhook_calls to authenticated;
grant select, insert, update, delete on public.webhook_calls to service_role;

create policy "settings staff read webhook calls" on public.webhook_calls for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));

-- What a group's set-up list remembers: the last test of each connection, and the steps that were put off.

create table public.integration_tests (
  organization_id uuid not null references public.organizations on delete cascade,
  kind text not null check (
    case kind when 'mail' then true else kind = kind::public.integration_type::text end),
  tested_at timestamptz not null default now() check (tested_at between '1900-01-01Z' and '2200-01-01Z'),
  tested_by uuid references public.profiles on delete set null,
  reason text check (length(reason) <= 60),
  primary key (organization_id, kind)
);
comment on table public.integration_tests is
  'The last test of each connection, with the settings that are stored now: other settings remove it (private.forget_tests).';
comment on column public.integration_tests.kind is
  'The integration; mail is a test mail that was sent to the person who asked.';
comment on column public.integration_tests.reason is 'Why it failed (TestReason in lib/integrations/schema.ts); null: it passed.';

create index integration_tests_person_idx on public.integration_tests (tested_by);

create table public.setup_skips (
  organization_id uuid not null references public.organizations on delete cascade,
  step text not null check (step in ('pms', 'channels')),
  skipped_at timestamptz not null default now() check (skipped_at between '1900-01-01Z' and '2200-01-01Z'),
  skipped_by uuid references public.profiles on delete set null,
  primary key (organization_id, step)
);
comment on table public.setup_skips is
  'Optional steps of the set-up list that the group put off; taking the row away opens the step again.';

create index setup_skips_person_idx on public.setup_skips (skipped_by);
alter table public.integration_tests enable row level security;
alter table public.setup_skips enable row level security;
grant select on public.integration_tests, public.setup_skips to authenticated;
grant select, insert, update, delete on public.integration_tests, public.setup_skips to service_role;

create policy "settings staff read integration tests" on public.integration_tests for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));
create policy "settings staff read skipped steps" on public.setup_skips for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));
