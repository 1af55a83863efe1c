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
  search_name text not null generated always as (private.fold(customer_name)) stored,
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
  late_minutes smallint check (late_minutes between 1 and 240),
  guest_answer text check (guest_answer in ('confirmed', 'cancelled')),
  guest_answered_at timestamptz,
  email_unread boolean not null default false,
  joined_to uuid references public.reservations on delete set null,
  constraint reservations_staff_marks_bound check (
    staff_marks = '{}' or pg_column_size(staff_marks) <= 65536
      and not jsonb_path_exists(staff_marks, '$.**{3}')),
  constraint reservations_instants_check check (
    least(created_at, updated_at, erased_at, arrived_at, seated_at, finished_at, guest_answered_at)
      >= '1900-01-01Z'
    and greatest(created_at, updated_at, erased_at, arrived_at, seated_at, finished_at, guest_answered_at)
      < '2200-01-01Z')
);
comment on table public.reservations is 'A booking or walk-in. external_id is the PMS id and the upsert key of the sync.';
comment on column public.reservations.joined_to is
  'The party to which it and others are joined, as staff said in the service: those of them that come sit together (private.sits_with). Each keeps its own covers, guest and state.';
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
comment on column public.reservations.walk_in is 'Came without a reservation: staff entered the party in the service, or the PMS sent code 9.';
comment on column public.reservations.arrived_at is 'When staff marked that the party came; seated_at and finished_at likewise. The PMS sends none of them.';
comment on column public.reservations.late_minutes is
  'The delay in minutes that the party announced; null: none. A new time ends it.';
comment on column public.reservations.guest_answer is
  'What its guest answered last when asked whether they come, at guest_answered_at; the mark on status follows from it.';
comment on column public.reservations.email_unread is
  'The PMS sends an e-mail that is none. The sync names it when this becomes true.';
comment on column public.reservations.erased_at is
  'When its customer was erased: from then on the sync writes no name, contact or notes into it.';

create unique index reservations_external_id_key on public.reservations (organization_id, external_id);
create index reservations_day_idx on public.reservations (location_id, service_date, service_order, id);
-- Days of all locations in order of time, and the newest first.
create index reservations_date_idx
  on public.reservations (organization_id, reservation_date, reservation_time, id);
create index reservations_created_idx on public.reservations (organization_id, created_at);
create index reservations_customer_idx on public.reservations (customer_id, service_order, id);
-- For the nightly close. It holds only open services, so it stays small.
create index reservations_open_idx on public.reservations (location_id, service_date)
  where not service_over and source <> 'import';
-- Who sits at a table now, of whatever day.
create index reservations_seated_idx on public.reservations (location_id, service_date)
  where status = 'seated' and not service_over;
create index reservations_joined_to_idx on public.reservations (joined_to) where joined_to is not null;
create index reservations_import_idx on public.reservations (customer_id, location_id)
  where source = 'import';
create index reservations_no_show_idx on public.reservations (customer_id)
  where status = 'no_show' and source <> 'import';
alter table public.reservations enable row level security;
grant select on public.reservations to authenticated;
grant select, insert, update, delete on public.reservations to service_role;

-- The organization by `=`, so that an index gives the order of a page (schema/customers.sql); the locations
-- filter its rows.
create policy "operations staff read reservations of their locations" on public.reservations
  for select to authenticated
  using (organization_id = (select private.my_organizations('canAccessOperaciones'))
    and location_id = any(array(select private.my_locations())));

-- The figures of each service day of a location.

-- As in customer_counts: a day's figures are the sums of its rows, changes are only added, and there is no
-- foreign key. A sync and the staff of a busy evening therefore never wait for each other's day.
create table private.daily_figures (
  location_id uuid not null,
  service_date date not null check (service_date between '1899-12-31' and '2199-12-31'),
  id bigint generated by default as identity,
  booked integer not null,
  reservations integer not null,
  covers integer not null,
  completed integer not null,
  visits integer not null,
  cancelled integer not null,
  no_shows integer not null,
  walk_ins integer not null,
  known_revenue numeric(14, 2) not null,
  unknown_covers integer not null,
  primary key (location_id, service_date, id)
);

create index daily_figures_changes_idx on private.daily_figures (id) where id > 0;
comment on table private.daily_figures is
  'The figures of a location''s service days, without imported visits: the sums of a day''s rows. Row 0 has what was folded, the others the changes since.';
comment on column private.daily_figures.booked is 'All reservations; reservations and covers are those neither cancelled nor no-shows.';
comment on column private.daily_figures.known_revenue is 'EUR: the amounts of the visits that have one.';
comment on column private.daily_figures.unknown_covers is
  'Guests of the visits without an amount: they count with the location''s average spend of today.';
alter table private.daily_figures enable row level security;
grant select, insert, delete on private.daily_figures to service_role;

-- Where the nightly check of the kept figures is.

-- Where the nightly check is: a group of millions takes longer than one run may.
create table private.figure_checks (
  location_id uuid primary key references public.locations on delete cascade,
  next_day date check (next_day between '1899-12-31' and '2200-01-01'),
  checked_at timestamptz not null check (checked_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table private.figure_checks is
  'When a location''s daily figures were compared with its reservations; next_day is where a check under way goes on.';
alter table private.figure_checks enable row level security;
grant select, insert, update on private.figure_checks to service_role;

-- Both reports read this index alone, guest by guest: otherwise they would sort or hash every visit on
-- record.
create index reservations_visits_idx
  on public.reservations (customer_id, service_order, location_id, walk_in, source)
  include (party_size, total_amount, service_date) where visited;

-- Rates of no-shows, kept for the risk of coming reservations.

-- 90 days of a busy location are ten thousand bookings and more, and staff look at the risk all day long.
create table private.no_show_rates (
  location_id uuid primary key references public.locations on delete cascade,
  day date not null check (day between '1900-01-01' and '2199-12-31'),
  bookings integer not null check (bookings >= 0),
  rates jsonb not null check (jsonb_typeof(rates) = 'object' and pg_column_size(rates) <= 8192),
  counted_at timestamptz not null check (counted_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table private.no_show_rates is
  'What private.count_no_shows found for each location on a service day. No personal data.';
alter table private.no_show_rates enable row level security;

-- What the sync keeps of bookings that left the PMS, and of what it has said. Not columns of reservations:
-- most of these rows go again with the next answer, and writing a booking is what everything else follows.

create table private.missing_bookings (
  reservation_id uuid primary key references public.reservations on delete cascade,
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  missing_since timestamptz not null,
  held_at timestamptz,
  cancelled_at timestamptz,
  constraint missing_bookings_instants_check check (
    least(missing_since, held_at, cancelled_at) >= '1900-01-01Z'
    and greatest(missing_since, held_at, cancelled_at) < '2200-01-01Z')
);

create index missing_bookings_location_idx on private.missing_bookings (location_id);
create index missing_bookings_since_idx on private.missing_bookings (organization_id, missing_since);
comment on table private.missing_bookings is
  'Bookings that the PMS does not send any more (take_out_missing). A row goes when its booking comes again; tidy_up deletes old ones.';
comment on column private.missing_bookings.missing_since is 'The first complete answer without it, after the last one with it.';
comment on column private.missing_bookings.held_at is 'The last answer in which too many were missing to cancel them.';
comment on column private.missing_bookings.cancelled_at is 'When it was cancelled for that; null: not yet, or too many were missing.';
alter table private.missing_bookings enable row level security;
grant select, insert, update, delete on private.missing_bookings to service_role;

create table private.told_issues (
  location_id uuid not null references public.locations on delete cascade,
  code text not null check (length(code) <= 40),
  reservation text not null check (length(reservation) <= 200),
  reader text not null check (length(reader) <= 40),
  organization_id uuid not null references public.organizations on delete cascade,
  day date not null check (day between '1900-01-01' and '2199-12-31'),
  primary key (location_id, code, reservation, reader)
);

create index told_issues_day_idx on private.told_issues (organization_id, day);
comment on table private.told_issues is
  'Which problems the sync has named on which day of a location: those that it names once a day (private.tell_once). tidy_up deletes old ones.';
comment on column private.told_issues.code is 'As in lib/pms/sync-issues.ts.';
comment on column private.told_issues.reservation is 'Its PMS id; blank: the whole location.';
comment on column private.told_issues.reader is
  'Who was told: schedule (the runs of the cron job), requests (who asks for a sync), or a person who is bound to locations.';
alter table private.told_issues enable row level security;
grant select, insert, update, delete on private.told_issues to service_role;
