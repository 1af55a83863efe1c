-- What becomes of a launched campaign: a person approves, refuses, pauses, resumes or stops it, or one of its
-- runs pauses by itself. Only the service calls move_campaign; lib/campaigns checks the caller first.

create or replace function private.decide_campaign(c public.campaigns, p_approve boolean, p_person uuid,
  p_guests integer, p_version integer, p_now timestamptz) returns text
language plpgsql volatile set search_path = ''
as $$
begin
  if c.status <> 'waiting_approval' or c.expires_at <= p_now then
    return 'not_waiting';
  elsif p_approve and not (private.may_approve(p_person, c.launched_by) and exists (
    select from public.profiles p where p.id = p_person and p.organization_id = c.organization_id)) then
    return 'own';
  elsif p_approve and (c.guests, c.version) is distinct from (p_guests, p_version) then
    return 'changed';
  end if;
  update public.campaigns set
    status = case when p_approve then case when started_at is null then 'scheduled' else 'sending' end
      when started_at is null then 'draft' else 'paused' end,
    reason = case when not p_approve then 'refused' end, expires_at = null,
    approved_by = case when p_approve then private.person_name(p_person) end,
    approved_at = case when p_approve then p_now end,
    undo_until = case when p_approve and c.started_at is null
      then private.undo_until(c, c.guests, p_now) end
  where id = c.id;
  return null;
end
$$;
comment on function private.decide_campaign(public.campaigns, boolean, uuid, integer, integer, timestamptz) is
  'Approves or refuses a campaign that waits for it: null, or why not, as move_campaign.';
grant execute on function private.decide_campaign(public.campaigns, boolean, uuid, integer, integer,
  timestamptz) to service_role;

create or replace function private.resume_campaign(c public.campaigns, p_person uuid, p_now timestamptz,
  p_closed jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_limit integer := (select o.campaign_approve_above from public.organizations o
    where o.id = c.organization_id);
  v_segment integer := (select s.version from public.segments s where s.id = c.segment_id);
  v_changed boolean := coalesce(c.rest_planned_at is null and c.segment_version <> v_segment, false);
  v_guests integer;
begin
  if v_limit is not null then
    v_guests := private.campaign_guests(c, p_now, p_closed);
  end if;
  update public.campaigns set segment_version = v_segment where id = c.id;
  if v_changed and v_guests > v_limit or private.exceeds_approval(c, v_guests) then
    update public.campaigns set status = 'waiting_approval', guests = v_guests, paused_by = null,
      reason = case when v_changed then 'segment_changed' else 'audience_grew' end,
      launched_by = p_person, launched_by_name = private.person_name(p_person), approved_by = null,
      approved_at = null, expires_at = private.campaign_deadline(c, p_now)
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
  delete from public.channel_pace p where p.organization_id = c.organization_id and p.channel in (
    select offer from public.automations a cross join unnest(array[a.channel, a.fallback_channel]) as offer
      where a.campaign_id = c.id);
end
$$;
comment on function private.resume_campaign(public.campaigns, uuid, timestamptz, jsonb) is
  'Lets a paused campaign and its runs go on; it waits for approval when its segment was changed, or it grew, beyond what was approved.';
grant execute on function private.resume_campaign(public.campaigns, uuid, timestamptz, jsonb)
  to service_role;

create or replace function public.move_campaign(p_organization uuid, p_campaign uuid, p_action text,
  p_person uuid, p_guests integer default null, p_version integer default null,
  p_now timestamptz default now(), p_closed jsonb default '{}')
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
  v_name text := private.person_name(p_person);
  v_outcome text;
begin
  -- No claim meanwhile: what this decides holds for the next batch.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  c := private.lock_campaign(p_organization, p_campaign);
  if c.id is null then
    return 'not_found';
  end if;
  if p_action in ('approve', 'refuse') then
    v_outcome := private.decide_campaign(c, p_action = 'approve', p_person, p_guests, p_version, p_now);
    if v_outcome is not null then
      return v_outcome;
    end if;
  elsif p_action = 'unschedule' then
    if c.status <> 'scheduled' or c.started_at is not null then
      return 'not_scheduled';
    end if;
    update public.campaigns set status = 'draft', reason = null, approved_by = null, approved_at = null,
      undo_until = null
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
    perform private.resume_campaign(c, p_person, p_now, p_closed);
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
