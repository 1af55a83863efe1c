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
  search_name text not null generated always as (private.normalize_text(customer_name)) stored,
  service_over boolean not null default false,
  counts_unmarked boolean not null default true,
  visited boolean generated always as (case
    when source = 'import' then false
    when status = 'completed' then true
    when not service_over then null
    when status = 'seated' then true
    when status = 'confirmed' then counts_unmarked
    else false end) stored,
  staff_marks jsonb not null default '{}' check (jsonb_typeof(staff_marks) = 'object')
);
create function private.current_service(p_timezone text, p_now timestamptz) returns date
language sql immutable parallel safe set search_path = ''
as $$ select ((p_now at time zone p_timezone) - interval '6 hours')::date $$;
comment on function private.current_service(text, timestamptz) is
  'The service_date under way in a time zone: a service ends at 06:00 local on the day after.';
grant execute on function private.current_service(text, timestamptz) to authenticated, service_role;

create function private.service_day(p_date date, p_time time) returns date
language sql immutable parallel safe set search_path = ''
as $$ select case when p_time < time '06:00' then p_date - 1 else p_date end $$;
comment on function private.service_day(date, time) is
  'The service a local date and time belong to, as in the generated column service_date.';
grant execute on function private.service_day(date, time) to authenticated, service_role;

comment on table public.reservations is 'A booking or walk-in. external_id is the PMS id and the upsert key of the sync.';
comment on column public.reservations.service_date is
  'The service it belongs to: after-midnight entries (before 06:00) are the previous day''s dinner.';
comment on column public.reservations.customer_email is
  'Contact as the PMS gave it, normalised; while it does not change, the row keeps its customer.';
comment on column public.reservations.visited is
  'Whether the guest came; null while the service is not over. What statistics, tiers, automations and revenue read.';
comment on column public.reservations.service_over is
  'The service ended (06:00 local on the day after service_date) and close_services or a writer has seen it.';
comment on column public.reservations.counts_unmarked is
  'The location''s count_unmarked_visits when the row was written or its service was closed.';
comment on column public.reservations.staff_marks is
  'Fields of a PMS reservation that staff changed, each with the PMS''s value at that moment. Another value from the PMS ends the mark.';
comment on column public.reservations.total_amount is 'EUR; null counts as party size × the location''s average spend.';

create unique index reservations_external_id_key on public.reservations (organization_id, external_id);
create index reservations_day_idx on public.reservations (location_id, service_date, service_order, id);
create index reservations_customer_idx on public.reservations (customer_id, service_order, id);

-- What the nightly close looks for: small, for it holds only what is still to come.
create index reservations_open_idx on public.reservations (location_id, service_date)
  where not service_over and source <> 'import';

create trigger reservations_touch before update on public.reservations
  for each row execute function private.touch_updated_at();

alter table public.reservations enable row level security;
revoke all on public.reservations from anon, authenticated;
grant select on public.reservations to authenticated;
grant select, insert, update, delete on public.reservations to service_role;

create policy "operations staff read reservations of their locations" on public.reservations
  for select to authenticated
  using (location_id = any(array(select private.my_locations('canAccessOperaciones'))));
