-- Reservations, in the restaurant's local date and time.

create table public.reservations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  customer_id uuid references public.customers on delete set null,
  external_id text,
  customer_name text,
  customer_email text,
  customer_phone text,
  reservation_date date not null,
  reservation_time time not null,
  party_size integer not null check (party_size > 0),
  status text not null default 'pending' check (status in
    ('pending', 'confirmed', 'seated', 'completed', 'cancelled', 'no_show')),
  pms_status text,
  notes text,
  total_amount numeric(12, 2) check (total_amount >= 0),
  source text not null default 'manual' check (source in ('pms', 'manual', 'import')),
  zone_name text,
  table_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  service_date date not null generated always as (
    case when reservation_time < time '06:00' then reservation_date - 1 else reservation_date end) stored,
  service_order timestamp not null generated always as (reservation_date + reservation_time) stored,
  search_name text not null generated always as (private.normalize_text(customer_name)) stored
);
comment on table public.reservations is 'A booking or walk-in. external_id is the PMS id and the upsert key of the sync.';
comment on column public.reservations.service_date is
  'The service it belongs to: after-midnight entries (before 06:00) are the previous day''s dinner.';
comment on column public.reservations.customer_email is
  'Contact as the PMS gave it, normalised; while it does not change, the row keeps its customer.';
comment on column public.reservations.total_amount is 'EUR; null counts as party size × the location''s average spend.';

create unique index reservations_external_id_key on public.reservations (organization_id, external_id);
create index reservations_day_idx on public.reservations (location_id, service_date, service_order, id);
create index reservations_customer_idx on public.reservations (customer_id, service_order, id);

create trigger reservations_touch before update on public.reservations
  for each row execute function private.touch_updated_at();

alter table public.reservations enable row level security;
revoke all on public.reservations from anon, authenticated;
grant select on public.reservations to authenticated;
grant select, insert, update, delete on public.reservations to service_role;

create policy "operations staff read reservations of their locations" on public.reservations
  for select to authenticated
  using (location_id = any(array(select private.my_locations('canAccessOperaciones'))));
