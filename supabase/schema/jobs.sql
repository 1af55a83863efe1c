-- Jobs: leases so that overlapping schedulers do nothing twice, a log of runs, when nightly jobs are due, and
-- rate limits.

create table public.job_leases (
  name text primary key check (length(name) <= 300),
  holder uuid not null,
  expires_at timestamptz not null check (expires_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.job_leases is 'The current holder of each job. The lease of a crashed holder expires.';

create table public.job_runs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid references public.organizations on delete cascade,
  job text not null check (length(job) <= 100),
  status text not null default 'running' check (status in ('running', 'succeeded', 'partial', 'failed')),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  result jsonb not null default '{}'
    check (pg_column_size(result) <= 16777216 and not jsonb_path_exists(result, '$.**{12}')),
  constraint job_runs_instants_check check (
    least(started_at, finished_at) >= '1900-01-01Z' and greatest(started_at, finished_at) < '2200-01-01Z')
);

create index job_runs_recent_idx on public.job_runs (organization_id, job, started_at desc);
create index job_runs_latest_idx on public.job_runs (organization_id, started_at desc, id desc);
comment on table public.job_runs is 'One row a run of a job, with its counts and errors.';

create table public.rate_limits (
  key text primary key check (length(key) <= 500),
  window_start timestamptz not null,
  hits integer not null check (hits between 0 and 1000000000),
  touched_at timestamptz not null,
  constraint rate_limits_instants_check check (
    least(window_start, touched_at) >= '1900-01-01Z' and greatest(window_start, touched_at) < '2200-01-01Z')
);

create index rate_limits_touched_idx on public.rate_limits (touched_at);
comment on table public.rate_limits is 'Requests of a key in its current window; at most 500 keys are kept.';
alter table public.job_leases enable row level security;
alter table public.job_runs enable row level security;
alter table public.rate_limits enable row level security;

-- Not result: it is about every location (see job_results).
grant select (id, organization_id, job, status, started_at, finished_at) on public.job_runs to authenticated;
grant select, insert, update, delete on public.job_leases, public.job_runs, public.rate_limits
  to service_role;

create policy "settings staff read the job runs of their organization" on public.job_runs for select
  to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));

-- The answers to requests that create something, by the key that the caller sent (Idempotency-Key).

-- Answers are personal data of guests. They are kept for a day (tidy_up), and an erasure empties those about
-- the guest.
create table private.kept_answers (
  caller_id uuid not null references public.profiles on delete cascade,
  path text not null check (length(path) <= 300),
  key text not null check (length(key) between 1 and 255),
  organization_id uuid not null references public.organizations on delete cascade,
  body_hash text not null check (body_hash ~ '^[0-9a-f]{64}$'),
  holder uuid not null,
  role text not null check (length(role) <= 60),
  location_ids uuid[] not null check (cardinality(location_ids) <= 500),
  created_at timestamptz not null default now(),
  held_until timestamptz not null,
  status integer check (status between 200 and 299),
  answer text check (octet_length(answer) <= 1048576),
  primary key (caller_id, path, key),
  constraint kept_answers_instants_check check (
    least(created_at, held_until) >= '1900-01-01Z' and greatest(created_at, held_until) < '2200-01-01Z')
);

create index kept_answers_organization_idx on private.kept_answers (organization_id, created_at);
comment on table private.kept_answers is
  'Requests with an Idempotency-Key, by caller (a person, or the machine of an API token), path and key, with their answers.';
comment on column private.kept_answers.body_hash is 'SHA-256, in hexadecimal, of the body as JSON with sorted keys.';
comment on column private.kept_answers.holder is 'The request that is under way, or that was answered.';
comment on column private.kept_answers.role is 'The role of the caller at the time; the answer is for callers with the same one.';
comment on column private.kept_answers.location_ids is
  'Where the caller worked at the time (none: everywhere); the answer is for callers who still do.';
comment on column private.kept_answers.held_until is 'When a request without an answer counts as dead.';
comment on column private.kept_answers.status is 'Null while the request is under way.';
comment on column private.kept_answers.answer is
  'The body, with one-time secrets as null; null when it is above 1 MiB, or about a guest who was erased or merged.';
alter table private.kept_answers enable row level security;
grant select, insert, update, delete on private.kept_answers to service_role;
