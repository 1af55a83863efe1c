-- Retention periods, and the next events of series: lib/jobs/tidy-up.ts applies them once a night.

create or replace function private.kept_for(o public.organizations)
  returns table (counted_as text, kept_in regclass, aged_by name, kept interval, only_if text, emptied text)
language sql stable set search_path = ''
as $$
  values
  -- The last run of each automation and of each job stays at any age, because its page shows the time.
  ('empty_runs', 'public.automation_runs'::regclass, 'started_at'::name, interval '1 day',
    'r.is_empty and (r.automation_id is null or r.started_at < (select max(later.started_at)
      from public.automation_runs later where later.automation_id = r.automation_id))', null),
  ('job_runs', 'public.job_runs', 'started_at', make_interval(days => o.keep_job_runs_days),
    'r.started_at < (select max(later.started_at) from public.job_runs later
      where later.organization_id = r.organization_id and later.job = r.job)', null),
  (null, 'public.ai_usage', 'day', make_interval(days => o.keep_job_runs_days), 'true', null),
  ('webhook_receipts', 'public.webhook_receipts', 'received_at',
    make_interval(days => o.keep_webhook_receipts_days), 'not r.opens', null),
  -- A day longer than a message's events are compared: from then on its result stays.
  (null, 'private.engagement_events', 'received_at', private.engagement_window() + interval '1 day',
    'true', null),
  ('failed_rows', 'public.import_runs', 'started_at', make_interval(days => o.keep_failed_rows_days),
    'r.failed_row_count > 0', 'failed_rows = null, failed_row_count = 0'),
  -- The audit log has the changes of taps; a tap is repeated or undone within minutes.
  ('service_taps', 'private.service_taps', 'taken_at', interval '7 days', 'true', null),
  ('waitlist', 'public.waitlist', 'joined_at', interval '30 days', 'true', null),
  ('tag_changes', 'private.tag_changes', 'changed_at', interval '1 day', 'true', null),
  ('kept_answers', 'private.kept_answers', 'created_at', interval '24 hours', 'true', null),
  ('customer_merges', 'public.customer_merges', 'merged_at', interval '30 days', 'true', null),
  (null, 'public.messages', 'superseded_at', interval '30 days', 'true', null),
  ('shift_notes', 'public.shift_notes', 'day', interval '365 days', 'true', null),
  (null, 'private.push_notices', 'done_at', interval '7 days', 'true', null),
  (null, 'private.missing_bookings', 'missing_since', interval '90 days', 'true', null),
  (null, 'private.told_issues', 'day', interval '7 days', 'true', null)
$$;
comment on function private.kept_for(public.organizations) is
  'How long an organization keeps what: rows of kept_in whose aged_by (a time or a day) is longer ago than kept, if only_if holds for row r, are deleted, or get the values of emptied. tidy_up counts them as counted_as.';

create or replace function public.tidy_up(p_organization uuid, p_now timestamptz default now(),
  p_limit integer default 2000)
returns jsonb
-- Planned for the values at hand: after a long pause nearly everything may be old.
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  o public.organizations;
  v_rule record;
  v_rows integer;
  v_counts jsonb := '{}';
  v_more boolean := false;
  v_runs uuid[];
  v_detached integer;
  v_dropped integer;
  v_reports integer;
  v_series integer;
begin
  select * into o from public.organizations where id = p_organization;

  for v_rule in select * from private.kept_for(o) loop
    -- The limit is an untyped literal, so that it is a day where aged_by is one.
    execute format('%s where r.ctid = any(array(select r.ctid from %s r
        where r.organization_id = $1 and r.%I < %L and (%s) order by r.%3$I limit $2))',
      format(case when v_rule.emptied is null then 'delete from %s r' else 'update %s r set %s' end,
        v_rule.kept_in, v_rule.emptied),
      v_rule.kept_in, v_rule.aged_by, p_now - v_rule.kept, v_rule.only_if) using o.id, p_limit;
    get diagnostics v_rows = row_count;
    v_more := v_more or v_rows = p_limit;
    if v_rule.counted_as is not null then
      v_counts := v_counts || jsonb_build_object(v_rule.counted_as, v_rows);
    end if;
  end loop;

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

  perform private.tidy_push(o.id);
  v_series := private.extend_series(o.id, p_now, 100);

  return v_counts || jsonb_build_object('automation_runs', v_dropped,
    'more', v_more or p_limit in (v_detached, v_dropped, v_reports) or v_series = 100);
end
$$;
comment on function public.tidy_up(uuid, timestamptz, integer) is
  'Deletes rows beyond the organization''s retention periods, at most p_limit rows of each kind, and makes the next events of series: {empty_runs, automation_runs, job_runs, webhook_receipts, failed_rows, service_taps, waitlist, shift_notes, tag_changes, customer_merges, kept_answers, more}.';
grant execute on function private.kept_for(public.organizations),
  public.tidy_up(uuid, timestamptz, integer) to service_role;
