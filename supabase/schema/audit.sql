-- The audit log.

create table public.audit_log (
  id uuid primary key default private.new_id(),
  -- Not cascading: with the organization its log would go.
  organization_id uuid not null references public.organizations,
  actor text not null default 'system',
  actor_id uuid,
  action text not null check (btrim(action) <> '') check (length(action) <= 100),
  subject_type text not null check (length(subject_type) <= 100),
  subject_id uuid not null,
  subject text,
  location_id uuid,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object')
    check (pg_column_size(details) <= 1048576 and not jsonb_path_exists(details, '$.**{12}')),
  -- Not now(): a transaction's lines have an order.
  created_at timestamptz not null default clock_timestamp()
    check (created_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.audit_log is
  'Actions on records with their actor; rows are added, and only an erasure changes them (private.keep_audit_log). For customers only the names of fields, never values.';
comment on column public.audit_log.actor is
  'At the time: name and e-mail of the person; system for jobs and webhooks; database for direct changes in the database.';
comment on column public.audit_log.actor_id is 'The person''s id, also when they have left.';
comment on column public.audit_log.subject is 'The record''s name at the time; null for customers.';
comment on column public.audit_log.location_id is 'The location of the line; staff bound to it can read it. Lines without a location are for staff who work everywhere.';
comment on column public.audit_log.details is '{fields, before, after} of a change, or other details of the action.';

create index audit_log_recent_idx on public.audit_log (organization_id, created_at desc, id desc);
create index audit_log_subject_idx on public.audit_log (subject_id, created_at);
create index audit_log_kind_idx on public.audit_log (organization_id, subject_type, created_at desc, id desc);
create index audit_log_words_idx on public.audit_log (organization_id)
  where subject_type in ('ticket', 'calendar_event', 'import');
alter table public.audit_log enable row level security;
grant select on public.audit_log to authenticated;
grant select, insert on public.audit_log to service_role;

-- For staff bound to locations: actions on customers, and on records that they may see.
create policy "settings staff read the audit log" on public.audit_log for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings')))
    and ((select private.works_everywhere()) or location_id = any(array(select private.my_locations()))
      or case subject_type
      when 'customer' then true
      when 'reservation' then exists (select 1 from public.reservations r where r.id = subject_id)
      when 'message' then exists (select 1 from public.messages m where m.id = subject_id)
      when 'automation' then exists (select 1 from public.automations a where a.id = subject_id)
      when 'location' then subject_id = any(array(select private.my_locations()))
      when 'loyalty_rules' then subject_id = any(array(select private.my_locations()))
      else false end));

create table private.exports (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  person_id uuid not null references public.profiles on delete cascade,
  kind text not null check (kind in ('customers', 'reservations', 'recipients')),
  asked text not null check (length(asked) = 64),
  filters jsonb not null check (jsonb_typeof(filters) = 'object' and pg_column_size(filters) <= 16384),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint exports_instants_check check (
    least(started_at, ended_at) >= '1900-01-01Z' and greatest(started_at, ended_at) < '2200-01-01Z')
);

create index exports_person_idx on private.exports (person_id, started_at);
create index exports_organization_idx on private.exports (organization_id);
comment on table private.exports is
  'Downloads of many records that people started today: each was confirmed, counted and logged, and lets its own rows be read.';
comment on column private.exports.asked is 'The hash of the filters whose rows may be read.';
comment on column private.exports.filters is 'The filters as logged: without names that were searched for.';
alter table private.exports enable row level security;
grant select, delete on private.exports to service_role;
