-- What the pages of automations ask for: saving one, the results of a whole list at once, why messages of a
-- run were left out, and the fate of a message whose outcome was unknown.

create or replace function public.save_automation(p_organization uuid, p_id uuid, p_fields jsonb,
  p_updated_at timestamptz default null)
returns setof public.automations
language plpgsql volatile set search_path = ''
as $$
declare
  v public.automations;
begin
  if p_id is null then
    v := jsonb_populate_record(null::public.automations,
      '{"status": "inactive", "body": "", "content_variables": {}, "versions": [],
      "criteria": {}, "location_ids": [], "tags": [], "tier_ids": [], "control_share": 0}' || p_fields);
    return query insert into public.automations (id, organization_id, name, type, channel, fallback_channel,
      status, subject, body, content_sid, content_variables, email_design, versions, criteria, location_ids,
      tags, tier_ids, control_share)
    values (private.new_id(p_organization, p_fields), p_organization, v.name, v.type, v.channel,
      v.fallback_channel, v.status, v.subject, v.body, v.content_sid, v.content_variables, v.email_design,
      v.versions, v.criteria, v.location_ids, v.tags, v.tier_ids, v.control_share)
    returning *;
    return;
  end if;
  select * into v from public.automations a
  where a.id = p_id and a.organization_id = p_organization and a.deleted_at is null
    and (p_updated_at is null or a.updated_at = p_updated_at)
  for update;
  if v.id is null then
    return;
  end if;
  v := jsonb_populate_record(v, p_fields);
  return query update public.automations a set name = v.name, type = v.type, channel = v.channel,
    fallback_channel = v.fallback_channel, status = v.status, subject = v.subject, body = v.body,
    content_sid = v.content_sid, content_variables = v.content_variables, email_design = v.email_design,
    versions = v.versions, criteria = v.criteria, location_ids = v.location_ids, tags = v.tags,
    tier_ids = v.tier_ids, control_share = v.control_share, deleted_at = v.deleted_at
  where a.id = p_id returning *;
end
$$;
comment on function public.save_automation(uuid, uuid, jsonb, timestamptz) is
  'Makes an automation (null), or changes the given fields of one as it was at p_updated_at; no row when it is not there, or was changed since.';

create or replace function private.by_guest(p_guests bigint) returns boolean
language sql stable set search_path = ''
as $$
  select p_guests <= 5000 or (select c.reltuples < 0 from pg_catalog.pg_class c
    where c.oid = 'public.reservations'::regclass)
$$;
comment on function private.by_guest(bigint) is
  'Whether the reservations of this many guests are best looked up guest by guest; else by the days they concern, which needs the table''s statistics: without them the planner would read those days once for each guest.';
grant execute on function private.by_guest(bigint) to service_role;

create or replace function public.automations_overview(p_organization uuid, p_automations uuid[],
  p_from timestamptz, p_to timestamptz, p_locations uuid[] default null)
returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  -- A page has 200 at most.
  v_ids uuid[] := p_automations[1:200];
  v_sent bigint;
  v_until timestamptz;
  v_by_guest boolean;
begin
  -- Values, so that the planner sees how many messages may take credit, and how much of the year they
  -- concern.
  select count(*), max(coalesce(m.sent_at, m.created_at)) + interval '30 days' into v_sent, v_until
  from public.messages m
  where m.automation_id = any(v_ids) and m.organization_id = p_organization
    and m.created_at >= p_from and m.created_at < p_to and m.kind = 'marketing'
      and m.status in ('sent', 'delivered');
  v_by_guest := private.by_guest(v_sent);
  return (
    with in_period as materialized (
      -- Booleans, of which the planner expects a half: it expects nearly no row of several conditions on a
      -- CTE.
      select m.id, m.automation_id, m.customer_id, m.status, m.simulated,
        coalesce(m.sent_at, m.created_at) as at, m.status in ('sent', 'delivered') as is_sent,
        m.channel = 'email' and m.status in ('sent', 'delivered') as is_email,
        m.kind = 'marketing' and m.status in ('sent', 'delivered') as takes_credit
      from public.messages m
      where m.automation_id = any(v_ids) and m.organization_id = p_organization
        and m.created_at >= p_from and m.created_at < p_to and m.superseded_at is null
    ), engaged as (
      -- A person's click proves the open. Who leaves the list did not click on what the message offers.
      select g.message_id, bool_or(g.actor = 'person') as opened,
        bool_or(g.kind = 'click' and g.actor = 'person' and g.link <> 'unsubscribe') as clicked
      from in_period m join public.message_engagement g on g.message_id = m.id
      where m.is_email and g.actor <> 'machine'
      group by g.message_id
    ), counted as (
      select automation_id, jsonb_build_object('total', count(*),
        'sent', count(*) filter (where is_sent),
        'delivered', count(*) filter (where status = 'delivered'),
        'simulated', count(*) filter (where is_sent and simulated),
        'skipped', count(*) filter (where status = 'skipped'),
        'failed', count(*) filter (where status in ('failed', 'unknown')),
        'pending', count(*) filter (where status in ('queued', 'sending')),
        'emails', count(*) filter (where is_email),
        'opened', count(*) filter (where e.opened), 'maybe_opened', count(e.message_id),
        'clicked', count(*) filter (where e.clicked)) as messages
      from in_period m left join engaged e on e.message_id = m.id group by automation_id
    ), credited as (
      select m.automation_id, count(*) as reservations, coalesce(sum(r.party_size), 0) as covers,
        coalesce(sum(coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0))
          filter (where r.visited), 0)
          as revenue,
        coalesce(sum(r.party_size * l.average_spend_per_guest)
          filter (where r.visited and r.total_amount is null), 0)
          as estimated_revenue
      -- The limit takes nothing away: it says to the planner how many there are.
      from (select p.* from in_period p where p.takes_credit limit v_sent) as m
      join public.reservations r on r.customer_id = m.customer_id and r.created_at >= m.at
        and r.created_at <= m.at + interval '30 days'
        and (v_by_guest
          or r.organization_id = p_organization and r.created_at >= p_from and r.created_at <= v_until)
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
        and (p_locations is null or r.location_id = any(p_locations))
      join public.locations l on l.id = r.location_id
      -- Both the booking and its service come after the message: a sync may bring a dinner the day after.
      cross join lateral (
        select least(r.created_at, r.service_order at time zone l.timezone) as at) as made
      -- Only the last message before it, of whichever automation, may take the credit.
      where made.at >= m.at and not exists (
          select 1 from public.messages other
          where other.customer_id = m.customer_id and other.kind = 'marketing'
            and other.status in ('sent', 'delivered')
            and coalesce(other.sent_at, other.created_at) between m.at and made.at
            and (coalesce(other.sent_at, other.created_at), other.id) > (m.at, m.id))
      group by m.automation_id
    )
    select coalesce(jsonb_agg(jsonb_build_object('automation_id', a.id,
      'messages', coalesce(n.messages,
        '{"total": 0, "sent": 0, "delivered": 0, "simulated": 0, "skipped": 0, "failed": 0, "pending": 0,
          "emails": 0, "opened": 0, "maybe_opened": 0, "clicked": 0}'),
      'reservations', coalesce(c.reservations, 0), 'covers', coalesce(c.covers, 0),
      'revenue', coalesce(c.revenue, 0), 'estimated_revenue', coalesce(c.estimated_revenue, 0),
      'last_run', (
        select jsonb_build_object('id', run.id, 'status', run.status, 'reason', run.reason,
          'started_at', run.started_at)
        from public.automation_runs run
        where run.automation_id = a.id and run.organization_id = p_organization
        order by run.started_at desc, run.id limit 1))), '[]')
    from unnest(v_ids) as a (id)
    left join counted n on n.automation_id = a.id
    left join credited c on c.automation_id = a.id);
end
$$;
comment on function public.automations_overview(uuid, uuid[], timestamptz, timestamptz, uuid[]) is
  'For each automation: its last run, and the results (as in results_of_automation) of its messages created from p_from until p_to, counting reservations of p_locations, or of all. opened: e-mails that a person certainly opened or clicked; maybe_opened: all opened ones but those that only machines opened.';

create or replace function public.results_of_automation(p_organization uuid, p_automation uuid,
  p_from timestamptz, p_to timestamptz, p_locations uuid[] default null)
returns jsonb
language sql stable set search_path = ''
as $$
  select (public.automations_overview(p_organization, array[p_automation], p_from, p_to, p_locations) -> 0)
    - array['automation_id', 'last_run'] || jsonb_build_object('links', (
      select coalesce(jsonb_agg(jsonb_build_object('link', l.link, 'clicked', l.clicked)
        order by l.clicked desc, l.link), '[]')
      from (
        select g.link, count(*) as clicked
        from public.messages m join public.message_engagement g on g.message_id = m.id
        where m.automation_id = p_automation and m.organization_id = p_organization
          and m.created_at >= p_from and m.created_at < p_to and m.status in ('sent', 'delivered')
          and g.kind = 'click' and g.actor = 'person'
        group by g.link order by count(*) desc, g.link limit 20) as l))
$$;
comment on function public.results_of_automation(uuid, uuid, timestamptz, timestamptz, uuid[]) is
  'What an automation''s messages (created from p_from until p_to) brought: counts by outcome, and reservations made within 30 days after a customer''s last marketing message, for a service after it, with covers and EUR of those that became visits. links: in how many e-mails a person clicked each, the 20 most clicked.';

create or replace function public.run_outcomes(p_organization uuid, p_runs uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(outcome), '[]') from (
    select m.run_id, m.status, m.reason, count(*) as messages from public.messages m
    where m.run_id = any(p_runs) and m.organization_id = p_organization
      and m.status in ('skipped', 'failed', 'unknown')
    group by m.run_id, m.status, m.reason order by count(*) desc, m.status, m.reason) as outcome
$$;
comment on function public.run_outcomes(uuid, uuid[]) is
  'How many messages of each run were skipped, failed or have an unknown outcome, by reason: {run_id, status, reason, messages}.';

create or replace function public.run_report(p_run uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('processed', run.processed, 'sent', run.sent, 'skipped', run.skipped,
    'failed', run.failed, 'pending', run.processed - run.sent - run.skipped - run.failed,
    'status', run.status, 'paused_by', case run.status when 'paused' then run.reason end,
    'problems', coalesce((
      select jsonb_agg(problem) from (
        select m.status, m.channel, m.reason, count(*) as messages from public.messages m
        where m.run_id = p_run and m.status in ('failed', 'unknown')
        group by m.status, m.channel, m.reason order by count(*) desc, m.reason limit 50) as problem), '[]'))
  from public.automation_runs run where run.id = p_run
$$;
comment on function public.run_report(uuid) is
  'A run''s counts, its status, why it is paused (else null), and its failures by channel and reason (at most 50): {processed, sent, skipped, failed, pending, status, paused_by, problems}.';

create or replace function public.authorize_run(p_automation uuid, p_run uuid default null) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from public.automations
  where id = p_automation and deleted_at is null and type <> 'campaign'
    and organization_id = any(array(select private.my_organizations())) and private.covers(location_ids);
  if a.id is null or p_run is not null and not exists (
    select from public.automation_runs run where run.id = p_run and run.automation_id = a.id) then
    return 'unknown';
  elsif not private.may_market(a.organization_id) then
    return 'forbidden';
  end if;
  -- More often it would say nothing new, and fill the log.
  if (a.status = 'active' or p_run is not null) and public.take_attempts(
    array[concat_ws(':', 'automation-run', a.id, p_run, (select private.caller()))], array[1], 60) = 0 then
    perform private.audit(a.organization_id,
      case when p_run is null then 'automation.run' else 'automation.resumed' end,
      a.id, jsonb_strip_nulls(jsonb_build_object('run_id', p_run)));
  end if;
  return 'allowed';
end
$$;
comment on function public.authorize_run(uuid, uuid) is
  'Whether the caller may run the automation, or let its run go on: allowed (and logged, once a minute a person), unknown (also when it reaches a location they do not work in) or forbidden (limit_marketing_to_roles).';

create or replace function public.reconcile_message(p_id uuid, p_status text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  m public.messages;
begin
  if p_status is null or p_status not in ('sent', 'failed') then
    return 'invalid';
  end if;
  select * into m from public.messages
  where id = p_id and kind <> 'notification'
    and organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and ((select private.works_everywhere())
      or location_id = any(array(select private.my_locations()))) for update;
  if m.id is null then
    return 'not_found';
  elsif m.status <> 'unknown' then
    return 'not_unknown';
  end if;
  update public.messages
  set status = p_status, reason = case p_status when 'failed' then 'reconciled' end,
    -- When it was tried is when it went.
    sent_at = case p_status when 'sent' then coalesce(sent_at, frozen_at, created_at) end,
    lease_token = null, lease_until = null
  where id = m.id;
  perform private.audit(m.organization_id, 'message.reconciled', m.id,
    jsonb_build_object('status', p_status, 'automation_id', m.automation_id));
  return 'reconciled';
end
$$;
comment on function public.reconcile_message(uuid, text) is
  'Records what a person found out about a message with an unknown outcome: sent or failed. reconciled, not_unknown, not_found or invalid.';
grant execute on function public.authorize_run(uuid, uuid) to authenticated;
grant execute on function public.reconcile_message(uuid, text) to authenticated, service_role;
grant execute on function public.save_automation(uuid, uuid, jsonb, timestamptz),
  public.automations_overview(uuid, uuid[], timestamptz, timestamptz, uuid[]),
  public.results_of_automation(uuid, uuid, timestamptz, timestamptz, uuid[]),
  public.run_outcomes(uuid, uuid[]), public.run_report(uuid) to service_role;
