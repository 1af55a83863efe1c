-- Plans a run of an automation: its audience, found by an index for each type, and for each customer the channel and
-- time, or the reason why no message goes. lib/automations/check.ts has the defaults of the criteria; audience_of
-- repeats them for automations stored without them.

create function private.birthdays_within(p_organization uuid, p_days integer, p_now timestamptz)
returns table (timezone text, birth_day smallint, year integer)
language sql stable set search_path = ''
as $$
  with zones as (
    select l.timezone from public.locations l where l.organization_id = p_organization
    union
    select 'Europe/Madrid'
  ), days as (
    select z.timezone, (p_now at time zone z.timezone)::date + d.n as day
    from zones z cross join generate_series(0, p_days) as d (n)
  )
  select timezone, (extract(month from day) * 100 + extract(day from day))::smallint, extract(year from day)::integer
  from days
  union all
  -- Birthdays of 29 February fall on the 28th in common years.
  select timezone, 229::smallint, extract(year from day)::integer
  from days where extract(month from day) = 2 and extract(day from day) = 28 and extract(day from day + 1) = 1
$$;
comment on function private.birthdays_within(uuid, integer, timestamptz) is
  'The birthdays (and their years) from today to p_days later, by time zone of the organization''s locations.';

-- The audience and the plan take the automation itself instead of its id, so that they also work for a draft.
create function private.audience_by_type(a public.automations, p_now timestamptz)
returns table (customer_id uuid, reservation_id uuid, dedupe_key text)
-- Postgres plans each call for its values: an audience may be ten customers or a million.
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  -- Days until this automation may write to the same customer again.
  v_period integer;
  v_since timestamptz;
  v_key text;
  v_tiers uuid[];
  v_spend numeric;
begin
  v_period := case a.type when 'reengagement' then 90 when 'vip_reward' then 60 end;
  v_since := p_now - make_interval(days => v_period);
  -- The key has the number of periods since 1970: two messages v_period days apart never share it.
  v_key := format('%s:%s:%%s:%s', a.type, a.id, floor(extract(epoch from p_now) / 86400 / v_period));

  if a.type = 'birthday' then
    return query
    select c.id, null::uuid, format('birthday:%s:%s:%s', a.id, c.id, b.year)
    from private.birthdays_within(
      a.organization_id, coalesce((a.criteria ->> 'days_before')::integer, 7), p_now) b
    join public.customers c on c.organization_id = a.organization_id and c.birth_day = b.birth_day
    left join public.locations l on l.id = c.location_id
    where coalesce(l.timezone, 'Europe/Madrid') = b.timezone
      and (a.location_ids = '{}' or c.location_id = any(a.location_ids))
      and (a.tags = '{}' or c.tags && a.tags) and (a.tier_ids = '{}' or c.loyalty_tier_id = any(a.tier_ids))
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
      and (a.location_ids = '{}' or c.location_id = any(a.location_ids))
      and (a.tags = '{}' or c.tags && a.tags) and (a.tier_ids = '{}' or c.loyalty_tier_id = any(a.tier_ids))
      and not exists (
        select 1 from public.messages m
        where m.automation_id = a.id and m.customer_id = c.id and m.status not in ('skipped', 'failed')
          and m.created_at > v_since);

  elsif a.type = 'vip_reward' then
    v_spend := (a.criteria ->> 'min_spend')::numeric;
    v_tiers := array(
      select t.id from public.loyalty_tiers t
      join public.loyalty_tiers lowest on lowest.organization_id = t.organization_id and t.rank >= lowest.rank
      where t.organization_id = a.organization_id
        and lowest.name = coalesce(a.criteria ->> 'min_tier', case when v_spend is null then 'Oro' end));
    return query
    select c.id, null::uuid, format(v_key, c.id)
    from public.customers c
    where c.organization_id = a.organization_id
      and (c.loyalty_tier_id = any(v_tiers) or (c.organization_id = a.organization_id and c.total_spend >= v_spend))
      and (a.location_ids = '{}' or c.location_id = any(a.location_ids))
      and (a.tags = '{}' or c.tags && a.tags) and (a.tier_ids = '{}' or c.loyalty_tier_id = any(a.tier_ids))
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
    -- service_date only bounds the index scan (after midnight it is the day before); the exact instants decide.
    join public.reservations r on r.location_id = l.id
      and r.service_date between (visited.earliest at time zone l.timezone)::date - 1
        and (visited.latest at time zone l.timezone)::date
      and r.service_order at time zone l.timezone between visited.earliest and visited.latest
      and r.visited
    join public.customers c on c.id = r.customer_id
    where l.organization_id = a.organization_id
      and (a.location_ids = '{}' or r.location_id = any(a.location_ids))
      and (a.tags = '{}' or c.tags && a.tags) and (a.tier_ids = '{}' or c.loyalty_tier_id = any(a.tier_ids))
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
      and (a.location_ids = '{}' or r.location_id = any(a.location_ids))
      and (a.tags = '{}' or c.tags && a.tags) and (a.tier_ids = '{}' or c.loyalty_tier_id = any(a.tier_ids))
      and not exists (
        select 1 from public.messages m
        where m.reservation_id = r.id and m.automation_id = a.id and m.status not in ('skipped', 'failed'));
    -- Once more, shortly before, to those who were asked and have not answered.
    if (a.criteria ->> 'nudge_hours')::integer > 0 and a.criteria ->> 'answers' = 'true' then
      return query
      select c.id, r.id, format('reservation_confirmation:%s:%s:nudge', a.id, r.id)
      from public.locations l
      join public.reservations r on r.location_id = l.id
        and r.service_date between (p_now at time zone l.timezone)::date - 1
          and (p_now at time zone l.timezone + make_interval(hours => (a.criteria ->> 'nudge_hours')::integer))::date
        and r.service_order at time zone l.timezone > p_now
        and r.service_order at time zone l.timezone <= p_now + make_interval(hours => (a.criteria ->> 'nudge_hours')::integer)
        and r.status = 'confirmed' and r.source <> 'import' and r.guest_answered_at is null
      join public.customers c on c.id = r.customer_id
      where l.organization_id = a.organization_id
        and (a.location_ids = '{}' or r.location_id = any(a.location_ids))
        and (a.tags = '{}' or c.tags && a.tags) and (a.tier_ids = '{}' or c.loyalty_tier_id = any(a.tier_ids))
        -- Asked at least four hours ago by a channel they can answer by, and not twice.
        and exists (
          select 1 from public.messages m
          where m.reservation_id = r.id and m.automation_id = a.id and m.channel <> 'email'
            and m.status in ('sent', 'delivered') and m.sent_at <= p_now - interval '4 hours')
        and not exists (
          select 1 from public.messages m
          where m.organization_id = a.organization_id and m.status not in ('skipped', 'failed')
            and m.dedupe_key = format('reservation_confirmation:%s:%s:nudge', a.id, r.id));
    end if;
  end if;
end
$$;
comment on function private.audience_by_type(public.automations, timestamptz) is
  'The customers who meet what the automation''s type asks, and its filters, and to whom it has not written about this yet. Failed and skipped messages do not count.';

create function private.audience_of(a public.automations, p_now timestamptz)
returns table (customer_id uuid, reservation_id uuid, dedupe_key text)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  if a.criteria ->> 'segment_id' is null then
    return query select * from private.audience_by_type(a, p_now);
  else
    return query
    select x.* from private.audience_by_type(a, p_now) x
    where x.customer_id in (
      select private.segment_members(a.organization_id, (a.criteria ->> 'segment_id')::uuid, p_now));
  end if;
end
$$;
comment on function private.audience_of(public.automations, timestamptz) is
  'The customers to whom the automation, saved or not, would write at p_now: audience_by_type, those of the segment alone that its criteria name. Of a segment that is not there nobody.';

create function private.automation_audience(p_automation uuid, p_now timestamptz)
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
comment on function private.automation_audience(uuid, timestamptz) is
  'audience_of for a saved automation.';

create function private.after_quiet_hours(p_now timestamptz, p_timezone text, p_from time, p_until time)
returns timestamptz
language sql immutable set search_path = ''
as $$
  select case
    when p_from < p_until and local.clock >= p_from and local.clock < p_until
      or p_from > p_until and local.clock < p_until then (local.day + p_until) at time zone p_timezone
    when p_from > p_until and local.clock >= p_from then (local.day + 1 + p_until) at time zone p_timezone
    else p_now end
  from (select (p_now at time zone p_timezone)::time as clock, (p_now at time zone p_timezone)::date as day) as local
$$;
comment on function private.after_quiet_hours(timestamptz, text, time, time) is
  'p_now, or the end of the quiet hours that p_now falls into. Quiet hours may span midnight; when both times are equal there are none.';

create function private.closed_by(p_closed jsonb, p_channel text, p_kind text) returns text
language sql immutable set search_path = ''
as $$
  select nullif(p_closed ->> p_channel, case p_kind when 'marketing' then null else 'no_app_url' end)
$$;
comment on function private.closed_by(jsonb, text, text) is
  'Why no message of the kind can go by the channel: no_provider, no_app_url; null when it can.';

create function private.audience_to_try(a public.automations, p_now timestamptz, p_retry_after interval, p_run uuid,
  p_limit integer, p_closed text, p_fallback_closed text)
returns table (customer_id uuid, reservation_id uuid, dedupe_key text)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
  return query
  select x.* from private.audience_of(a, p_now) x
  -- A skipped or failed message is tried again: not by the run that skipped it, not while that run is open, and not
  -- before p_retry_after has passed.
  where not exists (
    select 1 from public.messages m left join public.automation_runs run on run.id = m.run_id
    where m.organization_id = a.organization_id and m.dedupe_key = x.dedupe_key
      and (m.status not in ('skipped', 'failed') or m.run_id = p_run
        -- After a refusal, a stop or an expired approval only a person may start again, not the schedule:
        -- p_retry_after = 0 means started by hand.
        or run.status <> 'finished'
          and not (run.status in ('refused', 'expired', 'stopped') and p_retry_after = interval '0')
        or m.created_at > p_now - p_retry_after
          -- A message that only lacked a provider is tried again as soon as the customer can be reached.
          and not (coalesce(m.reason, '') in ('no_provider', 'no_app_url') and exists (
            select 1 from public.customers c
            where c.id = x.customer_id and (
              p_closed is null and private.address_of(c, a.channel) is not null
              or a.fallback_channel is not null and p_fallback_closed is null
                and private.address_of(c, a.fallback_channel) is not null)))))
  limit p_limit;
end
$$;
comment on function private.audience_to_try(public.automations, timestamptz, interval, uuid, integer, text, text) is
  'The audience without the customers whose message exists already and is not due for a retry, at most p_limit. p_closed and p_fallback_closed: why nothing can go by the channel and by its fallback.';

create function private.plan_of(a public.automations, p_now timestamptz, p_retry_after interval, p_run uuid,
  p_limit integer, p_closed jsonb default '{}')
returns table (customer_id uuid, reservation_id uuid, dedupe_key text, kind text, channel text, recipient text,
  reason text, not_before timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  o public.organizations;
  v_kind text;
  -- Why nothing can go by the channel and by its fallback; null: it can.
  v_closed text;
  v_fallback_closed text;
begin
  select * into o from public.organizations where id = a.organization_id;
  v_kind := case a.type when 'reservation_confirmation' then 'transactional' else 'marketing' end;
  v_closed := private.closed_by(p_closed, a.channel, v_kind);
  v_fallback_closed := private.closed_by(p_closed, a.fallback_channel, v_kind);
  return query
  with addressed as (
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
    from private.audience_to_try(a, p_now, p_retry_after, p_run, p_limit, v_closed, v_fallback_closed) x
    join public.customers c on c.id = x.customer_id
    left join public.reservations r on r.id = x.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    -- The channel, else its fallback: the first one with an address that may be used.
    cross join lateral (
      select offer.channel, contact.address, hurdle.obstacle
      from (values (1, a.channel, v_closed), (2, a.fallback_channel, v_fallback_closed))
        as offer (place, channel, closed)
      cross join lateral (select case offer.channel when 'email' then c.email
        when 'whatsapp' then coalesce(c.phone, c.whatsapp_id) else c.phone end) as contact (address)
      cross join lateral (select case
        when contact.address is null then 'no_address'
        -- An opt-out stops marketing; a bounce or a complaint stops everything.
        when exists (
          select 1 from public.suppressions s
          where s.organization_id = a.organization_id and s.channel = offer.channel
            and s.address in (contact.address, case offer.channel when 'whatsapp' then c.whatsapp_id end)
            and (v_kind = 'marketing' or s.reason in ('bounce', 'complaint'))) then 'suppressed'
        -- Most customers have visited and have no consent on record, so the function call is skipped for them.
        when v_kind = 'marketing' and (c.consents <> '{}' or c.total_visits = 0)
          and private.consent_basis(c.consents, c.total_visits, offer.channel) = 'none' then 'no_consent'
        when offer.closed is not null then offer.closed
        when offer.channel = 'whatsapp' and a.content_sid is null
          and not public.whatsapp_open(a.organization_id, contact.address, p_now) then 'needs_template'
        end) as hurdle (obstacle)
      where offer.channel is not null
      -- If both channels are blocked, report the customer's own reason rather than the missing provider.
      order by hurdle.obstacle is not null, contact.address is null, offer.closed is not null, offer.place limit 1
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
comment on function private.plan_of(public.automations, timestamptz, interval, uuid, integer, jsonb) is
  'What a run of the automation, saved or not, at p_now would put into the outbox, at most p_limit rows: channel and recipient, or the reason to skip. p_closed: channels by which nothing can go now, with the reason (no_provider; no_app_url is for marketing alone).';

create function private.plan_messages(p_automation uuid, p_now timestamptz, p_retry_after interval, p_run uuid,
  p_limit integer, p_closed jsonb default '{}')
returns table (customer_id uuid, reservation_id uuid, dedupe_key text, kind text, channel text, recipient text,
  reason text, not_before timestamptz)
language plpgsql stable set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from public.automations where id = p_automation;
  return query select * from private.plan_of(a, p_now, p_retry_after, p_run, p_limit, p_closed);
end
$$;
comment on function private.plan_messages(uuid, timestamptz, interval, uuid, integer, jsonb) is
  'What a run at p_now would put into the outbox, at most p_limit rows: channel and recipient, or the reason to skip.';

revoke execute on function private.birthdays_within(uuid, integer, timestamptz),
  private.audience_by_type(public.automations, timestamptz), private.audience_of(public.automations, timestamptz),
  private.automation_audience(uuid, timestamptz),
  private.after_quiet_hours(timestamptz, text, time, time),
  private.closed_by(jsonb, text, text),
  private.audience_to_try(public.automations, timestamptz, interval, uuid, integer, text, text),
  private.plan_of(public.automations, timestamptz, interval, uuid, integer, jsonb),
  private.plan_messages(uuid, timestamptz, interval, uuid, integer, jsonb) from public;
grant execute on function private.birthdays_within(uuid, integer, timestamptz),
  private.audience_by_type(public.automations, timestamptz), private.audience_of(public.automations, timestamptz),
  private.automation_audience(uuid, timestamptz),
  private.after_quiet_hours(timestamptz, text, time, time),
  private.closed_by(jsonb, text, text),
  private.audience_to_try(public.automations, timestamptz, interval, uuid, integer, text, text),
  private.plan_of(public.automations, timestamptz, interval, uuid, integer, jsonb),
  private.plan_messages(uuid, timestamptz, interval, uuid, integer, jsonb) to service_role;
