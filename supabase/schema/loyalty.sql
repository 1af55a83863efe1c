-- The loyalty programme: tiers of an organization, and the rules by which a location grants them.

create table public.loyalty_tiers (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> '') check (length(name) <= 60),
  rank integer not null check (rank between 0 and 10000),
  points_multiplier numeric(6, 2) not null default 1 check (points_multiplier >= 0)
    check (points_multiplier <= 1000),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z'),
  unique (organization_id, name),
  unique (organization_id, rank) deferrable initially deferred
);
comment on table public.loyalty_tiers is 'Tiers of the loyalty programme; a higher rank is a higher tier.';

create table public.loyalty_rules (
  location_id uuid not null references public.locations on delete cascade,
  tier_id uuid not null references public.loyalty_tiers on delete cascade,
  min_spend numeric(12, 2) not null default 0 check (min_spend >= 0) check (min_spend <= 9999999999),
  min_visits integer not null default 0 check (min_visits >= 0) check (min_visits <= 1000000),
  updated_at timestamptz not null default now() check (updated_at between '1900-01-01Z' and '2200-01-01Z'),
  primary key (location_id, tier_id)
);
comment on table public.loyalty_rules is 'Minimum spend (EUR) and visits for a tier at a location; without a rule the tier never applies there.';

create index loyalty_rules_tier_id_idx on public.loyalty_rules (tier_id);

create table public.loyalty_configs (
  organization_id uuid primary key references public.organizations on delete cascade,
  tiers jsonb not null check (jsonb_typeof(tiers) = 'array')
    check (pg_column_size(tiers) <= 65536 and not jsonb_path_exists(tiers, '$.**{8}')),
  updated_at timestamptz not null default now() check (updated_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.loyalty_configs is
  'The programme as configured: tiers with minimum spend (EUR) and points multiplier.';
alter table public.loyalty_tiers enable row level security;
alter table public.loyalty_rules enable row level security;
alter table public.loyalty_configs enable row level security;
grant select on public.loyalty_tiers, public.loyalty_rules, public.loyalty_configs to authenticated;
grant select, insert, update, delete on public.loyalty_tiers, public.loyalty_rules, public.loyalty_configs
  to service_role;

create policy "members read tiers" on public.loyalty_tiers for select to authenticated
  using (organization_id = any(array(select private.my_organizations())));
create policy "members read the rules of their locations" on public.loyalty_rules for select to authenticated
  using (location_id = any(array(select private.my_locations())));
create policy "members read the programme" on public.loyalty_configs for select to authenticated
  using (organization_id = any(array(select private.my_organizations())));
