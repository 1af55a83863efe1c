-- The organization's settings, and what is kept for how long: lib/organization/settings.ts changes the former,
-- lib/jobs/tidy-up.ts applies the latter once a night.

alter table public.organizations
  add column keep_job_runs_days integer not null default 90 check (keep_job_runs_days between 7 and 730),
  add column keep_automation_runs_days integer not null default 365
    check (keep_automation_runs_days between 30 and 3650),
  add column keep_webhook_receipts_days integer not null default 90 check (keep_webhook_receipts_days between 7 and 730),
  add column keep_failed_rows_days integer not null default 30 check (keep_failed_rows_days between 1 and 365);
comment on column public.organizations.keep_job_runs_days is 'The log of jobs; the last run of each job stays.';
comment on column public.organizations.keep_automation_runs_days is
  'The automation log. Its messages stay: once-only keys, the frequency cap, statistics and attribution read them.';
comment on column public.organizations.keep_webhook_receipts_days is
  'webhook_receipts: for so long a repeated inbound message is known as one; for good where it opened something.';
comment on column public.organizations.keep_failed_rows_days is 'Rows of imported files that failed: personal data.';

alter table public.automation_runs add column is_empty boolean not null
  generated always as (triggered_by = 'schedule' and status = 'finished' and processed = 0) stored;
comment on column public.automation_runs.is_empty is 'A scheduled run that found no recipients: folded in the log, dropped after a day.';
create index automation_runs_empty_idx on public.automation_runs (automation_id, started_at desc) where is_empty;

create function public.change_organization(p_changes jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.organizations;
  v public.organizations;
begin
  select * into v_before from public.organizations
  where id = any(array(select private.my_organizations('canViewSettings'))) and private.works_everywhere()
  for no key update;
  if v_before.id is null then
    return 'forbidden';
  end if;
  v := jsonb_populate_record(v_before, p_changes);
  if v.require_second_factor <> v_before.require_second_factor then
    if not exists (select from public.profiles p where p.id = (select private.caller()) and p.role = 'super_admin') then
      return 'forbidden';
    end if;
    -- Else they would lock themselves out.
    if v.require_second_factor and not private.has_second_factor((select private.caller())) then
      return 'no_second_factor';
    end if;
    perform private.refuse_unconfirmed();
  end if;
  update public.organizations o
  set name = v.name, frequency_cap_days = v.frequency_cap_days, quiet_from = v.quiet_from, quiet_until = v.quiet_until,
    limit_marketing_to_roles = v.limit_marketing_to_roles, require_second_factor = v.require_second_factor,
    horizon_days = v.horizon_days, keep_job_runs_days = v.keep_job_runs_days,
    keep_automation_runs_days = v.keep_automation_runs_days,
    keep_webhook_receipts_days = v.keep_webhook_receipts_days, keep_failed_rows_days = v.keep_failed_rows_days,
    ai_daily_calls = v.ai_daily_calls, ai_daily_calls_per_person = v.ai_daily_calls_per_person,
    ai_daily_tokens = v.ai_daily_tokens, ai_daily_tokens_per_person = v.ai_daily_tokens_per_person,
    approve_above = v.approve_above
  where o.id = v_before.id
  returning * into v;
  return 'saved';
end
$$;
comment on function public.change_organization(jsonb) is
  'Changes the given settings of the caller''s organization: saved, forbidden or no_second_factor.';
revoke execute on function public.change_organization(jsonb) from public, anon;
grant execute on function public.change_organization(jsonb) to authenticated;

create function public.tidy_up(p_organization uuid, p_now timestamptz default now(), p_limit integer default 2000)
returns jsonb
-- Planned for the values at hand: after a long pause nearly everything may be old.
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  o public.organizations;
  v_runs uuid[];
  v_empty integer;
  v_detached integer;
  v_dropped integer;
  v_jobs integer;
  v_receipts integer;
  v_failed integer;
begin
  select * into o from public.organizations where id = p_organization;

  -- Of each automation the last run stays, whatever its age: its page says when it last ran.
  with old as (
    select r.id from public.automation_runs r
    where r.is_empty and r.organization_id = o.id and r.started_at < p_now - interval '1 day'
      and (r.automation_id is null or r.started_at < (
        select max(later.started_at) from public.automation_runs later where later.automation_id = r.automation_id))
    order by r.started_at limit p_limit
  )
  delete from public.automation_runs r using old where r.id = old.id;
  get diagnostics v_empty = row_count;

  v_runs := array(
    select r.id from public.automation_runs r
    where r.organization_id = o.id and r.status in ('finished', 'refused', 'expired', 'stopped')
      and r.started_at < p_now - make_interval(days => o.keep_automation_runs_days)
      and (r.automation_id is null or r.started_at < (
        select max(later.started_at) from public.automation_runs later where later.automation_id = r.automation_id))
    order by r.started_at limit p_limit);
  -- A message outlives its run, so nothing goes out twice; a run may have more of them than one statement should touch.
  with part as (
    select m.id from public.messages m
    where m.run_id = any(v_runs) and m.status not in ('queued', 'sending') limit p_limit
  )
  update public.messages m set run_id = null from part where m.id = part.id;
  get diagnostics v_detached = row_count;
  delete from public.automation_runs r
  where r.id = any(v_runs) and not exists (select 1 from public.messages m where m.run_id = r.id);
  get diagnostics v_dropped = row_count;

  with old as (
    select r.id from public.job_runs r
    where r.organization_id = o.id and r.started_at < p_now - make_interval(days => o.keep_job_runs_days)
      and r.started_at < (
        select max(later.started_at) from public.job_runs later
        where later.organization_id = r.organization_id and later.job = r.job)
    order by r.started_at limit p_limit
  )
  delete from public.job_runs r using old where r.id = old.id;
  get diagnostics v_jobs = row_count;

  delete from public.ai_usage u
  where u.organization_id = o.id and u.day < p_now::date - o.keep_job_runs_days;

  with old as (
    select w.receipt from public.webhook_receipts w
    where w.organization_id = o.id and not w.opens
      and w.received_at < p_now - make_interval(days => o.keep_webhook_receipts_days)
    order by w.received_at limit p_limit
  )
  delete from public.webhook_receipts w using old where w.organization_id = o.id and w.receipt = old.receipt;
  get diagnostics v_receipts = row_count;

  with old as (
    select i.id from public.import_runs i
    where i.organization_id = o.id and i.failed_row_count > 0
      and i.started_at < p_now - make_interval(days => o.keep_failed_rows_days)
    order by i.started_at limit p_limit
  )
  update public.import_runs i set failed_rows = null, failed_row_count = 0 from old where i.id = old.id;
  get diagnostics v_failed = row_count;

  return jsonb_build_object('empty_runs', v_empty, 'automation_runs', v_dropped, 'job_runs', v_jobs,
    'webhook_receipts', v_receipts, 'failed_rows', v_failed,
    'more', p_limit in (v_empty, v_detached, v_dropped, v_jobs, v_receipts, v_failed));
end
$$;
comment on function public.tidy_up(uuid, timestamptz, integer) is
  'Drops what is older than the organization keeps it, at most p_limit rows of each kind: {empty_runs, automation_runs, job_runs, webhook_receipts, failed_rows, more}.';
revoke execute on function public.tidy_up(uuid, timestamptz, integer) from public, anon, authenticated;
grant execute on function public.tidy_up(uuid, timestamptz, integer) to service_role;
