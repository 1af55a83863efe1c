-- Support tickets of the staff, with a deadline by priority, and their comments. Everyone of the organization
-- uses them; members bound to locations see those of their locations and of none.

create table public.tickets (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  -- The trigger gives the number and the deadline; the defaults only make them optional.
  number integer not null default 0 check (number between 1 and 1000000000),
  subject text not null check (btrim(subject) <> '' and length(subject) <= 200),
  description text check (length(description) <= 10000),
  status text not null default 'open'
    check (status in ('open', 'in_progress', 'waiting', 'resolved', 'closed')),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  sla_due_at timestamptz not null default now(),
  -- Not "set null": a ticket without a location is open to everyone.
  location_id uuid references public.locations on delete cascade,
  customer_id uuid references public.customers on delete set null,
  reservation_id uuid references public.reservations on delete set null,
  assignee_id uuid references public.profiles on delete set null,
  requester_id uuid references public.profiles on delete set null,
  changes integer not null default 1 check (changes between -1 and 1000000000),
  notified_changes integer not null default 0 check (notified_changes between -1 and 1000000000),
  notified_at timestamptz,
  sla_reminded_at timestamptz,
  resolved_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text not null generated always as (
    private.fold('#' || number::text || ' ' || subject || ' ' || coalesce(description, ''))) stored,
  unique (organization_id, number),
  constraint tickets_instants_check check (
    least(sla_due_at, notified_at, sla_reminded_at, resolved_at, created_at, updated_at) >= '1900-01-01Z'
    and greatest(sla_due_at, notified_at, sla_reminded_at, resolved_at, created_at, updated_at)
      < '2200-01-01Z')
);
comment on table public.tickets is 'Something the staff has to solve, until sla_due_at.';
comment on column public.tickets.sla_due_at is 'Creation plus the length of the priority; a new deadline is reminded of again.';
comment on column public.tickets.reservation_id is
  'The reservation of a guest''s message that staff have to read.';
comment on column public.tickets.changes is
  'Counts the events to notify: creation, comments, and every change by a person. A count and not a time, because clocks differ.';
comment on column public.tickets.notified_changes is 'The value of changes when it was last notified.';

create index tickets_status_idx on public.tickets (organization_id, status, number);
create index tickets_priority_idx on public.tickets (organization_id, priority, number);
create index tickets_location_idx on public.tickets (location_id, number);
create index tickets_assignee_idx on public.tickets (assignee_id, number);
create index tickets_customer_idx on public.tickets (customer_id) where customer_id is not null;
create index tickets_requester_idx on public.tickets (requester_id) where requester_id is not null;
create index tickets_reservation_idx on public.tickets (reservation_id) where reservation_id is not null;
create index tickets_search_idx on public.tickets using gin (search_text extensions.gin_trgm_ops);
create index tickets_to_notify_idx on public.tickets (organization_id, number)
  where changes > notified_changes;
create index tickets_to_remind_idx on public.tickets (organization_id, sla_due_at, id)
  where sla_reminded_at is null and status in ('open', 'in_progress', 'waiting');

create table public.ticket_comments (
  id uuid primary key default gen_random_uuid(),
  ticket_id uuid not null references public.tickets on delete cascade,
  author_id uuid references public.profiles on delete set null,
  author_name text not null check (length(author_name) <= 254),
  body text not null check (btrim(body) <> '' and length(body) <= 5000),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.ticket_comments is 'The comments on a ticket, the oldest first.';
comment on column public.ticket_comments.author_name is 'The author''s name at the time; it stays when the author leaves.';

create index ticket_comments_ticket_idx on public.ticket_comments (ticket_id, created_at, id);
create index ticket_comments_author_idx on public.ticket_comments (author_id) where author_id is not null;
create index ticket_comments_body_idx on public.ticket_comments using gin (body extensions.gin_trgm_ops);

create table private.ticket_numbers (
  organization_id uuid primary key references public.organizations on delete cascade,
  last_number integer not null check (last_number between 0 and 1000000000)
);
comment on table private.ticket_numbers is 'The last ticket number given; its row lock makes numbers come one after another.';
alter table public.tickets enable row level security;
alter table public.ticket_comments enable row level security;
alter table private.ticket_numbers enable row level security;
grant select on public.tickets, public.ticket_comments to authenticated;
grant select, insert, update, delete on public.tickets, public.ticket_comments to service_role;

create policy "members read tickets of their locations and of none" on public.tickets
  for select to authenticated using (
    organization_id = any(array(select private.my_organizations()))
    and (location_id is null or location_id = any(array(select private.my_locations()))));
-- The policy of tickets applies to the tickets this one reads.
create policy "who reads a ticket reads its comments" on public.ticket_comments for select to authenticated
  using (exists (select 1 from public.tickets t where t.id = ticket_id));

-- The history of a ticket: each change of its fields by people, written in the transaction of the change.

create table public.ticket_changes (
  id uuid primary key default gen_random_uuid(),
  ticket_id uuid not null references public.tickets on delete cascade,
  author_id uuid references public.profiles on delete set null,
  author_name text check (length(author_name) <= 254),
  field text not null check (field in ('status', 'priority', 'due', 'assignee', 'location', 'subject')),
  before text check (length(before) <= 254),
  after text check (length(after) <= 254),
  created_at timestamptz not null default clock_timestamp()
    check (created_at between '1900-01-01Z' and '2200-01-01Z')
);

create index ticket_changes_ticket_idx on public.ticket_changes (ticket_id, created_at, id);
create index ticket_changes_author_idx on public.ticket_changes (author_id) where author_id is not null;
comment on table public.ticket_changes is 'Changes of tickets, one row a field. Kept as long as the ticket.';
comment on column public.ticket_changes.author_name is 'As it was when they did it; null: a job, or the database.';
comment on column public.ticket_changes.field is 'due is the deadline, which follows from the priority.';
comment on column public.ticket_changes.before is
  'A code (status, priority), an instant (due), the name at the time (assignee, location), or the text itself; null: none.';
alter table public.ticket_changes enable row level security;
grant select on public.ticket_changes to authenticated;
grant select, insert, update, delete on public.ticket_changes to service_role;

-- The policy of tickets applies to the tickets this one reads.
create policy "who reads a ticket reads its changes" on public.ticket_changes for select to authenticated
  using (exists (select 1 from public.tickets t where t.id = ticket_id));
