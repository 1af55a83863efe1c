-- Retention periods, and the next events of series: lib/jobs/tidy-up.ts applies them once a night.

create or replace function public.tidy_up(p_organization uuid, p_now timestamptz default now(),
  p_limit integer default 2000)
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
  v_taps integer;
  v_waiting integer;
  v_notes integer;
  v_reports integer;
  v_tags integer;
  v_push integer;
  v_series integer;
  v_merges integer;
  v_engagement integer;
  v_answers integer;
begin
  select * into o from public.organizations where id = p_organization;

  -- The last run of each automation stays at any age, because the automation's page shows its time.
  with old as (
    select r.id from public.automation_runs r
    where r.is_empty and r.organization_id = o.id and r.started_at < p_now - interval '1 day'
      and (r.automation_id is null or r.started_at < (
        select max(later.started_at) from public.automation_runs later
          where later.automation_id = r.automation_id))
    order by r.started_at limit p_limit
  )
  delete from public.automation_runs r using old where r.id = old.id;
  get diagnostics v_empty = row_count;

  v_runs := array(
    select r.id from public.automation_runs r
    where r.organization_id = o.id and r.status in ('finished', 'refused', 'expired', 'stopped')
      and r.started_at < p_now - make_interval(days => o.keep_automation_runs_days)
      and (r.automation_id is null or r.started_at < (
        select max(later.started_at) from public.automation_runs later
          where later.automation_id = r.automation_id))
    order by r.started_at limit p_limit);
  -- Messages outlive their run, so that none is sent twice; a run may have more than one statement should
  -- update.
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

  -- From the first of them on a message was no longer judged anew: its verdict stays.
  with old as (
    select e.message_id, e.receipt from private.engagement_events e
    where e.organization_id = o.id and e.received_at < p_now - private.engagement_window() - interval '1 day'
    order by e.received_at limit p_limit
  )
  delete from private.engagement_events e using old where e.message_id = old.message_id
    and e.receipt = old.receipt;
  get diagnostics v_engagement = row_count;

  with old as (
    select i.id from public.import_runs i
    where i.organization_id = o.id and i.failed_row_count > 0
      and i.started_at < p_now - make_interval(days => o.keep_failed_rows_days)
    order by i.started_at limit p_limit
  )
  update public.import_runs i set failed_rows = null, failed_row_count = 0 from old where i.id = old.id;
  get diagnostics v_failed = row_count;

  -- The audit log has the changes of taps; a tap is repeated or undone within minutes. Ended waits are
  -- deleted.
  with old as (
    select k.key from private.service_taps k
    where k.organization_id = o.id and k.taken_at < p_now - interval '7 days'
      order by k.taken_at limit p_limit
  )
  delete from private.service_taps k using old where k.key = old.key;
  get diagnostics v_taps = row_count;
  with old as (
    select w.id from public.waitlist w
    where w.organization_id = o.id and w.joined_at < p_now - interval '30 days'
      order by w.joined_at limit p_limit
  )
  delete from public.waitlist w using old where w.id = old.id;
  get diagnostics v_waiting = row_count;
  with old as (
    select k.id from private.tag_changes k
    where k.organization_id = o.id and k.changed_at < p_now - interval '1 day'
      order by k.changed_at limit p_limit
  )
  delete from private.tag_changes k using old where k.id = old.id;
  get diagnostics v_tags = row_count;
  with old as (
    select k.caller_id, k.path, k.key from private.kept_answers k
    where k.organization_id = o.id and k.created_at < p_now - interval '24 hours'
      order by k.created_at limit p_limit
  )
  delete from private.kept_answers k using old
  where k.caller_id = old.caller_id and k.path = old.path and k.key = old.key;
  get diagnostics v_answers = row_count;
  with old as (
    select m.id from public.customer_merges m
    where m.organization_id = o.id and m.merged_at < p_now - interval '30 days'
      order by m.merged_at limit p_limit
  )
  delete from public.customer_merges m using old where m.id = old.id;
  get diagnostics v_merges = row_count;
  with old as (
    select n.id from public.shift_notes n
    where n.organization_id = o.id and n.day < p_now::date - 365 order by n.day limit p_limit
  )
  delete from public.shift_notes n using old where n.id = old.id;
  get diagnostics v_notes = row_count;
  -- The row of a sent report stays, so that it is sent once; its content about guests is deleted.
  with old as (
    select m.id from public.profiles p
    join public.messages m on m.organization_id = o.id and m.about_id = p.id and m.purpose = 'morning_report'
    where p.organization_id = o.id and m.content <> '{}' and m.status not in ('queued', 'sending')
      and m.created_at < p_now - interval '30 days'
    limit p_limit
  )
  update public.messages m set content = '{}' from old where m.id = old.id;
  get diagnostics v_reports = row_count;
  v_push := private.tidy_push(o.id, p_now, p_limit);

  v_series := private.extend_series(o.id, p_now, 100);

  return jsonb_build_object('empty_runs', v_empty, 'automation_runs', v_dropped, 'job_runs', v_jobs,
    'webhook_receipts', v_receipts, 'failed_rows', v_failed, 'service_taps', v_taps, 'waitlist', v_waiting,
    'shift_notes', v_notes, 'tag_changes', v_tags, 'customer_merges', v_merges,
    'kept_answers', v_answers,
    'more', p_limit in (v_empty, v_detached, v_dropped, v_jobs, v_receipts, v_failed, v_taps, v_waiting,
      v_notes, v_reports, v_tags, v_push, v_merges, v_engagement, v_answers) or v_series = 100);
end
$$;
comment on function public.tidy_up(uuid, timestamptz, integer) is
  'Deletes rows beyond the organization''s retention periods, at most p_limit rows of each kind, and makes the next events of series: {empty_runs, automation_runs, job_runs, webhook_receipts, failed_rows, service_taps, waitlist, shift_notes, tag_changes, customer_merges, kept_answers, more}.';
grant execute on function public.tidy_up(uuid, timestamptz, integer) to service_role;
