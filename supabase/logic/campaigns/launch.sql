-- The launch of a campaign: how many guests it writes to, and whether a second person has to approve that.
-- Only the service calls these. Locks are taken in the order of the outbox: messages, runs, campaign.

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

create or replace function private.asks_again_above() returns integer
language sql immutable set search_path = ''
as $$
  select 500
$$;
comment on function private.asks_again_above() is
  'A campaign to more guests than this is confirmed a second time, and can be undone for a minute.';
grant execute on function private.asks_again_above() to service_role;

create or replace function private.undo_until(c public.campaigns, p_guests bigint, p_now timestamptz)
  returns timestamptz
language sql stable set search_path = ''
as $$
  -- One that waits for its time, or for approval, can be taken back until then.
  select p_now + interval '1 minute'
  where p_guests > private.asks_again_above()
    and coalesce(private.campaign_starts(c), p_now) < p_now + interval '1 minute'
$$;
comment on function private.undo_until(public.campaigns, bigint, timestamptz) is
  'Until when a campaign to so many guests, released at p_now, waits to be undone; null: it is small, or its time is later.';
grant execute on function private.undo_until(public.campaigns, bigint, timestamptz) to service_role;

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
  -- The number that this person sees. Before the first message goes, planning counts the whole group again,
  -- against the limit.
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
    expires_at = case when v_waits then private.campaign_deadline(c, p_now) end,
    undo_until = case when not v_waits then private.undo_until(c, v_guests, p_now) end
  where id = c.id;
  perform private.audit(p_organization, 'campaign.launched', c.id, jsonb_build_object('guests', v_guests));
  return 'launched';
end
$$;
comment on function public.launch_campaign(uuid, uuid, uuid, integer, integer, timestamptz, jsonb, uuid[]) is
  'Launches a draft for p_person, who saw p_guests and p_version: launched (it waits for approval, or is scheduled), changed (of another version, or it would write to over a tenth more), past (its time is), not_draft or not_found. p_locations: those that the person is bound to.';
grant execute on function public.launch_campaign(uuid, uuid, uuid, integer, integer, timestamptz, jsonb,
  uuid[]) to service_role;

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
