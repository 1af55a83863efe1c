-- What the header's bell counts. With the caller's own rights: RLS decides what each person is told of.
create function public.my_notices(p_now timestamptz default now()) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'sync', (
      select case when last.status in ('failed', 'partial')
        then jsonb_build_object('status', last.status, 'started_at', last.started_at) end
      from private.last_finished_sync() as last),
    'paused_runs', (
      select count(*) from (
        select from public.automation_runs where status = 'paused' limit 100) as paused),
    'waiting_runs', (
      select count(*) from (
        select from public.automation_runs
        where status = 'waiting_approval' and started_by is distinct from (select private.caller())
        limit 100) as waiting),
    'tickets', (
      select jsonb_build_object('near', count(*) filter (where due.sla_due_at > p_now),
        'late', count(*) filter (where due.sla_due_at <= p_now))
      from (
        -- As near as when the assignee is reminded of it.
        select t.sla_due_at from public.tickets t
        where t.assignee_id = (select private.caller()) and t.status in ('open', 'in_progress', 'waiting')
          and t.sla_due_at <= p_now + interval '18 hours'
        limit 100
      ) as due),
    -- Nobody resends these: after a week they are history.
    'unknown_messages', (
      select count(*) from (
        select from public.messages
        where status = 'unknown' and created_at > p_now - interval '7 days' limit 100) as lost))
$$;
comment on function public.my_notices(timestamptz) is
  'What needs the caller''s attention: {sync: {status, started_at} when the last one had problems, paused_runs, waiting_runs that the caller may decide on, tickets: {near, late} that are the caller''s, unknown_messages of the last week}; counts stop at 100.';
revoke execute on function public.my_notices(timestamptz) from public, anon;
grant execute on function public.my_notices(timestamptz) to authenticated;
