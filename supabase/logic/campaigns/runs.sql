-- What happens to campaigns: saving drafts, launch, approval, planning, pause, stop, the winner of a test.
-- Only the service calls these; lib/campaigns checks the caller first. Locks are taken in the order of the
-- outbox: messages, runs, campaign.

create or replace function private.lock_campaign(p_organization uuid, p_campaign uuid)
  returns public.campaigns
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
begin
  perform 1 from public.automations a join public.automation_runs run on run.automation_id = a.id
  where a.campaign_id = p_campaign order by run.id for update of run;
  select * into c from public.campaigns where id = p_campaign and organization_id = p_organization for update;
  return c;
end
$$;
comment on function private.lock_campaign(uuid, uuid) is 'The campaign, locked with its runs; null when there is none.';
grant execute on function private.lock_campaign(uuid, uuid) to service_role;

create or replace function private.person_name(p_person uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(nullif(full_name, ''), email) from public.profiles where id = p_person
$$;
comment on function private.person_name(uuid) is 'A person''s name for rows that outlive the profile.';
grant execute on function private.person_name(uuid) to service_role;

create or replace function public.save_campaign(p_organization uuid, p_id uuid, p_fields jsonb,
  p_version integer default null, p_person uuid default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
begin
  if p_id is null then
    c := jsonb_populate_record(null::public.campaigns, '{"location_ids": [], "exclude_recent_days": 0}'
      || p_fields);
    insert into public.campaigns (organization_id, name, segment_id, location_ids, starts_local,
      exclude_recent_days, control_share, test_share, winner_by, test_hours, created_by, created_by_name)
    values (p_organization, c.name, c.segment_id, c.location_ids, c.starts_local, c.exclude_recent_days,
      c.control_share, c.test_share, c.winner_by, c.test_hours, p_person, private.person_name(p_person))
    returning * into c;
  else
    select * into c from public.campaigns where id = p_id and organization_id = p_organization for update;
    if c.id is null then
      return jsonb_build_object('outcome', 'not_found');
    elsif c.status <> 'draft' then
      return jsonb_build_object('outcome', 'not_draft');
    elsif c.version <> p_version then
      return jsonb_build_object('outcome', 'changed');
    end if;
    c := jsonb_populate_record(c, p_fields);
    update public.campaigns set name = c.name, segment_id = c.segment_id, location_ids = c.location_ids,
      starts_local = c.starts_local, exclude_recent_days = c.exclude_recent_days,
      control_share = c.control_share, test_share = c.test_share, winner_by = c.winner_by,
      test_hours = c.test_hours, reason = null, guests = null, version = version + 1
    where id = p_id returning * into c;
  end if;
  if p_fields ? 'messages' then
    delete from public.automations a where a.campaign_id = c.id and not exists (
      select 1 from jsonb_to_recordset(p_fields -> 'messages') as m (step integer, variant text)
      where m.step = a.step and m.variant = a.variant);
    insert into public.automations as a (id, organization_id, name, type, campaign_id, step, variant,
      after_days, channel, fallback_channel, subject, body, content_sid, content_variables, email_design)
    select case when m.step = 1 and m.variant = 'a' then c.id else gen_random_uuid() end, p_organization,
      c.name, 'campaign',
      c.id, m.step, m.variant, m.after_days, m.channel, m.fallback_channel, m.subject, coalesce(m.body, ''),
      m.content_sid, coalesce(m.content_variables, '{}'), m.email_design
    from jsonb_populate_recordset(null::public.automations, p_fields -> 'messages') as m
    on conflict (campaign_id, step, variant) do update
      set after_days = excluded.after_days, channel = excluded.channel,
      fallback_channel = excluded.fallback_channel, subject = excluded.subject, body = excluded.body,
      content_sid = excluded.content_sid, content_variables = excluded.content_variables,
      email_design = excluded.email_design;
  end if;
  update public.automations a
    set name = c.name, location_ids = c.location_ids, control_share = c.control_share,
    criteria = private.campaign_criteria(c, a.step, a.variant)
  where a.campaign_id = c.id;
  return jsonb_build_object('outcome', 'saved', 'id', c.id);
end
$$;
comment on function public.save_campaign(uuid, uuid, jsonb, integer, uuid) is
  'Makes a campaign by p_person (p_id null), or changes the given fields of a draft as it was at p_version; `messages` given replace the former ones. saved ({id}), not_found, not_draft or changed.';
grant execute on function public.save_campaign(uuid, uuid, jsonb, integer, uuid) to service_role;

create or replace function public.delete_campaign(p_organization uuid, p_campaign uuid) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns := private.lock_campaign(p_organization, p_campaign);
begin
  if c.id is null then
    return 'not_found';
  elsif c.status <> 'draft' then
    return 'not_draft';
  end if;
  delete from public.campaigns where id = c.id;
  return 'deleted';
end
$$;
comment on function public.delete_campaign(uuid, uuid) is 'Deletes a draft: deleted, not_draft or not_found.';
grant execute on function public.delete_campaign(uuid, uuid) to service_role;

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
      'segment_name', (select s.name from public.segments s where s.id = c.segment_id and s.shared),
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
          'email_design', a.email_design)
          order by a.step, a.variant), '[]')
        from public.automations a where a.campaign_id = c.id)) end
    order by c.created_at desc, c.id desc), '[]')
  from shown c
$$;
comment on function public.list_campaigns(uuid, text, integer, timestamptz, uuid) is
  'The campaigns the caller may read, the newest first, from behind (p_before, p_before_id); with p_id that one with its messages.';

create or replace function private.campaign_message(p_campaign uuid, p_variant text, p_part text)
  returns public.automations
language sql stable set search_path = ''
as $$
  select jsonb_populate_record(a,
    jsonb_build_object('criteria', a.criteria || jsonb_build_object('part', p_part)))
  from public.automations a where a.campaign_id = p_campaign and a.step = 1 and a.variant = p_variant
$$;
comment on function private.campaign_message(uuid, text, text) is
  'A version of the first message of a campaign, for another part of the guests.';
grant execute on function private.campaign_message(uuid, text, text) to service_role;

create or replace function private.campaign_guests(c public.campaigns, p_now timestamptz, p_closed jsonb,
  p_locations uuid[] default null)
returns integer
-- As preview_of: the guests are compared with sets.
language plpgsql stable set search_path = '' set work_mem = '64MB' set enable_nestloop = off set jit = off
as $$
declare
  v_guests integer := coalesce((
    select sum(run.processed - run.skipped) from public.automations a
    join public.automation_runs run on run.automation_id = a.id
    where a.campaign_id = c.id and a.step = 1), 0);
  v_more integer := 0;
begin
  -- Once it is planned to its end, no guest is added.
  if c.rest_planned_at is null then
    execute format('select count(*) from (%s) as p where p.reason is null', private.plan_query(
      private.campaign_message(c.id, 'a', 'all'), p_now, interval '0', null, p_closed,
        p_locations => p_locations)) into v_more;
  end if;
  return v_guests + v_more;
end
$$;
comment on function private.campaign_guests(public.campaigns, timestamptz, jsonb, uuid[]) is
  'To how many guests the campaign writes: those it has a first message for, and those it would have one for at p_now. p_locations: as someone bound to these sees it.';
grant execute on function private.campaign_guests(public.campaigns, timestamptz, jsonb, uuid[])
  to service_role;

create or replace function private.exceeds_approval(c public.campaigns, p_guests bigint) returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(p_guests > o.campaign_approve_above
    and (c.approved_at is null or p_guests > coalesce(c.guests, 0) * 1.1), false)
  from public.organizations o where o.id = c.organization_id
$$;
comment on function private.exceeds_approval(public.campaigns, bigint) is
  'Whether so many guests are more than one person may launch for, and over a tenth more than a second person approved.';
grant execute on function private.exceeds_approval(public.campaigns, bigint) to service_role;

create or replace function private.campaign_deadline(c public.campaigns, p_now timestamptz)
  returns timestamptz
language sql stable set search_path = ''
as $$
  select least(p_now + interval '7 days', case when s.at > p_now then s.at end)
  from (select private.campaign_starts(c) as at) as s
$$;
comment on function private.campaign_deadline(public.campaigns, timestamptz) is
  'How long it waits for approval: seven days, or until its time comes.';
grant execute on function private.campaign_deadline(public.campaigns, timestamptz) to service_role;

create or replace function public.launch_campaign(p_organization uuid, p_campaign uuid, p_person uuid,
  p_guests integer, p_version integer, p_now timestamptz default now(), p_closed jsonb default '{}',
  p_locations uuid[] default null)
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns := private.lock_campaign(p_organization, p_campaign);
  -- Before the count: a change after it is noticed when the campaign is planned.
  v_segment integer := (select s.version from public.segments s where s.id = c.segment_id);
  v_guests integer;
  v_waits boolean;
begin
  if c.id is null then
    return 'not_found';
  elsif c.status <> 'draft' then
    return 'not_draft';
  elsif c.version is distinct from p_version then
    return 'changed';
  elsif private.campaign_starts(c) <= p_now then
    return 'past';
  end if;
  -- The number they see: before the first message the sending counts again, for the whole group and against
  -- the limit.
  v_guests := private.campaign_guests(c, p_now, p_closed, p_locations);
  if v_guests > p_guests * 1.1 then
    return 'changed';
  end if;
  v_waits := coalesce(v_guests > (
    select o.campaign_approve_above from public.organizations o where o.id = p_organization), false);
  update public.campaigns set status = case when v_waits then 'waiting_approval' else 'scheduled' end,
    reason = null, guests = v_guests, segment_version = v_segment, launched_by = p_person,
    launched_by_name = private.person_name(p_person), launched_at = p_now,
    approved_by = null, approved_at = null,
    expires_at = case when v_waits then private.campaign_deadline(c, p_now) end
  where id = c.id;
  perform private.audit(p_organization, 'campaign.launched', c.id, jsonb_build_object('guests', v_guests));
  return 'launched';
end
$$;
comment on function public.launch_campaign(uuid, uuid, uuid, integer, integer, timestamptz, jsonb, uuid[]) is
  'Launches a draft for p_person, who saw p_guests and p_version: launched (it waits for approval, or is scheduled), changed (of another version, or it would write to over a tenth more), past (its time is), not_draft or not_found. p_locations: those that the person is bound to.';
grant execute on function public.launch_campaign(uuid, uuid, uuid, integer, integer, timestamptz, jsonb,
  uuid[]) to service_role;

create or replace function public.move_campaign(p_organization uuid, p_campaign uuid, p_action text,
  p_person uuid, p_guests integer default null, p_version integer default null,
  p_now timestamptz default now(), p_closed jsonb default '{}')
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
  v_name text := private.person_name(p_person);
  v_limit integer := (select o.campaign_approve_above from public.organizations o
    where o.id = p_organization);
  v_guests integer;
  v_segment integer;
  v_changed boolean;
begin
  -- No claim meanwhile: what this decides holds for the next batch.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  c := private.lock_campaign(p_organization, p_campaign);
  if c.id is null then
    return 'not_found';
  end if;
  if p_action in ('approve', 'refuse') then
    if c.status <> 'waiting_approval' or c.expires_at <= p_now then
      return 'not_waiting';
    elsif p_action = 'approve' and not (private.may_approve(p_person, c.launched_by) and exists (
      select from public.profiles p where p.id = p_person and p.organization_id = p_organization)) then
      return 'own';
    elsif p_action = 'approve' and (c.guests, c.version) is distinct from (p_guests, p_version) then
      return 'changed';
    end if;
    update public.campaigns set
      status = case when p_action = 'approve' then case when started_at is null then 'scheduled'
        else 'sending' end
        when started_at is null then 'draft' else 'paused' end,
      reason = case when p_action = 'refuse' then 'refused' end, expires_at = null,
      approved_by = case when p_action = 'approve' then v_name end,
      approved_at = case when p_action = 'approve' then p_now end
    where id = c.id;
  elsif p_action = 'unschedule' then
    if c.status <> 'scheduled' or c.started_at is not null then
      return 'not_scheduled';
    end if;
    update public.campaigns set status = 'draft', reason = null, approved_by = null, approved_at = null
      where id = c.id;
  elsif p_action = 'pause' then
    if c.status <> 'sending' then
      return 'not_running';
    end if;
    update public.campaigns set status = 'paused', reason = 'paused_by_hand', paused_by = v_name
      where id = c.id;
  elsif p_action = 'resume' then
    if c.status <> 'paused' then
      return 'not_paused';
    end if;
    v_segment := (select s.version from public.segments s where s.id = c.segment_id);
    v_changed := coalesce(c.rest_planned_at is null and c.segment_version <> v_segment, false);
    if v_limit is not null then
      v_guests := private.campaign_guests(c, p_now, p_closed);
    end if;
    update public.campaigns set segment_version = v_segment where id = c.id;
    if v_changed and v_guests > v_limit or private.exceeds_approval(c, v_guests) then
      update public.campaigns set status = 'waiting_approval', guests = v_guests, paused_by = null,
        reason = case when v_changed then 'segment_changed' else 'audience_grew' end,
        launched_by = p_person, launched_by_name = v_name, approved_by = null, approved_at = null,
        expires_at = private.campaign_deadline(c, p_now)
      where id = c.id;
    else
      update public.campaigns set status = case when started_at is null then 'scheduled' else 'sending' end,
        reason = null, paused_by = null
      where id = c.id;
    end if;
    update public.automation_runs run
    set status = case when run.processed > run.sent + run.skipped + run.failed then 'running'
      else 'finished' end,
      reason = null, failures = 0
    from public.automations a where a.campaign_id = c.id and run.automation_id = a.id
      and run.status = 'paused';
    -- What waited for trouble to pass is tried at once, in its own time.
    delete from public.channel_pace p where p.organization_id = p_organization and p.channel in (
      select offer from public.automations a cross join unnest(array[a.channel, a.fallback_channel]) as offer
        where a.campaign_id = c.id);
  elsif p_action = 'stop' then
    if c.status not in ('waiting_approval', 'scheduled', 'sending', 'paused') then
      return 'not_running';
    end if;
    update public.automation_runs run
    set status = case when run.processed > run.sent + run.skipped + run.failed then 'stopped'
      else 'finished' end,
      reason = null, stopped_by = v_name, stopped_at = p_now,
      finished_at = coalesce(run.finished_at, greatest(p_now, run.started_at))
    from public.automations a
    where a.campaign_id = c.id and run.automation_id = a.id and run.status in ('running', 'paused');
    update public.campaigns set status = 'stopped', reason = null, expires_at = null, stopped_by = v_name,
      finished_at = p_now
    where id = c.id;
  else
    raise exception 'no such action' using errcode = '22023';
  end if;
  perform private.audit(p_organization, case p_action when 'approve' then 'campaign.approved'
    when 'refuse' then 'campaign.refused'
    when 'unschedule' then 'campaign.unscheduled' when 'pause' then 'campaign.paused'
      when 'resume' then 'campaign.resumed'
    else 'campaign.stopped' end,
    c.id, jsonb_strip_nulls(
      jsonb_build_object('guests', case when p_action in ('approve', 'refuse') then c.guests end)));
  return 'done';
end
$$;
comment on function public.move_campaign(uuid, uuid, text, uuid, integer, integer, timestamptz, jsonb) is
  'What a person does with a launched campaign: approve (p_version, for p_guests), refuse, unschedule, pause, resume, stop. done, not_found, not_waiting, own (another person has to approve it), changed, not_scheduled, not_running or not_paused.';
grant execute on function public.move_campaign(uuid, uuid, text, uuid, integer, integer, timestamptz, jsonb)
  to service_role;

create or replace function private.pause_campaign() returns trigger
language plpgsql set search_path = ''
as $$
begin
  update public.campaigns c set status = 'paused', reason = new.reason
  from public.automations a where a.id = new.automation_id and c.id = a.campaign_id and c.status = 'sending';
  return null;
end
$$;
comment on function private.pause_campaign() is 'Trigger: a campaign pauses with one of its runs.';

create or replace trigger automation_runs_pause_campaign after update of status on public.automation_runs
  for each row
  when (new.status = 'paused' and old.status is distinct from new.status)
  execute function private.pause_campaign();

create or replace function private.freeze_looks() returns trigger
language plpgsql set search_path = ''
as $$
begin
  update public.automations a
  set email_look = case when new.status <> 'draft' then private.email_look_of(a) end
  where a.campaign_id = new.id;
  return null;
end
$$;
comment on function private.freeze_looks() is
  'Trigger: a launch keeps the look of the campaign''s e-mails, with sender and footer; a draft has the present one again.';

create or replace trigger campaigns_freeze_looks after update of status on public.campaigns for each row
  when ((old.status = 'draft') <> (new.status = 'draft'))
  execute function private.freeze_looks();

create or replace function public.due_campaigns(p_organization uuid, p_now timestamptz default now())
  returns jsonb
language plpgsql volatile set search_path = ''
as $$
begin
  update public.campaigns c
  set status = case when c.started_at is null then 'draft' else 'paused' end, reason = 'expired',
    expires_at = null
  where c.organization_id = p_organization and c.status = 'waiting_approval' and c.expires_at <= p_now;
  return (
    select coalesce(jsonb_agg(c.id order by c.launched_at, c.id), '[]') from public.campaigns c
    where c.organization_id = p_organization
      and (c.status = 'sending' or c.status = 'scheduled'
        and coalesce(private.campaign_starts(c), p_now) <= p_now));
end
$$;
comment on function public.due_campaigns(uuid, timestamptz) is
  'The campaigns to plan at p_now, by launch. Those that waited for approval too long are drafts again.';
grant execute on function public.due_campaigns(uuid, timestamptz) to service_role;

create or replace function private.begin_campaign(c public.campaigns, p_now timestamptz) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A share of the organization that changes later would mix two control groups.
  update public.automations a set status = 'active', control_share = private.control_share(a)
    where a.campaign_id = c.id;
  insert into public.automation_runs (organization_id, automation_id, automation_name, location_ids,
    triggered_by, started_at, started_by, started_by_name, event)
  select a.organization_id, a.id, a.name, a.location_ids, 'manual', p_now, c.launched_by, c.launched_by_name,
    jsonb_build_object('name', 'campaign/run', 'data',
      jsonb_build_object('campaign_id', c.id, 'step', a.step, 'variant', a.variant))
  from public.automations a where a.campaign_id = c.id and not exists (
    select 1 from public.automation_runs run where run.automation_id = a.id)
  order by a.step, a.variant;
  update public.campaigns set status = 'sending', started_at = p_now where id = c.id;
end
$$;
comment on function private.begin_campaign(public.campaigns, timestamptz) is
  'Begins a campaign: its messages become active, each with its run.';
grant execute on function private.begin_campaign(public.campaigns, timestamptz) to service_role;

create or replace function private.plan_campaign_part(a public.automations, p_now timestamptz,
  p_limit integer, p_closed jsonb) returns boolean
language sql volatile set search_path = ''
as $$
  select private.plan_next(a, (select run.id from public.automation_runs run where run.automation_id = a.id
    limit 1), p_now, interval '0', p_limit, p_closed)
$$;
comment on function private.plan_campaign_part(public.automations, timestamptz, integer, jsonb) is
  'Puts the next messages (see plan_next) of a campaign''s step into the outbox; whether there may be more.';
grant execute on function private.plan_campaign_part(public.automations, timestamptz, integer, jsonb)
  to service_role;

create or replace function private.obstacle_to(c public.campaigns, p_closed jsonb, p_now timestamptz)
  returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    case when c.rest_planned_at is null and not exists (
      select from public.segments s where s.id = c.segment_id and s.organization_id = c.organization_id
        and s.shared)
      then 'segment_gone' end,
    case when c.rest_planned_at is null and c.segment_version <> (
      select s.version from public.segments s where s.id = c.segment_id) then 'segment_changed' end,
    -- Skipped guests are not tried again, so it waits for a provider; also for one of two while guests are
    -- planned whom only that one may reach.
    (select min(coalesce(shut.channel, shut.fallback)) from public.automations a
     cross join lateral (select private.closed_by(p_closed, a.channel, 'marketing') as channel,
       private.closed_by(p_closed, a.fallback_channel, 'marketing') as fallback) as shut
     where a.campaign_id = c.id and (
       shut.channel is not null and (a.fallback_channel is null or shut.fallback is not null)
       or coalesce(shut.channel, shut.fallback) is not null and case a.step
         when 1 then c.rest_planned_at is null and (c.planned_at is null or a.variant = c.winner)
         else exists (select
           from private.plan_part(a, p_now, interval '0', null, null, null, 1, p_closed)) end)))
$$;
comment on function private.obstacle_to(public.campaigns, jsonb, timestamptz) is
  'Why a campaign cannot be planned at p_now: segment_gone, segment_changed (since it was launched), no_provider or no_app_url; null when it can.';
grant execute on function private.obstacle_to(public.campaigns, jsonb, timestamptz) to service_role;

create or replace function private.follow_ups_to_come(c public.campaigns, p_now timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.automations a
    join public.automations previous on previous.campaign_id = a.campaign_id and previous.step = a.step - 1
    join public.messages m on m.automation_id = previous.id and m.status in ('sent', 'delivered')
    -- A follow-up is due at its time of day: within a day and an hour (when clocks change) of its days.
    where a.campaign_id = c.id and m.sent_at > p_now - make_interval(days => a.after_days + 1, hours => 2))
$$;
comment on function private.follow_ups_to_come(public.campaigns, timestamptz) is
  'Whether a message of the campaign may still be followed by another one.';
grant execute on function private.follow_ups_to_come(public.campaigns, timestamptz) to service_role;

create or replace function private.test_ends(c public.campaigns) returns timestamptz
language sql stable set search_path = ''
as $$
  select coalesce(c.decided_at, case when c.planned_at is not null and not exists (
      select from public.automations a join public.automation_runs run on run.automation_id = a.id
      where a.campaign_id = c.id and a.step = 1 and run.processed > run.sent + run.skipped + run.failed)
    then make_interval(hours => c.test_hours) + greatest(c.planned_at, (
      select max(m.sent_at) from public.automations a join public.messages m on m.automation_id = a.id
      where a.campaign_id = c.id and a.step = 1)) end)
$$;
comment on function private.test_ends(public.campaigns) is
  'When the winner of a campaign''s test is chosen: test_hours after the last of its messages was sent. Null while some are still queued.';
grant execute on function private.test_ends(public.campaigns) to service_role;

create or replace function public.plan_campaign(p_organization uuid, p_campaign uuid,
  p_now timestamptz default now(), p_limit integer default 10000, p_closed jsonb default '{}')
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
  a public.automations;
  v_more boolean := false;
  v_obstacle text;
  v_decide boolean := false;
  v_began boolean;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('outbox:' || p_organization::text, 0));
  c := private.lock_campaign(p_organization, p_campaign);
  if c.id is null or c.status not in ('scheduled', 'sending') or private.campaign_starts(c) > p_now
    or exists (select from public.organizations o where o.id = p_organization
      and o.sending_stopped_at is not null) then
    return jsonb_build_object('status', c.status, 'more', false, 'decide', false);
  end if;
  v_obstacle := private.obstacle_to(c, p_closed, p_now);
  if v_obstacle is not null then
    update public.campaigns set status = 'paused', reason = v_obstacle where id = c.id;
    return jsonb_build_object('status', 'paused', 'more', false, 'decide', false);
  end if;
  -- Before the first part of all guests, and before that of the remainder: earlier parts are sent while later
  -- ones are planned.
  if (c.status = 'scheduled' or c.winner is not null and c.rest_planned_at is null and exists (
      select from public.automations s join public.automation_runs run on run.automation_id = s.id
      where s.campaign_id = c.id and s.step = 1 and s.variant = c.winner and run.planned_to is null))
    and exists (select from public.organizations o where o.id = p_organization
      and o.campaign_approve_above is not null) then
    if private.exceeds_approval(c, private.campaign_guests(c, p_now, p_closed)) then
      update public.campaigns set status = 'paused', reason = 'audience_grew' where id = c.id;
      return jsonb_build_object('status', 'paused', 'more', false, 'decide', false);
    end if;
  end if;
  if c.status = 'scheduled' then
    perform private.begin_campaign(c, p_now);
  end if;

  if c.planned_at is null then
    v_more := private.plan_campaign_part(
      private.campaign_message(c.id, 'a', case when c.test_share is null then 'all' else 'a' end),
      p_now, p_limit, p_closed);
    if not v_more and c.test_share is not null then
      v_more := private.plan_campaign_part(private.campaign_message(c.id, 'b', 'b'), p_now, p_limit,
        p_closed);
    end if;
    if not v_more then
      update public.campaigns set planned_at = p_now,
        rest_planned_at = case when coalesce(test_share, 100) = 100 then p_now end
      where id = c.id;
    end if;
  elsif c.decided_at is null and c.test_share is not null and p_now >= private.test_ends(c) then
    -- campaign_score has the figures, choose_winner takes the answer; the next call goes on.
    v_decide := true;
  elsif c.rest_planned_at is null and c.winner is not null then
    v_more := private.plan_campaign_part(private.campaign_message(c.id, c.winner, 'all'), p_now, p_limit,
      p_closed);
    if not v_more then
      update public.campaigns set rest_planned_at = p_now where id = c.id;
    end if;
  end if;
  for a in
    select * from public.automations s where s.campaign_id = c.id and s.step > 1 order by s.step
  loop
    v_began := exists (
      select from public.automation_runs run where run.automation_id = a.id and run.planned_to is not null);
    -- Parts go on where the last one ended, perhaps days ago: some guests before that may have become due
    -- since.
    v_more := private.plan_campaign_part(a, p_now, p_limit, p_closed)
      or v_began and exists (select
        from private.plan_part(a, p_now, interval '0', null, null, null, 1, p_closed))
      or v_more;
  end loop;
  return private.close_campaign(c.id, p_now, v_more or v_decide)
    || jsonb_build_object('more', v_more, 'decide', v_decide);
end
$$;
comment on function public.plan_campaign(uuid, uuid, timestamptz, integer, jsonb) is
  'Plans what is due of a campaign, at most p_limit messages a step: {status, more (call again), decide (the test is over: choose a winner)}. p_closed: see plan_query. It pauses without a segment or provider, when the segment was changed, and before it would write to more guests than were approved.';
grant execute on function public.plan_campaign(uuid, uuid, timestamptz, integer, jsonb) to service_role;

create or replace function private.close_campaign(p_campaign uuid, p_now timestamptz, p_open boolean)
  returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
  v_guests bigint;
  v_processed bigint;
  v_pending bigint;
begin
  select * into c from public.campaigns where id = p_campaign;
  select coalesce(sum(run.processed - run.skipped) filter (where a.step = 1), 0),
    coalesce(sum(run.processed), 0), coalesce(sum(run.processed - run.sent - run.skipped - run.failed), 0)
  into v_guests, v_processed, v_pending
  from public.automations a join public.automation_runs run on run.automation_id = a.id
    where a.campaign_id = c.id;
  -- It has grown since it was counted. What was planned last has not left: it is of this transaction.
  if private.exceeds_approval(c, v_guests) then
    update public.campaigns set status = 'paused', reason = 'audience_grew' where id = c.id;
    return jsonb_build_object('status', 'paused');
  elsif p_open or v_pending > 0 or c.planned_at is null or c.rest_planned_at is null
    or c.test_share is not null and c.decided_at is null or private.follow_ups_to_come(c, p_now) then
    return jsonb_build_object('status', c.status);
  end if;
  update public.automation_runs run
    set status = 'finished', finished_at = coalesce(run.finished_at, greatest(p_now, run.started_at))
  from public.automations a where a.campaign_id = c.id and run.automation_id = a.id
    and run.status = 'running';
  update public.automations set status = 'inactive' where campaign_id = c.id;
  update public.campaigns set status = 'finished', finished_at = p_now,
    reason = case when v_processed = 0 then 'nobody' end
  where id = c.id;
  return jsonb_build_object('status', 'finished');
end
$$;
comment on function private.close_campaign(uuid, timestamptz, boolean) is
  'After planning: pauses a campaign that grew beyond its approval, finishes one of which nothing is queued or to come.';
grant execute on function private.close_campaign(uuid, timestamptz, boolean) to service_role;

create or replace function public.campaign_score(p_organization uuid, p_campaign uuid,
  p_locations uuid[] default null) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  c public.campaigns;
  v_ids uuid[];
  v_first timestamptz;
  v_last timestamptz;
  v_by_guest boolean;
begin
  select * into c from public.campaigns p where p.id = p_campaign and p.organization_id = p_organization;
  if c.test_share is not null then
    v_ids := array(select a.id from public.automations a where a.campaign_id = c.id and a.step = 1);
  end if;
  select min(m.sent_at), max(m.sent_at), private.by_guest(count(*)) into v_first, v_last, v_by_guest
  from public.messages m
  where m.automation_id = any(v_ids) and m.status in ('sent', 'delivered');
  return jsonb_build_object('decides_at', private.test_ends(c), 'winner_by', c.winner_by, 'versions', (
    with sent as materialized (
      select m.automation_id, m.customer_id, min(m.sent_at) as sent_at from public.messages m
      where m.automation_id = any(v_ids) and m.status in ('sent', 'delivered') and m.customer_id is not null
        and m.created_at < coalesce(c.decided_at, 'infinity')
      group by m.automation_id, m.customer_id
    ), booked as (
      select s.automation_id, count(distinct s.customer_id) as guests
      from sent s join public.reservations r on r.customer_id = s.customer_id
        and r.created_at >= s.sent_at and r.created_at < s.sent_at + interval '30 days'
        and (v_by_guest or r.organization_id = p_organization
          and r.created_at >= v_first and r.created_at < v_last + interval '30 days')
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
        and (p_locations is null or r.location_id = any(p_locations))
      group by s.automation_id
    ), versions as (
      select a.id, a.variant, 'email' in (a.channel, a.fallback_channel) as by_email,
        count(s.customer_id) as guests, count(k.customer_id) as clicked
      from public.automations a
      left join sent s on s.automation_id = a.id
      left join private.clicked_of(v_ids) as k on k.automation_id = a.id and k.customer_id = s.customer_id
      where a.id = any(v_ids)
      group by a.id
    )
    select coalesce(jsonb_agg(jsonb_build_object('variant', v.variant, 'guests', v.guests,
      'booked', coalesce(b.guests, 0),
      -- Only e-mails report clicks.
      'clicked', case when v.by_email then v.clicked end) order by v.variant), '[]')
    from versions v left join booked b on b.automation_id = v.id));
end
$$;
comment on function public.campaign_score(uuid, uuid, uuid[]) is
  'The test of a campaign: of each version the guests written to, who of them booked within 30 days (at p_locations, or all) and who clicked: {decides_at (see test_ends), winner_by, versions: [{variant, guests, booked, clicked}]}. clicked is null without an e-mail.';
grant execute on function public.campaign_score(uuid, uuid, uuid[]) to service_role;

create or replace function public.choose_winner(p_organization uuid, p_campaign uuid,
  p_winner text default null, p_reason text default null, p_now timestamptz default now())
returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  update public.campaigns set winner = p_winner, winner_reason = p_reason, decided_at = p_now
  where id = p_campaign and organization_id = p_organization and status = 'sending' and decided_at is null
    -- Otherwise the remainder waits for the winner.
    and (p_winner is not null or test_share = 100);
  return found;
end
$$;
comment on function public.choose_winner(uuid, uuid, text, text, timestamptz) is
  'Ends the test of a campaign that is sending, without a winner only where all guests are in it; false when it has ended already, or cannot.';
grant execute on function public.choose_winner(uuid, uuid, text, text, timestamptz) to service_role;

create or replace function public.preview_campaign(p_organization uuid, p_fields jsonb,
  p_id uuid default null, p_customer uuid default null, p_now timestamptz default now(),
  p_closed jsonb default '{}', p_locations uuid[] default null)
returns jsonb
-- As preview_of: the guests are compared with sets.
language plpgsql volatile set search_path = '' set work_mem = '64MB' set enable_nestloop = off set jit = off
as $$
declare
  c public.campaigns;
  v_a public.automations;
  v_b public.automations;
  v_plan text;
  v_groups jsonb;
  v_customer uuid;
  v_row record;
  v_reason text;
begin
  c := jsonb_populate_record(null::public.campaigns, '{"location_ids": [], "exclude_recent_days": 0}'
    || p_fields);
  -- Under a fixed id, as preview_draft.
  c.id := coalesce(p_id, '00000000-0000-4000-8000-000000000000');
  c.organization_id := p_organization;
  select * into v_a from jsonb_populate_recordset(null::public.automations, p_fields -> 'messages') m
  where m.step = 1 and m.variant = 'a';
  v_a.id := c.id;
  v_a.type := 'campaign';
  v_a.campaign_id := c.id;
  v_a.organization_id := p_organization;
  v_a.location_ids := c.location_ids;
  v_a.control_share := c.control_share;
  v_a.email_look := (select a.email_look from public.automations a
    where a.id = p_id and a.organization_id = p_organization);
  v_a.content_variables := coalesce(v_a.content_variables, '{}');
  v_a.criteria := private.campaign_criteria(c, 1, 'a')
    || jsonb_build_object('part', case when c.test_share is null then 'all' else 'not_b' end);
  v_plan := private.plan_query(v_a, p_now, interval '0', null, p_closed, p_locations => p_locations);
  if c.test_share is not null then
    select * into v_b from jsonb_populate_recordset(null::public.automations, p_fields -> 'messages') m
    where m.step = 1 and m.variant = 'b';
    v_a.channel := v_b.channel;
    v_a.fallback_channel := v_b.fallback_channel;
    v_a.content_sid := v_b.content_sid;
    v_a.criteria := v_a.criteria || '{"part": "b"}';
    v_plan := v_plan || ' union all ' || private.plan_query(v_a, p_now, interval '0', null, p_closed,
      p_locations => p_locations);
  end if;
  -- Few groups, however many guests: of one there is all that the answer needs.
  execute format('select jsonb_agg(g) from (
      select p.reason, p.channel, p.not_before, p.location_id, %s as version, p.customer_id = %L as asked, count(*) as guests,
        min(p.customer_id::text collate "C") as customer_id
      from (%s) as p group by 1, 2, 3, 4, 5, 6) as g',
    coalesce(private.version_sql(c.id, c.test_share, 'p.customer_id'), '0'), p_customer, v_plan)
      into v_groups;
  select coalesce(p_customer, g.customer_id) as customer_id, g.channel, g.reason, g.not_before, g.version
    into v_row
  from jsonb_to_recordset(v_groups) as g (customer_id uuid, channel text, reason text, not_before timestamptz,
    version integer, asked boolean)
  where p_customer is null or g.asked order by g.reason is not null, g.customer_id limit 1;
  v_customer := coalesce(p_customer, v_row.customer_id);
  if v_row.customer_id is null and v_customer is not null then
    v_reason := case
      when exists (select from public.messages m join public.automations a on a.id = m.automation_id
        where a.campaign_id = p_id and m.customer_id = v_customer) then 'already_written'
      when c.location_ids <> '{}' and exists (select from public.customers g
        where g.id = v_customer and (g.location_id is null or g.location_id <> all(c.location_ids)))
          then 'other_location'
      else 'not_in_segment' end;
  end if;
  return (
    select jsonb_build_object('matched', coalesce(sum(g.guests), 0),
      'to_send', coalesce(sum(g.guests) filter (where g.reason is null), 0),
      'held', coalesce(sum(g.guests) filter (where g.reason is null and g.not_before > greatest(p_now,
        c.starts_local at time zone coalesce(l.timezone, 'Europe/Madrid'))), 0),
      'skipped', (select coalesce(jsonb_object_agg(s.reason, s.guests), '{}') from (
        select k.reason, sum(k.guests) as guests
          from jsonb_to_recordset(v_groups) as k (reason text, guests integer)
        where k.reason is not null group by k.reason) as s),
      'variants', jsonb_build_object(
        'a', coalesce(sum(g.guests) filter (where g.reason is null and g.version = 0), 0),
        'b', coalesce(sum(g.guests) filter (where g.reason is null and g.version = 1), 0),
        'rest', coalesce(sum(g.guests) filter (where g.reason is null and g.version > 1), 0)),
      'starts_at', private.campaign_starts(c),
      'approve_above', (select o.campaign_approve_above from public.organizations o
        where o.id = p_organization),
      'email_look', private.email_look_of(v_a))
    from jsonb_to_recordset(v_groups) as g (reason text, not_before timestamptz, location_id uuid,
      version integer, guests integer)
    left join public.locations l on l.id = g.location_id
  ) || jsonb_build_object('guest', (
    select jsonb_build_object('customer_id', g.id, 'reason', coalesce(v_row.reason, v_reason),
      'channel', v_row.channel, 'goes_at',
      case when coalesce(v_row.reason, v_reason) is null then v_row.not_before end,
      'group', case when v_row.reason = 'control_group' then 'control'
        when coalesce(v_row.reason, v_reason) is not null then null
        when v_row.version = 0 then 'a' when v_row.version = 1 then 'b' else 'rest' end,
      'facts', private.message_facts(o, g, null, l,
        (select t.name from public.loyalty_tiers t where t.id = g.loyalty_tier_id)))
    from public.customers g
    join public.organizations o on o.id = g.organization_id
    left join public.locations l on l.id = g.location_id
    where g.id = v_customer and g.organization_id = p_organization));
end
$$;
comment on function public.preview_campaign(uuid, jsonb, uuid, uuid, timestamptz, jsonb, uuid[]) is
  'What a campaign, saved or not, would do at p_now: counts {matched, to_send, held, skipped, variants, starts_at, approve_above, email_look}, and for p_customer (else the first guest) channel, time, group, facts, or the reason why they get nothing.';
grant execute on function public.preview_campaign(uuid, jsonb, uuid, uuid, timestamptz, jsonb, uuid[])
  to service_role;
grant execute on function public.list_campaigns(uuid, text, integer, timestamptz, uuid) to authenticated;
