-- Running a job: its lease, its row in the log, when nightly jobs are due; and rate limits.

create or replace function private.last_finished_sync() returns table (status text, started_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select r.status, r.started_at from public.job_runs r
  where r.organization_id = any(array(select private.my_organizations('canAccessOperaciones')))
    and r.job = 'sync' and r.status <> 'running'
  order by r.started_at desc limit 1
$$;
comment on function private.last_finished_sync() is 'How the last sync of the caller''s organization ended.';

create or replace function public.last_sync() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('status', r.status, 'started_at', r.started_at, 'finished_at', r.finished_at,
    'result', jsonb_strip_nulls(jsonb_build_object('error', r.result -> 'error',
      'locations', (
        select coalesce(jsonb_agg(l.value order by l.place), '[]')
        from jsonb_array_elements(case jsonb_typeof(r.result -> 'locations')
          when 'array' then r.result -> 'locations' else '[]' end)
          with ordinality as l (value, place)
        where l.value ->> 'id' = any(array(select id::text from private.my_locations() as id)))))
          || jsonb_build_object(
      'issues', (
        select coalesce(jsonb_agg(i.value order by i.place), '[]')
        from jsonb_array_elements(case jsonb_typeof(r.result -> 'issues')
          when 'array' then r.result -> 'issues' else '[]' end)
          with ordinality as i (value, place)
        where i.value ->> 'location_id' = any(array(select id::text from private.my_locations() as id)))))
  from public.job_runs r
  where r.organization_id = any(array(select private.my_organizations())) and r.job = 'sync'
  order by r.started_at desc limit 1
$$;
comment on function public.last_sync() is
  'The latest sync of the caller''s organization, limited to the caller''s locations; null when there has been none.';

create or replace function public.job_results(p_runs uuid[]) returns table (id uuid, result jsonb)
language sql stable security definer set search_path = ''
as $$
  select r.id, case when (select private.works_everywhere()) then r.result else
    jsonb_strip_nulls(jsonb_build_object('error', r.result -> 'error')) || (
      select jsonb_object_agg(part.name, (
        select coalesce(jsonb_agg(item order by place), '[]')
        from jsonb_array_elements(case jsonb_typeof(r.result -> part.name)
          when 'array' then r.result -> part.name
          else '[]' end) with ordinality as listed (item, place)
        where item ->> part.key = any(array(select private.my_locations()::text))))
      from (values ('locations', 'id'), ('issues', 'location_id')) as part (name, key)) end
  from public.job_runs r
  where r.id = any(p_runs)
    and r.organization_id = any(array(select private.my_organizations('canViewSettings')))
$$;
comment on function public.job_results(uuid[]) is
  'The results of the runs, for callers who see the settings; callers bound to locations get the results of these, and the error.';

create or replace function public.last_local_hour(p_organization uuid, p_hour integer,
  p_now timestamptz default now())
returns timestamptz
language sql stable set search_path = ''
as $$
  with home as (
    select private.zone_of(p_organization) as timezone
  ), today as (
    select timezone, (p_now at time zone timezone)::date + make_interval(hours => p_hour) as local_hour
      from home
  )
  select case when local_hour at time zone timezone <= p_now then local_hour at time zone timezone
    else (local_hour - interval '1 day') at time zone timezone end
  from today
$$;
comment on function public.last_local_hour(uuid, integer, timestamptz) is
  'The latest instant, not after p_now, at which the organization''s clock showed the hour.';

create or replace function public.acquire_lease(p_name text, p_holder uuid, p_seconds integer) returns boolean
language sql volatile set search_path = ''
as $$
  with taken as (
    insert into public.job_leases as l (name, holder, expires_at)
    values (p_name, p_holder, now() + make_interval(secs => p_seconds))
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where l.expires_at <= now() or l.holder = excluded.holder
    returning 1)
  select exists (select 1 from taken)
$$;
comment on function public.acquire_lease(text, uuid, integer) is
  'True when the holder now has the lease for p_seconds; the same holder renews.';

create or replace function public.release_lease(p_name text, p_holder uuid) returns void
language sql volatile set search_path = ''
as $$ delete from public.job_leases where name = p_name and holder = p_holder $$;
comment on function public.release_lease(text, uuid) is 'Gives the lease back; another holder''s lease is left alone.';

create or replace function public.finished_nightly(p_hour integer, p_now timestamptz)
  returns table (organization_id uuid, job text)
language sql stable set search_path = ''
as $$
  select distinct r.organization_id, r.job
  from public.organizations o
  join public.job_runs r on r.organization_id = o.id and r.status = 'succeeded'
    and r.started_at >= public.last_local_hour(o.id, p_hour, p_now)
$$;
comment on function public.finished_nightly(integer, timestamptz) is
  'The jobs that have succeeded in each organization since its clock last showed the hour.';

create or replace function public.begin_job(
  p_organization uuid, p_job text, p_holder uuid, p_seconds integer,
  p_hour integer default null, p_now timestamptz default now())
returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  lease text := p_job || ':' || p_organization;
  run uuid;
begin
  if not public.acquire_lease(lease, p_holder, p_seconds) then
    return null;
  end if;
  if exists (
    select from public.job_runs r
    where r.organization_id = p_organization and r.job = p_job and r.status = 'succeeded'
      and r.started_at >= public.last_local_hour(p_organization, p_hour, p_now)) then
    perform public.release_lease(lease, p_holder);
    return null;
  end if;
  -- The lease is ours, so the process of a run still marked as running has died.
  update public.job_runs set status = 'failed', finished_at = now(), result = '{"error": "Interrupted"}'
  where organization_id = p_organization and job = p_job and status = 'running';
  insert into public.job_runs (organization_id, job) values (p_organization, p_job) returning id into run;
  return run;
end
$$;
comment on function public.begin_job(uuid, text, uuid, integer, integer, timestamptz) is
  'Takes the job''s lease and starts a run, whose id it returns; null while another holder has the lease, and for a nightly '
  'job (p_hour) that has succeeded since the organization''s clock last showed the hour.';

create or replace function public.end_job(p_run uuid, p_holder uuid, p_status text, p_result jsonb)
  returns void
language sql volatile set search_path = ''
as $$
  with ended as (
    update public.job_runs set status = p_status, result = p_result, finished_at = now()
    where id = p_run returning organization_id, job)
  select public.release_lease(job || ':' || organization_id, p_holder) from ended
$$;
comment on function public.end_job(uuid, uuid, text, jsonb) is 'Records how a run ended, and gives its lease back.';

create or replace function public.take_rate_limit(p_key text, p_limit integer, p_seconds integer)
  returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  entry public.rate_limits;
begin
  insert into public.rate_limits as r (key, window_start, hits, touched_at) values (p_key, now(), 1, now())
  on conflict (key) do update set
    window_start = case when r.window_start <= now() - make_interval(secs => p_seconds) then now()
    else r.window_start end, hits = case when r.window_start <= now() - make_interval(secs => p_seconds)
    then 1 else r.hits + 1 end, touched_at = now()
  returning * into entry;
  if entry.hits = 1 then
    delete from public.rate_limits where key in (
      select key from public.rate_limits order by touched_at desc, key offset 500);
  end if;
  if entry.hits <= p_limit then
    return 0;
  end if;
  return greatest(1, ceil(extract(epoch from
    entry.window_start + make_interval(secs => p_seconds) - greatest(now(), entry.window_start))))::integer;
end
$$;
comment on function public.take_rate_limit(text, integer, integer) is
  'Counts one request of the key: 0 when it may go on, else the seconds until the window ends.';
grant execute on function private.last_finished_sync(), public.last_sync(), public.job_results(uuid[])
  to authenticated;
grant execute on function public.last_local_hour(uuid, integer, timestamptz),
  public.acquire_lease(text, uuid, integer), public.release_lease(text, uuid),
  public.finished_nightly(integer, timestamptz),
  public.begin_job(uuid, text, uuid, integer, integer, timestamptz), public.end_job(uuid, uuid, text, jsonb),
  public.take_rate_limit(text, integer, integer) to service_role;
