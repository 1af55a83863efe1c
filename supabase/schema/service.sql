-- How a location serves: its shifts (hours and capacity), the days it is closed, and its tables.

create table public.shifts (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  name text not null check (btrim(name) <> '' and length(name) <= 60),
  weekdays smallint[] not null check (cardinality(weekdays) between 1 and 7 and array_ndims(weekdays) = 1
    and weekdays <@ '{1,2,3,4,5,6,7}' and array_position(weekdays, null) is null),
  opens time not null check (opens < '24:00'),
  closes time not null check (closes < '24:00'),
  capacity integer check (capacity between 1 and 10000),
  -- A service day begins at 06:00: minutes after that put an evening that ends after midnight in order.
  opens_at integer not null generated always as (
    (extract(hour from opens)::integer + 18) % 24 * 60 + extract(minute from opens)::integer) stored,
  closes_at integer not null generated always as (
    (extract(hour from closes)::integer + 18) % 24 * 60 + extract(minute from closes)::integer) stored,
  unique (location_id, name),
  constraint shifts_order_check check (opens_at < closes_at)
);

create index shifts_organization_idx on public.shifts (organization_id);
comment on table public.shifts is
  'A service of a location, such as lunch or dinner, with its weekdays, start, end and capacity.';
comment on column public.shifts.weekdays is 'ISO weekdays of the service day, 1 (Monday) to 7.';
comment on column public.shifts.closes is 'Local time; before 06:00 it is of the night after the service day.';
comment on column public.shifts.capacity is 'Covers that the location can serve in the shift; null: not known.';
comment on column public.shifts.opens_at is 'Minutes after 06:00.';
comment on column public.shifts.closes_at is 'Minutes after 06:00.';

create table public.closed_days (
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  day date not null check (day between '1900-01-01' and '2199-12-31'),
  name text check (btrim(name) <> '' and length(name) <= 200),
  id uuid primary key default gen_random_uuid(),
  shift text check (btrim(shift) <> '' and length(shift) <= 60),
  zone text check (btrim(zone) <> '' and length(zone) <= 100),
  unique nulls not distinct (location_id, day, shift, zone)
);

create index closed_days_organization_idx on public.closed_days (organization_id);
comment on table public.closed_days is
  'Service days on which a location, or a shift or zone of it, does not open, and why (name).';
comment on column public.closed_days.shift is 'The name of the shift, which outlives a change of hours; null: the whole day.';
comment on column public.closed_days.zone is 'The zone, as tables and reservations name it; null: all zones.';

create table public.dining_tables (
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  zone text check (btrim(zone) <> '' and length(zone) <= 100),
  name text not null check (btrim(name) <> '' and length(name) <= 100),
  capacity integer check (capacity between 1 and 999),
  is_active boolean not null default true,
  plan_x smallint check (plan_x between 0 and 39),
  plan_y smallint check (plan_y between 0 and 29),
  shape text not null default 'square' check (shape in ('round', 'square', 'rectangle')),
  turned boolean not null default false,
  joinable boolean not null default true,
  primary key (location_id, name),
  constraint dining_tables_plan_check check ((plan_x is null) = (plan_y is null))
);

create index dining_tables_organization_idx on public.dining_tables (organization_id);
comment on table public.dining_tables is
  'The tables of a location, by the name that reservations carry in table_name. Inactive tables are not offered.';
comment on column public.dining_tables.capacity is 'Guests it seats; null: not known.';
comment on column public.dining_tables.plan_x is
  'The column of its top left cell on the plan of its zone, from 0; null as plan_y: not placed. Its size follows from shape and capacity (components/tables/plan-geometry.ts).';
comment on column public.dining_tables.plan_y is 'The row of its top left cell on the plan of its zone, from 0.';
comment on column public.dining_tables.turned is 'A rectangle that stands upright on the plan.';
comment on column public.dining_tables.joinable is 'Whether it is proposed together with other tables. Staff may join any.';
alter table public.shifts enable row level security;
alter table public.closed_days enable row level security;
alter table public.dining_tables enable row level security;
grant select on public.shifts, public.closed_days, public.dining_tables to authenticated;
grant select, insert, update, delete on public.shifts, public.closed_days, public.dining_tables
  to service_role;

create policy "members read the shifts of their locations" on public.shifts
  for select to authenticated using (location_id = any(array(select private.my_locations())));
create policy "members read the closed days of their locations" on public.closed_days
  for select to authenticated using (location_id = any(array(select private.my_locations())));
create policy "members read the tables of their locations" on public.dining_tables
  for select to authenticated using (location_id = any(array(select private.my_locations())));

-- Parties without a reservation that wait for a table: party size, arrival, quoted time.

create table public.waitlist (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  name text not null check (btrim(name) <> '' and length(name) <= 200),
  phone text check (length(phone) <= 20),
  party_size integer not null check (party_size between 1 and 100),
  quoted_minutes integer check (quoted_minutes between 0 and 600),
  notes text check (btrim(notes) <> '' and length(notes) <= 500),
  joined_at timestamptz not null default now(),
  called_at timestamptz,
  ended_at timestamptz,
  outcome text check (outcome in ('seated', 'left', 'booked')),
  message_id uuid references public.messages on delete set null,
  constraint waitlist_ended_check check ((outcome is null) = (ended_at is null)),
  constraint waitlist_instants_check check (
    least(joined_at, called_at, ended_at) >= '1900-01-01Z'
      and greatest(joined_at, called_at, ended_at) < '2200-01-01Z')
);

create index waitlist_waiting_idx on public.waitlist (location_id, joined_at) where outcome is null;
create index waitlist_organization_idx on public.waitlist (organization_id, joined_at);
create index waitlist_phone_idx on public.waitlist (organization_id, phone) where phone is not null;
create index waitlist_message_idx on public.waitlist (message_id) where message_id is not null;
comment on table public.waitlist is
  'Parties that wait for a table without a reservation. outcome: null while they wait, then seated, left, or booked (they accepted a freed table).';
comment on column public.waitlist.quoted_minutes is 'The waiting time in minutes that staff quoted.';
comment on column public.waitlist.message_id is 'The message that called them.';
alter table public.waitlist enable row level security;
grant select on public.waitlist to authenticated;
grant select, insert, update, delete on public.waitlist to service_role;

create policy "operations staff read the waitlists of their locations" on public.waitlist
  for select to authenticated
    using (location_id = any(array(select private.my_locations('canAccessOperaciones'))));

create table private.table_offers (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  waitlist_id uuid not null references public.waitlist on delete cascade,
  reservation_id uuid not null references public.reservations on delete cascade,
  table_name text not null check (length(table_name) <= 300),
  starts_at timestamptz not null,
  message_id uuid references public.messages on delete set null,
  offered_at timestamptz not null,
  expires_at timestamptz not null,
  outcome text check (outcome in ('accepted', 'declined', 'expired', 'gone')),
  ended_at timestamptz,
  booking_id uuid references public.reservations on delete set null,
  ticket_id uuid references public.tickets on delete set null,
  constraint table_offers_ended_check check ((outcome is null) = (ended_at is null)),
  constraint table_offers_instants_check check (
    least(starts_at, offered_at, expires_at, ended_at) >= '1900-01-01Z'
    and greatest(starts_at, offered_at, expires_at, ended_at) < '2200-01-01Z')
);

-- Never two guests for one table: at most one open or accepted offer for each reservation and each party.
create unique index table_offers_reservation_key on private.table_offers (reservation_id)
  where outcome is null or outcome = 'accepted';
create unique index table_offers_waiting_key on private.table_offers (waitlist_id)
  where outcome is null or outcome = 'accepted';
create index table_offers_waitlist_idx on private.table_offers (waitlist_id, reservation_id);
create index table_offers_freed_idx on private.table_offers (reservation_id);
create index table_offers_message_idx on private.table_offers (message_id) where message_id is not null;
create index table_offers_booking_idx on private.table_offers (booking_id) where booking_id is not null;
create index table_offers_open_idx on private.table_offers (organization_id) where outcome is null;
create index table_offers_location_idx on private.table_offers (location_id) where outcome is null;
comment on table private.table_offers is
  'Offers of freed tables to waiting parties by message (logic/service/table_offers.sql); they go with the waitlist entry.';
comment on column private.table_offers.reservation_id is 'The cancelled reservation or no-show whose table it is.';
comment on column private.table_offers.ticket_id is 'The ticket with their unclear messages.';
comment on column private.table_offers.outcome is
  'null while the table is held; gone: the party or the table was no longer there.';
alter table private.table_offers enable row level security;
grant select, insert, update, delete on private.table_offers to service_role;

-- What staff tap on the board. A telephone may send a tap twice: its key makes it count once.

create table private.service_taps (
  key uuid primary key,
  organization_id uuid not null references public.organizations on delete cascade,
  reservation_id uuid references public.reservations on delete cascade,
  waitlist_id uuid references public.waitlist on delete cascade,
  action text not null check (
    action in ('arrive', 'seat', 'assign', 'change', 'no_show', 'cancel', 'finish', 'set_back', 'walk_in',
      'undo', 'join', 'separate', 'wait_leave', 'wait_return')),
  -- A note of 5000 characters is 20 kB.
  before jsonb not null check (jsonb_typeof(before) = 'object' and pg_column_size(before) <= 32768),
  after jsonb not null check (jsonb_typeof(after) = 'object' and pg_column_size(after) <= 32768),
  -- The other parties of join and separate: [{id, before, after}].
  others jsonb not null default '[]'
    check (jsonb_typeof(others) = 'array' and pg_column_size(others) <= 32768),
  taken_at timestamptz not null default now() check (taken_at between '1900-01-01Z' and '2200-01-01Z'),
  constraint service_taps_of_check check (num_nonnulls(reservation_id, waitlist_id) = 1)
);

create index service_taps_organization_idx on private.service_taps (organization_id, taken_at);
create index service_taps_reservation_idx on private.service_taps (reservation_id);
create index service_taps_waitlist_idx on private.service_taps (waitlist_id) where waitlist_id is not null;
comment on table private.service_taps is
  'The taps of staff in the service of the last days, with the fields before and after: a repeated tap is recognised, and the last one can be undone.';
alter table private.service_taps enable row level security;
grant select, delete on private.service_taps to service_role;

-- The shift notes of the evening, which the morning report shows.

create table public.shift_notes (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  day date not null check (day between '1900-01-01' and '2199-12-31'),
  body text not null check (btrim(body) <> '' and length(body) <= 2000),
  author_id uuid references public.profiles on delete set null,
  author_name text not null check (length(author_name) <= 254),
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  constraint shift_notes_instants_check check (
    least(created_at, edited_at) >= '1900-01-01Z' and greatest(created_at, edited_at) < '2200-01-01Z')
);

create index shift_notes_day_idx on public.shift_notes (location_id, day, created_at);
create index shift_notes_organization_idx on public.shift_notes (organization_id, day);
create index shift_notes_author_idx on public.shift_notes (author_id) where author_id is not null;
comment on table public.shift_notes is
  'Notes that staff write at the end of a service for the next morning''s staff. Kept for a year (tidy_up).';
comment on column public.shift_notes.day is 'The service day it is about.';
comment on column public.shift_notes.author_name is 'The author''s name at the time; it stays when the author leaves.';
alter table public.shift_notes enable row level security;
grant select on public.shift_notes to authenticated;
grant select, insert, update, delete on public.shift_notes to service_role;

create policy "operations staff read the shift notes of their locations" on public.shift_notes
  for select to authenticated
    using (location_id = any(array(select private.my_locations('canAccessOperaciones'))));
