-- Loyalty tiers of an organization and the rules by which a location grants them.

create table public.loyalty_tiers (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> ''),
  rank integer not null,
  points_multiplier numeric(6, 2) not null default 1 check (points_multiplier >= 0),
  created_at timestamptz not null default now(),
  unique (organization_id, name),
  unique (organization_id, rank) deferrable initially deferred
);
comment on table public.loyalty_tiers is 'Tiers of the loyalty programme; a higher rank is a higher tier.';

create table public.loyalty_rules (
  location_id uuid not null references public.locations on delete cascade,
  tier_id uuid not null references public.loyalty_tiers on delete cascade,
  min_spend numeric(12, 2) not null default 0 check (min_spend >= 0),
  min_visits integer not null default 0 check (min_visits >= 0),
  updated_at timestamptz not null default now(),
  primary key (location_id, tier_id)
);
create index loyalty_rules_tier_id_idx on public.loyalty_rules (tier_id);
comment on table public.loyalty_rules is 'Minimum spend (EUR) and visits for a tier at a location; without a rule the tier never applies there.';

create trigger loyalty_rules_touch before update on public.loyalty_rules
  for each row execute function private.touch_updated_at();

-- Every organization starts with the contract's four tiers.
create function private.seed_loyalty_tiers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.loyalty_tiers (organization_id, name, rank, points_multiplier)
  values (new.id, 'Bronce', 1, 1), (new.id, 'Plata', 2, 1.2), (new.id, 'Oro', 3, 1.5), (new.id, 'Platino', 4, 2);
  return new;
end
$$;
create trigger organizations_seed_loyalty_tiers after insert on public.organizations
  for each row execute function private.seed_loyalty_tiers();

alter table public.loyalty_tiers enable row level security;
alter table public.loyalty_rules enable row level security;
revoke all on public.loyalty_tiers, public.loyalty_rules from anon, authenticated;
grant select on public.loyalty_tiers, public.loyalty_rules to authenticated;
grant select, insert, update, delete on public.loyalty_tiers, public.loyalty_rules to service_role;

create policy "members read tiers" on public.loyalty_tiers for select to authenticated
  using (organization_id = any(array(select private.my_organizations())));
create policy "members read the rules of their locations" on public.loyalty_rules for select to authenticated
  using (location_id = any(array(select private.my_locations())));
