-- The planning of a launched campaign, part by part: what is due goes into the outbox, until nothing is to
-- come and the campaign is finished. Only the service calls these.

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
        and greatest(private.campaign_starts(c), c.undo_until, '-infinity') <= p_now));
end
$$;
comment on function public.due_campaigns(uuid, timestamptz) is
  'The campaigns to plan at p_now, by launch. Those that waited for approval too long are drafts again.';
grant execute on function public.due_campaigns(uuid, timestamptz) to service_role;

create or replace function private.obstacle_to(c public.campaigns, p_closed jsonb, p_now timestamptz)
  returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    case when c.rest_planned_at is null and not exists (
      select from public.segments s where s.id = c.segment_id and s.organization_id = c.organization_id)
      then 'segment_gone' end,
    case when c.rest_planned_at is null and c.segment_version <> (
      select s.version from public.segments s where s.id = c.segment_id) then 'segment_changed' end,
    -- A campaign never tries a skipped guest again, so it waits for a provider. With two channels it waits
    -- for either one while guests are planned whom only that one may reach.
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

create or replace function private.has_outgrown(c public.campaigns, p_closed jsonb, p_now timestamptz)
  returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  -- Counted before the first part of all guests and before the first part of the remainder. Later is too
  -- late: parts are sent while the next are planned.
  if (c.status = 'scheduled' or c.winner is not null and c.rest_planned_at is null and exists (
      select from public.automations s join public.automation_runs run on run.automation_id = s.id
      where s.campaign_id = c.id and s.step = 1 and s.variant = c.winner and run.planned_to is null))
    and exists (select from public.organizations o where o.id = c.organization_id
      and o.campaign_approve_above is not null) then
    return private.exceeds_approval(c, private.campaign_guests(c, p_now, p_closed));
  end if;
  return false;
end
$$;
comment on function private.has_outgrown(public.campaigns, jsonb, timestamptz) is
  'Whether a campaign of which the first guests, or the first of the remainder, are due would write to more than were approved.';
grant execute on function private.has_outgrown(public.campaigns, jsonb, timestamptz) to service_role;

create or replace function private.plan_follow_ups(p_campaign uuid, p_now timestamptz, p_limit integer,
  p_closed jsonb) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
  v_began boolean;
  v_more boolean := false;
begin
  for a in
    select * from public.automations s where s.campaign_id = p_campaign and s.step > 1 order by s.step
  loop
    v_began := exists (
      select from public.automation_runs run where run.automation_id = a.id and run.planned_to is not null);
    -- A part goes on where the last one ended, perhaps days ago. Guests before that place may be due by now.
    v_more := private.plan_campaign_part(a, p_now, p_limit, p_closed)
      or v_began and exists (select
        from private.plan_part(a, p_now, interval '0', null, null, null, 1, p_closed))
      or v_more;
  end loop;
  return v_more;
end
$$;
comment on function private.plan_follow_ups(uuid, timestamptz, integer, jsonb) is
  'Plans the next messages of each later step of a campaign; whether there may be more.';
grant execute on function private.plan_follow_ups(uuid, timestamptz, integer, jsonb) to service_role;

create or replace function public.plan_campaign(p_organization uuid, p_campaign uuid,
  p_now timestamptz default now(), p_limit integer default 10000, p_closed jsonb default '{}')
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
  v_more boolean := false;
  v_obstacle text;
  v_decide boolean := false;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('outbox:' || p_organization::text, 0));
  c := private.lock_campaign(p_organization, p_campaign);
  if c.id is null or c.status not in ('scheduled', 'sending') or private.campaign_starts(c) > p_now
    or c.undo_until > p_now
    or exists (select from public.organizations o where o.id = p_organization
      and o.sending_stopped_at is not null) then
    return jsonb_build_object('status', c.status, 'more', false, 'decide', false);
  end if;
  v_obstacle := private.obstacle_to(c, p_closed, p_now);
  if v_obstacle is null and private.has_outgrown(c, p_closed, p_now) then
    v_obstacle := 'audience_grew';
  end if;
  if v_obstacle is not null then
    update public.campaigns set status = 'paused', reason = v_obstacle where id = c.id;
    return jsonb_build_object('status', 'paused', 'more', false, 'decide', false);
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
  v_more := private.plan_follow_ups(c.id, p_now, p_limit, p_closed) or v_more;
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
  -- It has grown since it was counted. The last part has not been sent yet: this transaction planned it.
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
