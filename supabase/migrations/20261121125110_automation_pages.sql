-- What the pages of automations ask for: a preview of what is not saved yet, the results of a whole list at once, why
-- messages of a run were left out, and what became of a message whose outcome nobody knew.

-- The audience and the plan take the automation itself instead of its id, so that a draft has them too.
create function private.audience_of(a public.automations, p_now timestamptz)
returns table (customer_id uuid, reservation_id uuid, dedupe_key text)
-- Each call is planned for its values: an audience may be ten customers or a million.
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  -- No second message of this automation to the customer before so many days.
  v_period integer;
  v_since timestamptz;
  v_key text;
  v_tiers uuid[];
  v_spend numeric;
begin
  v_period := case a.type when 'reengagement' then 90 when 'vip_reward' then 60 end;
  v_since := p_now - make_interval(days => v_period);
  -- Two messages v_period days apart never fall into the same number of periods since 1970.
  v_key := format('%s:%s:%%s:%s', a.type, a.id, floor(extract(epoch from p_now) / 86400 / v_period));

  if a.type = 'birthday' then
    return query
    select c.id, null::uuid, format('birthday:%s:%s:%s', a.id, c.id, b.year)
    from private.birthdays_within(
      a.organization_id, coalesce((a.criteria ->> 'days_before')::integer, 7), p_now) b
    join public.customers c on c.organization_id = a.organization_id and c.birth_day = b.birth_day
    left join public.locations l on l.id = c.location_id
    where coalesce(l.timezone, 'Europe/Madrid') = b.timezone
      and private.is_targeted(a.location_ids, a.tags, a.tier_ids, c.location_id, c.tags, c.loyalty_tier_id)
      and not exists (
        select 1 from public.messages m
        where m.automation_id = a.id and m.customer_id = c.id and m.status not in ('skipped', 'failed')
          and m.dedupe_key = format('birthday:%s:%s:%s', a.id, c.id, b.year));

  elsif a.type = 'reengagement' then
    return query
    select c.id, null::uuid, format(v_key, c.id)
    from public.customers c
    where c.organization_id = a.organization_id
      and c.sort_visit < p_now - make_interval(days => coalesce((a.criteria ->> 'inactive_days')::integer, 90))
      and c.sort_visit > '-infinity'
      and c.total_visits >= coalesce((a.criteria ->> 'min_visits')::integer, 1)
      and private.is_targeted(a.location_ids, a.tags, a.tier_ids, c.location_id, c.tags, c.loyalty_tier_id)
      and not exists (
        select 1 from public.messages m
        where m.automation_id = a.id and m.customer_id = c.id and m.status not in ('skipped', 'failed')
          and m.created_at > v_since);

  elsif a.type = 'vip_reward' then
    v_spend := (a.criteria ->> 'min_spend')::numeric;
    v_tiers := array(
      select t.id from public.loyalty_tiers t
      join public.loyalty_tiers least on least.organization_id = t.organization_id and t.rank >= least.rank
      where t.organization_id = a.organization_id
        and least.name = coalesce(a.criteria ->> 'min_tier', case when v_spend is null then 'Oro' end));
    return query
    select c.id, null::uuid, format(v_key, c.id)
    from public.customers c
    where c.organization_id = a.organization_id
      and (c.loyalty_tier_id = any(v_tiers) or (c.organization_id = a.organization_id and c.total_spend >= v_spend))
      and private.is_targeted(a.location_ids, a.tags, a.tier_ids, c.location_id, c.tags, c.loyalty_tier_id)
      and not exists (
        select 1 from public.messages m
        where m.automation_id = a.id and m.customer_id = c.id and m.status not in ('skipped', 'failed')
          and m.created_at > v_since);

  elsif a.type = 'post_visit' then
    return query
    select c.id, r.id, format('post_visit:%s:%s', a.id, r.id)
    from public.locations l
    cross join lateral (
      select p_now - make_interval(hours => coalesce((a.criteria ->> 'window_hours')::integer, 72)) as earliest,
        p_now - make_interval(hours => coalesce((a.criteria ->> 'hours_after')::integer, 24)) as latest) as visited
    -- service_date may be the day before; it bounds the index scan, the exact instants decide.
    join public.reservations r on r.location_id = l.id
      and r.service_date between (visited.earliest at time zone l.timezone)::date - 1
        and (visited.latest at time zone l.timezone)::date
      and r.service_order at time zone l.timezone between visited.earliest and visited.latest
      and r.status = 'completed' and r.source <> 'import'
    join public.customers c on c.id = r.customer_id
    where l.organization_id = a.organization_id
      and private.is_targeted(a.location_ids, a.tags, a.tier_ids, r.location_id, c.tags, c.loyalty_tier_id)
      and not exists (
        select 1 from public.messages m
        where m.reservation_id = r.id and m.automation_id = a.id and m.status not in ('skipped', 'failed'));

  elsif a.type = 'reservation_confirmation' then
    return query
    select c.id, r.id, format('reservation_confirmation:%s:%s', a.id, r.id)
    from public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date >= (p_now at time zone l.timezone)::date - 1
      and r.service_order at time zone l.timezone > p_now
      and r.status = 'confirmed' and r.source <> 'import'
    join public.customers c on c.id = r.customer_id
    where l.organization_id = a.organization_id
      and private.is_targeted(a.location_ids, a.tags, a.tier_ids, r.location_id, c.tags, c.loyalty_tier_id)
      and not exists (
        select 1 from public.messages m
        where m.reservation_id = r.id and m.automation_id = a.id and m.status not in ('skipped', 'failed'));
  end if;
end
$$;
comment on function private.audience_of(public.automations, timestamptz) is
  'Whom the automation, saved or not, would write to at p_now: who meets its criteria and filters and has not been written to about it. Failed and skipped messages do not count.';

create or replace function private.automation_audience(p_automation uuid, p_now timestamptz)
returns table (customer_id uuid, reservation_id uuid, dedupe_key text)
language plpgsql stable set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from public.automations where id = p_automation;
  return query select * from private.audience_of(a, p_now);
end
$$;

create function private.plan_of(a public.automations, p_now timestamptz, p_retry_after interval, p_run uuid,
  p_limit integer)
returns table (customer_id uuid, reservation_id uuid, dedupe_key text, kind text, channel text, recipient text,
  reason text, not_before timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  o public.organizations;
  v_kind text;
begin
  select * into o from public.organizations where id = a.organization_id;
  v_kind := case a.type when 'reservation_confirmation' then 'transactional' else 'marketing' end;
  return query
  with audience as materialized (
    select x.* from private.audience_of(a, p_now) x
    -- What was skipped or failed is tried again, but neither within the same run or a running one, nor too soon.
    where not exists (
      select 1 from public.messages m left join public.automation_runs run on run.id = m.run_id
      where m.organization_id = a.organization_id and m.dedupe_key = x.dedupe_key
        and (m.status not in ('skipped', 'failed') or m.run_id = p_run or run.status <> 'finished'
          or m.created_at > p_now - p_retry_after))
    limit p_limit
  ), addressed as (
    select x.customer_id, x.reservation_id, x.dedupe_key, r.service_order, choice.channel, choice.address,
      case when choice.obstacle is not null then choice.obstacle
        when v_kind = 'marketing' and o.frequency_cap_days > 0 and exists (
          select 1 from public.messages m
          where m.customer_id = c.id and m.kind = 'marketing'
            and m.status in ('queued', 'sending', 'sent', 'delivered', 'unknown')
            and coalesce(m.sent_at, m.created_at) > p_now - make_interval(days => o.frequency_cap_days))
          then 'frequency_cap'
      end as reason,
      coalesce(l.timezone, 'Europe/Madrid') as timezone
    from audience x
    join public.customers c on c.id = x.customer_id
    left join public.reservations r on r.id = x.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    -- The channel, else its fallback: whichever has an address that may be written to.
    cross join lateral (
      select offer.channel, contact.address, hurdle.obstacle
      from (values (1, a.channel), (2, a.fallback_channel)) as offer (place, channel)
      cross join lateral (select case offer.channel when 'email' then c.email else c.phone end) as contact (address)
      cross join lateral (select case
        when contact.address is null then 'no_address'
        -- Unsubscribing is from marketing; a bounce, STOP or a complaint is from everything.
        when exists (
          select 1 from public.suppressions s
          where s.organization_id = a.organization_id and s.channel = offer.channel and s.address = contact.address
            and (v_kind = 'marketing' or s.reason <> 'unsubscribe')) then 'suppressed'
        when offer.channel = 'whatsapp' and a.content_sid is null
          and not public.whatsapp_open(a.organization_id, contact.address, p_now) then 'needs_template'
        end) as hurdle (obstacle)
      where offer.channel is not null
      order by hurdle.obstacle is not null, contact.address is null, offer.place limit 1
    ) as choice
  ), zones as materialized (
    select timezone, case v_kind when 'marketing'
      then private.after_quiet_hours(p_now, timezone, o.quiet_from, o.quiet_until) else p_now end as send_at
    from (select distinct timezone from addressed) as used
  ), ranked as (
    select *, row_number() over (partition by reason is null, customer_id
        order by service_order desc nulls last, dedupe_key) as nth_for_customer,
      row_number() over (partition by reason is null, channel, address
        order by customer_id, service_order desc nulls last, dedupe_key) as nth_for_address
    from addressed
  )
  select ranked.customer_id, ranked.reservation_id, ranked.dedupe_key, v_kind, ranked.channel, ranked.address,
    coalesce(ranked.reason, case
      when v_kind <> 'marketing' then null
      when ranked.nth_for_customer > 1 and o.frequency_cap_days > 0 then 'frequency_cap'
      when ranked.nth_for_address > 1 then 'duplicate'
      when p_run is not null and exists (
        select 1 from public.messages m
        where m.run_id = p_run and m.recipient = ranked.address and m.status <> 'skipped') then 'duplicate'
    end),
    zones.send_at
  from ranked join zones on zones.timezone = ranked.timezone;
end
$$;

comment on function private.plan_of(public.automations, timestamptz, interval, uuid, integer) is
  'What a run of the automation, saved or not, at p_now would put into the outbox, at most p_limit rows: channel and recipient, or the reason to skip.';

create or replace function private.plan_messages(p_automation uuid, p_now timestamptz, p_retry_after interval, p_run uuid,
  p_limit integer)
returns table (customer_id uuid, reservation_id uuid, dedupe_key text, kind text, channel text, recipient text,
  reason text, not_before timestamptz)
language plpgsql stable set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from public.automations where id = p_automation;
  return query select * from private.plan_of(a, p_now, p_retry_after, p_run, p_limit);
end
$$;

create function private.preview_of(a public.automations, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_customer uuid;
  v_reservation uuid;
begin
  drop table if exists pg_temp.outbox_preview;
  create temp table outbox_preview on commit drop as
  select * from private.plan_of(a, p_now, interval '0', null, 2147483647);
  select p.customer_id, p.reservation_id into v_customer, v_reservation from pg_temp.outbox_preview p
  order by p.reason is not null, p.customer_id, p.reservation_id limit 1;
  -- Nobody now: the one who came last shows how it would read.
  v_customer := coalesce(v_customer, (
    select c.id from public.customers c where c.organization_id = a.organization_id
    order by c.sort_visit desc, c.id desc limit 1));
  return jsonb_build_object(
    'matched', (select count(*) from pg_temp.outbox_preview),
    'skipped', (
      select coalesce(jsonb_object_agg(reason, n), '{}') from (
        select reason, count(*) as n from pg_temp.outbox_preview where reason is not null group by reason) as s),
    'held', (select count(*) from pg_temp.outbox_preview where reason is null and not_before > p_now),
    'template', private.template_of(a),
    'channel', coalesce((select p.channel from pg_temp.outbox_preview p
      where p.customer_id = v_customer and p.reservation_id is not distinct from v_reservation limit 1), a.channel),
    'customer_id', v_customer,
    'facts', (
      select private.message_facts(o, c, r, l)
      from public.organizations o
      join public.customers c on c.id = v_customer
      left join public.reservations r on r.id = v_reservation
      left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
      where o.id = a.organization_id));
end
$$;
comment on function private.preview_of(public.automations, timestamptz) is
  'What a manual run of the automation, saved or not, would do at p_now: counts, the template, and facts about one customer.';

create or replace function public.preview_automation(p_organization uuid, p_automation uuid,
  p_now timestamptz default now())
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from public.automations
  where id = p_automation and organization_id = p_organization and deleted_at is null;
  return case when a.id is not null then private.preview_of(a, p_now) end;
end
$$;

create function public.preview_draft(p_organization uuid, p_draft jsonb, p_automation uuid default null,
  p_now timestamptz default now())
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
begin
  if p_automation is not null and not exists (
    select 1 from public.automations
    where id = p_automation and organization_id = p_organization and deleted_at is null) then
    return null;
  end if;
  a := jsonb_populate_record(null::public.automations, p_draft);
  -- Under its own id, whom it has written to already stays left out.
  a.id := coalesce(p_automation, gen_random_uuid());
  a.organization_id := p_organization;
  return private.preview_of(a, p_now);
end
$$;
comment on function public.preview_draft(uuid, jsonb, uuid, timestamptz) is
  'preview_automation of one that is not saved, or of changes to p_automation that are not. Null when there is no such automation.';

create function public.automations_overview(p_organization uuid, p_automations uuid[], p_from timestamptz,
  p_to timestamptz)
returns jsonb
language sql stable set search_path = ''
as $$
  with told as materialized (
    select m.id, m.automation_id, m.customer_id, m.kind, m.status, coalesce(m.sent_at, m.created_at) as at
    from public.messages m
    where m.automation_id = any(p_automations) and m.organization_id = p_organization
      and m.created_at >= p_from and m.created_at < p_to
  ), counted as (
    select automation_id, jsonb_build_object('total', count(*),
      'sent', count(*) filter (where status in ('sent', 'delivered')),
      'delivered', count(*) filter (where status = 'delivered'),
      'skipped', count(*) filter (where status = 'skipped'),
      'failed', count(*) filter (where status in ('failed', 'unknown')),
      'pending', count(*) filter (where status in ('queued', 'sending'))) as messages
    from told group by automation_id
  ), credited as (
    select m.automation_id, count(*) as reservations, coalesce(sum(r.party_size), 0) as covers,
      coalesce(sum(case when r.status = 'completed'
        then coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0) else 0 end), 0) as revenue
    from told m
    join public.reservations r on r.customer_id = m.customer_id and r.created_at >= m.at
      and r.created_at <= m.at + interval '30 days'
      and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
    join public.locations l on l.id = r.location_id
    where m.kind = 'marketing' and m.status in ('sent', 'delivered')
      -- Only the last message before it, of whichever automation, may take the credit.
      and not exists (
        select 1 from public.messages other
        where other.customer_id = m.customer_id and other.kind = 'marketing' and other.status in ('sent', 'delivered')
          and coalesce(other.sent_at, other.created_at) between m.at and r.created_at
          and (coalesce(other.sent_at, other.created_at), other.id) > (m.at, m.id))
    group by m.automation_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('automation_id', a.id,
    'messages', coalesce(n.messages,
      '{"total": 0, "sent": 0, "delivered": 0, "skipped": 0, "failed": 0, "pending": 0}'),
    'reservations', coalesce(c.reservations, 0), 'covers', coalesce(c.covers, 0),
    'revenue', coalesce(c.revenue, 0),
    'last_run', (
      select jsonb_build_object('id', run.id, 'status', run.status, 'reason', run.reason,
        'started_at', run.started_at)
      from public.automation_runs run
      where run.automation_id = a.id and run.organization_id = p_organization
      order by run.started_at desc, run.id limit 1))), '[]')
  from unnest(p_automations) as a (id)
  left join counted n on n.automation_id = a.id
  left join credited c on c.automation_id = a.id
$$;
comment on function public.automations_overview(uuid, uuid[], timestamptz, timestamptz) is
  'Of each automation: what its messages (created from p_from until p_to) brought, as results_of_automation tells, and its last run.';

create or replace function public.results_of_automation(p_organization uuid, p_automation uuid, p_from timestamptz,
  p_to timestamptz)
returns jsonb
language sql stable set search_path = ''
as $$
  select (public.automations_overview(p_organization, array[p_automation], p_from, p_to) -> 0)
    - array['automation_id', 'last_run']
$$;

create function public.run_outcomes(p_organization uuid, p_runs uuid[]) returns jsonb
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

create function public.reconcile_message(p_id uuid, p_status text) returns text
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
    and organization_id = any(array(select private.my_organizations('canAccessMarketing'))) for update;
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
  'Somebody found out what became of a message with an unknown outcome: sent or failed. reconciled, not_unknown, not_found or invalid.';

revoke execute on function private.audience_of(public.automations, timestamptz),
  private.plan_of(public.automations, timestamptz, interval, uuid, integer),
  private.preview_of(public.automations, timestamptz) from public;
grant execute on function private.audience_of(public.automations, timestamptz),
  private.plan_of(public.automations, timestamptz, interval, uuid, integer),
  private.preview_of(public.automations, timestamptz) to service_role;
revoke execute on function public.preview_draft(uuid, jsonb, uuid, timestamptz),
  public.automations_overview(uuid, uuid[], timestamptz, timestamptz), public.run_outcomes(uuid, uuid[]),
  public.reconcile_message(uuid, text) from public, anon, authenticated;
grant execute on function public.preview_draft(uuid, jsonb, uuid, timestamptz),
  public.automations_overview(uuid, uuid[], timestamptz, timestamptz), public.run_outcomes(uuid, uuid[])
  to service_role;
grant execute on function public.reconcile_message(uuid, text) to authenticated, service_role;
