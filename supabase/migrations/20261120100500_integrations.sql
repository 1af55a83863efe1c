-- Configuration of outside services. Secrets are ciphertext and never leave through the API.

create table public.integration_configs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  integration_type text not null check (integration_type in ('pms', 'ai', 'twilio', 'resend')),
  is_enabled boolean not null default false,
  config jsonb not null default '{}' check (jsonb_typeof(config) = 'object'),
  secrets jsonb not null default '{}' check (jsonb_typeof(secrets) = 'object'),
  address text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, integration_type)
);
comment on table public.integration_configs is 'One row an organization and service; only enabled ones are used.';
comment on column public.integration_configs.secrets is
  'Field name to AES-256-GCM ciphertext (lib/integrations/secrets.ts); not granted to users.';

comment on column public.integration_configs.address is
  'What the secrets are bound to (lib/integrations/address.ts): another host or account clears them.';

create trigger integration_configs_touch before update on public.integration_configs
  for each row execute function private.touch_updated_at();

alter table public.integration_configs enable row level security;
revoke all on public.integration_configs from anon, authenticated;
grant select (id, organization_id, integration_type, is_enabled, config, created_at, updated_at)
  on public.integration_configs to authenticated;
grant select, insert, update, delete on public.integration_configs to service_role;

create policy "settings staff read integrations" on public.integration_configs for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));
