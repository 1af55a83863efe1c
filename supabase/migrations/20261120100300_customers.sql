-- Customers of the group: one row a person, across all locations.

create table public.customers (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  email text check (email = lower(btrim(email)) and email <> ''),
  phone text check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  first_name text,
  last_name text,
  birth_date date,
  company text,
  job_title text,
  address text,
  tags text[] not null default '{}',
  source text,
  notes text,
  location_id uuid references public.locations on delete set null,
  total_visits integer not null default 0,
  total_spend numeric(12, 2) not null default 0,
  last_visit_at timestamptz,
  loyalty_tier_id uuid references public.loyalty_tiers on delete set null,
  points bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Sort keys without nulls, so that keyset pages need one comparison.
  sort_name text not null generated always as (
    private.normalize_text(coalesce(last_name, '') || ' ' || coalesce(first_name, ''))) stored,
  sort_visit timestamptz not null generated always as (
    coalesce(last_visit_at, '-infinity'::timestamptz)) stored,
  search_text text not null generated always as (
    private.normalize_text(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' ||
      coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(company, ''))) stored
);
comment on table public.customers is 'A guest of the group. Statistics and tier are derived from reservations.';
comment on column public.customers.email is 'Primary match key: trimmed, lower case.';
comment on column public.customers.phone is 'Fallback match key: E.164. Families may share one.';
comment on column public.customers.total_spend is 'EUR over completed reservations.';
comment on column public.customers.points is 'Balance of loyalty_points; below 0 when a visit is taken back whose points were spent.';
comment on column public.customers.location_id is 'Where most of their reservations are.';

create unique index customers_email_key on public.customers (organization_id, email);
create index customers_phone_idx on public.customers (organization_id, phone) where phone is not null;
create index customers_by_name_idx on public.customers (organization_id, sort_name, id);
create index customers_by_visit_idx on public.customers (organization_id, sort_visit, id);
create index customers_by_spend_idx on public.customers (organization_id, total_spend, id);
create index customers_by_visits_idx on public.customers (organization_id, total_visits, id);
create index customers_location_id_idx on public.customers (location_id);
create index customers_tier_idx on public.customers (loyalty_tier_id);
create index customers_tags_idx on public.customers using gin (tags);
create index customers_search_idx on public.customers using gin (search_text extensions.gin_trgm_ops);

create trigger customers_touch before update on public.customers
  for each row execute function private.touch_updated_at();

alter table public.customers enable row level security;
revoke all on public.customers from anon, authenticated;
grant select on public.customers to authenticated;
grant select, insert, update, delete on public.customers to service_role;

create policy "staff with customer access read customers" on public.customers for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));
