-- The campaigns as a person reads them, with the progress of each.

create or replace function public.list_campaigns(p_id uuid default null, p_status text default null,
  p_limit integer default 50, p_before timestamptz default null, p_before_id uuid default null)
returns jsonb
language sql stable set search_path = ''
as $$
  with shown as materialized (
    select c.* from public.campaigns c
    where (p_id is null or c.id = p_id) and (p_status is null or c.status = p_status)
      and (p_before is null or (c.created_at, c.id) < (p_before, p_before_id))
    order by c.created_at desc, c.id desc limit greatest(least(p_limit, 201), 0)
  )
  select coalesce(jsonb_agg(
    (to_jsonb(c) - array['organization_id', 'created_by', 'launched_by', 'test_share', 'winner_by',
    'test_hours',
      'planned_at', 'decided_at', 'rest_planned_at', 'segment_version'])
    || jsonb_build_object(
      'segment_name', (private.readable_segment(c.segment_id)).name,
      'starts_local', to_char(c.starts_local, 'YYYY-MM-DD"T"HH24:MI'),
      'ab', case when c.test_share is not null then jsonb_build_object('test_share', c.test_share,
        'winner_by', c.winner_by, 'test_hours', c.test_hours) end,
      'mine', coalesce(c.launched_by = (select private.caller()), false),
      'can_approve', c.status = 'waiting_approval'
        and private.may_approve((select private.caller()), c.launched_by),
      'progress', (
        select jsonb_build_object('processed', coalesce(sum(run.processed), 0), 'sent',
          coalesce(sum(run.sent), 0),
          'skipped', coalesce(sum(run.skipped), 0), 'failed', coalesce(sum(run.failed), 0),
          'pending', coalesce(sum(run.processed - run.sent - run.skipped - run.failed), 0),
          'simulated', coalesce(sum(run.simulated), 0))
        from public.automations a join public.automation_runs run on run.automation_id = a.id
        where a.campaign_id = c.id),
      'follow_ups', (
        select coalesce(sum(run.sent), 0)
        from public.automations a join public.automation_runs run on run.automation_id = a.id
        where a.campaign_id = c.id and a.step > 1))
    || case when p_id is null then '{}' else jsonb_build_object('messages', (
        select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'step', a.step, 'variant', a.variant,
          'after_days', a.after_days, 'channel', a.channel, 'fallback_channel', a.fallback_channel, 'subject',
          a.subject,
          'body', a.body, 'content_sid', a.content_sid, 'content_variables', a.content_variables,
          'email_design', a.email_design, 'versions', a.versions)
          order by a.step, a.variant), '[]')
        from public.automations a where a.campaign_id = c.id)) end
    order by c.created_at desc, c.id desc), '[]')
  from shown c
$$;
comment on function public.list_campaigns(uuid, text, integer, timestamptz, uuid) is
  'The campaigns the caller may read, the newest first, from behind (p_before, p_before_id); with p_id that one with its messages.';
grant execute on function public.list_campaigns(uuid, text, integer, timestamptz, uuid) to authenticated;
