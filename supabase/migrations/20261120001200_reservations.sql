-- Reservations, in the restaurant's local date and time.

create table public.reservations (
  id uuid primary key default private.new_id(),
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  customer_id uuid references public.customers on delete set null,
  external_id text check (length(external_id) <= 200),
  customer_name text check (length(customer_name) <= 200),
  customer_email text check (length(customer_email) <= 254 and customer_email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  customer_phone text check (length(customer_phone) <= 40),
  reservation_date date not null check (reservation_date between '1900-01-01' and '2199-12-31'),
  reservation_time time not null check (reservation_time < '24:00'),
  -- The PMS sends larger parties than the API lets people enter.
  party_size integer not null check (party_size > 0) check (party_size <= 999),
  status text not null default 'pending' check (status in
    ('pending', 'confirmed', 'seated', 'completed', 'cancelled', 'no_show')),
  pms_status text check (length(pms_status) <= 100),
  notes text check (length(notes) <= 5000),
  total_amount numeric(12, 2) check (total_amount >= 0) check (total_amount <= 1000000),
  source text not null default 'manual' check (source in ('pms', 'manual', 'import')),
  zone_name text check (length(zone_name) <= 100),
  table_name text check (length(table_name) <= 100),
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
  staff_marks jsonb not null default '{}' check (jsonb_typeof(staff_marks) = 'object'),
  erased_at timestamptz,
  walk_in boolean not null default false,
  arrived_at timestamptz,
  seated_at timestamptz,
  finished_at timestamptz,
  guest_answer text check (guest_answer in ('confirmed', 'cancelled')),
  guest_answered_at timestamptz,
  constraint reservations_staff_marks_bound check (
    staff_marks = '{}' or pg_column_size(staff_marks) <= 65536 and not jsonb_path_exists(staff_marks, '$.**{3}')),
  constraint reservations_instants_check check (
    least(created_at, updated_at, erased_at, arrived_at, seated_at, finished_at, guest_answered_at) >= '1900-01-01Z'
    and greatest(created_at, updated_at, erased_at, arrived_at, seated_at, finished_at, guest_answered_at) < '2200-01-01Z')
);
comment on table public.reservations is 'A booking or walk-in. external_id is the PMS id and the upsert key of the sync.';
comment on column public.reservations.customer_email is
  'As the PMS sent it, normalised. As long as e-mail and phone stay the same, the reservation keeps its customer.';
comment on column public.reservations.total_amount is 'EUR; null counts as party size × the location''s average spend.';
comment on column public.reservations.service_date is
  'The service it belongs to: after-midnight entries (before 06:00) are the previous day''s dinner.';
comment on column public.reservations.service_over is
  'The service ended (06:00 local on the day after service_date) and close_services or a write has recorded that.';
comment on column public.reservations.counts_unmarked is
  'The location''s count_unmarked_visits when the row was written or its service was closed.';
comment on column public.reservations.visited is
  'Whether the guest came; null until the service is over. Statistics, tiers, automations and revenue read this column.';
comment on column public.reservations.staff_marks is
  'Fields of a PMS reservation that staff changed, each with the PMS''s value at that moment. The mark ends when the PMS sends another value.';
comment on column public.reservations.walk_in is 'Came without a reservation; staff entered the party in the service.';
comment on column public.reservations.arrived_at is 'When staff marked that the party came; seated_at and finished_at likewise. The PMS sends none of them.';
comment on column public.reservations.guest_answer is
  'What its guest answered last when asked whether they come, at guest_answered_at; the mark on status follows from it.';
comment on column public.reservations.erased_at is
  'When its customer was erased: from then on the sync writes no name, contact or notes into it.';

create unique index reservations_external_id_key on public.reservations (organization_id, external_id);
create index reservations_day_idx on public.reservations (location_id, service_date, service_order, id);
-- Days of all locations in order of time, and the newest first.
create index reservations_date_idx on public.reservations (organization_id, reservation_date, reservation_time, id);
create index reservations_created_idx on public.reservations (organization_id, created_at);
create index reservations_customer_idx on public.reservations (customer_id, service_order, id);
-- For the nightly close. It holds only open services, so it stays small.
create index reservations_open_idx on public.reservations (location_id, service_date)
  where not service_over and source <> 'import';
create index reservations_import_idx on public.reservations (customer_id, location_id) where source = 'import';
create index reservations_no_show_idx on public.reservations (customer_id)
  where status = 'no_show' and source <> 'import';

create trigger reservations_touch before update on public.reservations
  for each row execute function private.touch_updated_at();

create function private.current_service(p_timezone text, p_now timestamptz) returns date
language sql immutable parallel safe set search_path = ''
as $$ select ((p_now at time zone p_timezone) - interval '6 hours')::date $$;
comment on function private.current_service(text, timestamptz) is
  'The service_date under way in a time zone: a service ends at 06:00 local on the day after.';

create function private.service_day(p_date date, p_time time) returns date
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when p_time < time '06:00' then p_date - 1 else p_date end;
end
$$;
comment on function private.service_day(date, time) is
  'The service a local date and time belong to, as in the generated column service_date.';

alter table public.reservations enable row level security;
revoke all on public.reservations from anon, authenticated;
grant select on public.reservations to authenticated;
grant select, insert, update, delete on public.reservations to service_role;

-- The organization by `=`, so that an index gives the order of a page (customers.sql); the locations filter its rows.
create policy "operations staff read reservations of their locations" on public.reservations
  for select to authenticated
  using (organization_id = (select private.my_organizations('canAccessOperaciones'))
    and location_id = any(array(select private.my_locations())));

grant execute on function private.current_service(text, timestamptz), private.service_day(date, time)
  to authenticated, service_role;
