-- The log of imports from CSV.

create table public.import_runs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  profile_id uuid references public.profiles on delete set null,
  location_id uuid references public.locations on delete set null,
  file_name text not null check (length(file_name) <= 300),
  consent text not null default 'existing_customer'
    check (consent in ('opt_in', 'existing_customer', 'none')),
  status text not null default 'running' check (status in
    ('running', 'succeeded', 'partial', 'failed', 'cancelled')),
  total integer not null default 0 check (total >= 0) check (total <= 1000000000),
  processed integer not null default 0 check (processed between 0 and 1000000000),
  imported integer not null default 0 check (imported between 0 and 1000000000),
  created integer not null default 0 check (created between 0 and 1000000000),
  updated integer not null default 0 check (updated between 0 and 1000000000),
  repeated integer not null default 0 check (repeated between 0 and 1000000000),
  incomplete integer not null default 0 check (incomplete between 0 and 1000000000),
  error_count integer not null default 0 check (error_count between 0 and 1000000000),
  errors jsonb not null default '[]' check (jsonb_typeof(errors) = 'array')
    check (pg_column_size(errors) <= 4194304 and not jsonb_path_exists(errors, '$.**{3}')),
  failed_rows jsonb check (jsonb_typeof(failed_rows) = 'object')
    check (pg_column_size(failed_rows) <= 16777216 and not jsonb_path_exists(failed_rows, '$.**{5}')),
  failed_row_count integer not null default 0 check (failed_row_count between 0 and 1000000000),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint import_runs_instants_check check (
    least(started_at, finished_at) >= '1900-01-01Z' and greatest(started_at, finished_at) < '2200-01-01Z')
);
comment on table public.import_runs is 'One row per file: the importing person, the counts, and the rows that could not be imported.';
comment on column public.import_runs.consent is
  'The basis for marketing that the importing person declared; the file''s customers get it as their consent.';
comment on column public.import_runs.total is 'Rows of the file, also those beyond the limit of 5,000; processed: saved or refused so far.';
comment on column public.import_runs.created is 'New customers; updated: known customers that changed.';
comment on column public.import_runs.repeated is 'Imported rows for a customer of another row in the file.';
comment on column public.import_runs.incomplete is 'Rows imported (or, after a cancellation, to be imported) without a value that could not be read.';
comment on column public.import_runs.errors is 'The first error lines, without personal data.';
comment on column public.import_runs.failed_rows is
  '{columns, rows} as they were in the file, the reason last; personal data, which tidy_up removes.';

create index import_runs_recent_idx on public.import_runs (organization_id, started_at desc, id desc);
create index import_runs_running_idx on public.import_runs (organization_id, started_at)
  where status = 'running';
create index import_runs_kept_idx on public.import_runs (organization_id, started_at)
  where failed_row_count > 0;
create index import_runs_profile_idx on public.import_runs (profile_id);
create index import_runs_location_idx on public.import_runs (location_id);
alter table public.import_runs enable row level security;
grant select on public.import_runs to authenticated;
grant select, insert, update, delete on public.import_runs to service_role;

create policy "settings staff read imports" on public.import_runs for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings')))
    and ((select private.works_everywhere()) or location_id = any(array(select private.my_locations()))
      or (location_id is null and profile_id = (select private.caller()))));
