-- The audience of an automation: its customers or reservations, found by an index for each type.
-- Criteria are complete when they are stored; lib/automations/types.ts has their defaults.

create or replace function private.kind_of(a public.automations) returns text
language sql immutable set search_path = ''
as $$
  select case a.type when 'reservation_confirmation' then 'transactional' else 'marketing' end
$$;
comment on function private.kind_of(public.automations) is 'The kind of its messages (public.messages.kind).';

create or replace function private.writes_once(a public.automations) returns boolean
language sql immutable set search_path = ''
as $$
  select a.type in ('reengagement', 'vip_reward', 'campaign')
$$;
comment on function private.writes_once(public.automations) is
  'Whether a run has one message for each of its customers, who may be all of them. Others are about a day or a reservation.';

create or replace function private.birthdays_within(p_organization uuid, p_days integer, p_now timestamptz)
returns table (timezone text, birth_day smallint, year integer)
language sql stable set search_path = ''
as $$
  with zones as (
    select l.timezone from public.locations l where l.organization_id = p_organization
    union
    select private.zone_of(p_organization)
  ), days as (
    select z.timezone, (p_now at time zone z.timezone)::date + d.n as day
    from zones z cross join generate_series(0, p_days) as d (n)
  )
  select timezone, (extract(month from day) * 100 + extract(day from day))::smallint,
    extract(year from day)::integer
  from days
  union all
  -- Birthdays of 29 February fall on the 28th in common years.
  select timezone, 229::smallint, extract(year from day)::integer
  from days where extract(month from day) = 2 and extract(day from day) = 28 and extract(day from day + 1) = 1
$$;
comment on function private.birthdays_within(uuid, integer, timestamptz) is
  'The birthdays (and their years) from today to p_days later, by time zone of the organization''s locations.';

create or replace function private.own_messages(a public.automations, p_each boolean) returns text
language sql immutable set search_path = ''
as $$
  select format(case when p_each then '(m.automation_id = %L) is true' else 'm.automation_id = %L' end, a.id)
$$;
comment on function private.own_messages(public.automations, boolean) is
  'The condition that a message m is the automation''s; p_each as in audience_parts.';

create or replace function private.written_by(a public.automations, p_each boolean) returns text
language sql immutable set search_path = ''
as $$
  select 'select 1 from public.messages m where ' || private.own_messages(a, p_each)
    || ' and (m.status not in (''skipped'', ''failed'') or m.reason = ''control_group'')'
$$;
comment on function private.written_by(public.automations, boolean) is
  'The query for the messages m by which the automation has written. Failed and skipped ones do not count, except those skipped for the control group.';

create or replace function private.audience_filter(a public.automations, p_alias text, p_now timestamptz,
  p_after uuid, p_until uuid, p_locations uuid[]) returns text
language sql stable set search_path = ''
as $$
  -- "is true": the segment is a set that is made once. A join might evaluate it anew for each customer.
  select concat(
    case when a.location_ids <> '{}' then
      format(' and %s.location_id = any(%L::uuid[])', p_alias, a.location_ids) end,
    case when a.tags <> '{}' then format(' and c.tags && %L::text[]', a.tags) end,
    case when a.tier_ids <> '{}' then format(' and c.loyalty_tier_id = any(%L::uuid[])', a.tier_ids) end,
    case when a.criteria ->> 'segment_id' is not null then format(
      ' and (c.id in (select private.segment_members(%L, %L, %L, %L, %L, %L))) is true', a.organization_id,
      a.criteria ->> 'segment_id', p_now, p_after, p_until, p_locations) end,
    case when p_after is not null then format(' and c.id > %L', p_after) end,
    case when p_until is not null then format(' and c.id <= %L', p_until) end)
$$;
comment on function private.audience_filter(public.automations, text, timestamptz, uuid, uuid, uuid[]) is
  'The automation''s filters as conditions; the location is that of p_alias: r, a reservation, or c, the customer.';

create or replace function private.birthday_audience(a public.automations, p_now timestamptz, p_each boolean)
  returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
begin
  p.key := format('%L || c.id || '':'' || b.year', 'birthday:' || a.id || ':');
  p.source := format('private.birthdays_within(%L, %L, %L) b
    join public.customers c on c.organization_id = %1$L and c.birth_day = b.birth_day
      and c.birth_date > private.born_after((%3$L::timestamptz at time zone b.timezone)::date)
    left join public.locations l on l.id = c.location_id',
    a.organization_id, (a.criteria ->> 'days_before')::integer, p_now);
  p.condition := format('coalesce(l.timezone, %L) = b.timezone and not exists (
    %s and m.customer_id = c.id and m.dedupe_key = %s%s)', private.zone_of(a.organization_id),
    private.written_by(a, p_each), p.key, case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.birthday_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: customers whose birthday is ahead, once a year.';

create or replace function private.standing_audience(a public.automations, p_now timestamptz, p_each boolean)
  returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
  -- Days until this automation may write to the same customer again.
  v_period integer := case a.type when 'reengagement' then 90 else 60 end;
  v_tiers uuid[];
begin
  -- The key has the number of periods since 1970: two messages v_period days apart never share it.
  p.key := format('%L || c.id || %L', format('%s:%s:', a.type, a.id),
    ':' || floor(extract(epoch from p_now) / 86400 / v_period));
  p.source := 'public.customers c';
  if a.type = 'reengagement' then
    p.condition := format('c.sort_visit < %L and c.sort_visit > ''-infinity'' and c.total_visits >= %L',
      p_now - make_interval(days => (a.criteria ->> 'inactive_days')::integer),
      (a.criteria ->> 'min_visits')::integer);
  else
    v_tiers := array(
      select t.id from public.loyalty_tiers t
      join public.loyalty_tiers lowest on lowest.organization_id = t.organization_id
        and t.rank >= lowest.rank
      where t.organization_id = a.organization_id and lowest.name = a.criteria ->> 'min_tier');
    p.condition := format(
      '(c.loyalty_tier_id = any(%L::uuid[]) or (c.organization_id = %L and c.total_spend >= %L::numeric))',
      v_tiers, a.organization_id, (a.criteria ->> 'min_spend')::numeric);
  end if;
  p.condition := format('c.organization_id = %L and %s and not exists (
    %s and m.customer_id = c.id and m.created_at > %L%s)',
    a.organization_id, p.condition, private.written_by(a, p_each),
    p_now - make_interval(days => v_period), case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.standing_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: customers who have not come for long, or who have a tier or a spend, once a period.';

create or replace function private.afterwards_audience(a public.automations, p_now timestamptz,
  p_each boolean) returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
begin
  p.key := format('%L || r.id', format('%s:%s:', a.type, a.id));
  -- service_date only bounds the index scan (after midnight it is the day before); the exact instants decide.
  p.source := format('public.locations l
    cross join lateral (select %L::timestamptz as earliest, %L::timestamptz as latest) as due
    join public.reservations r on r.location_id = l.id
      and r.service_date between (due.earliest at time zone l.timezone)::date - 1
        and (due.latest at time zone l.timezone)::date
      and r.service_order at time zone l.timezone between due.earliest and due.latest
      and %s
    join public.customers c on c.id = r.customer_id',
    p_now - make_interval(hours => (a.criteria ->> 'window_hours')::integer),
    p_now - make_interval(hours => (a.criteria ->> 'hours_after')::integer),
    case a.type when 'post_visit' then 'r.visited' else 'r.status = ''no_show'' and r.source <> ''import''
      and not private.came_back(r, r.service_order at time zone l.timezone)' end);
  p.condition := format('l.organization_id = %L and not exists (%s and m.reservation_id = r.id%s)',
    a.organization_id, private.written_by(a, p_each), case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.afterwards_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: reservations that were visits, or whose guests did not come, some hours after their time, once each.';

create or replace function private.confirmation_audience(a public.automations, p_now timestamptz,
  p_each boolean) returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
begin
  p.key := format('%L || r.id', format('reservation_confirmation:%s:', a.id));
  p.source := format('public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date >= (%1$L::timestamptz at time zone l.timezone)::date - 1
      and r.service_order at time zone l.timezone > %1$L
      and r.status = ''confirmed'' and r.source <> ''import''
    join public.customers c on c.id = r.customer_id', p_now);
  p.condition := format('l.organization_id = %L and not exists (
    select 1 from public.messages m
    where %s and m.reservation_id = r.id and m.status not in (''skipped'', ''failed'')%s)',
    a.organization_id, private.own_messages(a, p_each), case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.confirmation_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: confirmed reservations ahead, once each.';

create or replace function private.nudge_audience(a public.automations, p_now timestamptz, p_each boolean)
  returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
  v_own text := private.own_messages(a, p_each);
begin
  p.key := format('%L || r.id || %L', format('reservation_confirmation:%s:', a.id), ':nudge');
  p.source := format('public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date between (%1$L::timestamptz at time zone l.timezone)::date - 1
        and (%2$L::timestamptz at time zone l.timezone)::date
      and r.service_order at time zone l.timezone > %1$L
      and r.service_order at time zone l.timezone <= %2$L
      and r.status = ''confirmed'' and r.source <> ''import'' and r.guest_answered_at is null
    join public.customers c on c.id = r.customer_id',
    p_now, p_now + make_interval(hours => (a.criteria ->> 'nudge_hours')::integer));
  -- Asked at least four hours ago by a channel they can answer by, and not twice.
  p.condition := format('l.organization_id = %1$L
    and exists (
      select 1 from public.messages m
      where m.reservation_id = r.id and %2$s and m.channel <> ''email''
        and m.status in (''sent'', ''delivered'') and m.sent_at <= %3$L%5$s)
    and not exists (
      select 1 from public.messages m
      where m.organization_id = %1$L and m.status not in (''skipped'', ''failed'') and m.dedupe_key = %4$s%5$s)',
    a.organization_id, v_own, p_now - interval '4 hours', p.key, case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.nudge_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: the reservations of those who were asked to confirm and have not answered, shortly before, once each.';

create or replace function private.audience_parts(a public.automations, p_now timestamptz,
  p_each boolean default false, p_after uuid default null, p_until uuid default null,
  p_locations uuid[] default null)
returns setof private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
  v_reservation boolean := a.type in ('post_visit', 'no_show', 'reservation_confirmation');
  v_filter text := private.audience_filter(a, case when v_reservation then 'r' else 'c' end, p_now, p_after,
    p_until, p_locations);
begin
  case
    when a.type = 'birthday' then
      p := private.birthday_audience(a, p_now, p_each);
    when a.type in ('reengagement', 'vip_reward') then
      p := private.standing_audience(a, p_now, p_each);
    when a.type in ('post_visit', 'no_show') then
      p := private.afterwards_audience(a, p_now, p_each);
    when a.type = 'reservation_confirmation' then
      p := private.confirmation_audience(a, p_now, p_each);
    when a.type = 'campaign' then
      p := private.campaign_audience(a, p_now, p_each, p_after, p_until, p_locations);
    else
      raise exception 'no audience for automations of the type %', a.type;
  end case;
  p.reservation := v_reservation;
  p.condition := p.condition || v_filter;
  return next p;
  if a.type = 'reservation_confirmation' and (a.criteria ->> 'nudge_hours')::integer > 0
    and a.criteria ->> 'answers' = 'true' then
    p := private.nudge_audience(a, p_now, p_each);
    p.reservation := true;
    p.condition := p.condition || v_filter;
    return next p;
  end if;
end
$$;
comment on function private.audience_parts(public.automations, timestamptz, boolean, uuid, uuid, uuid[]) is
  'The customers who meet what the automation''s type asks, and its filters and segment, and to whom it has not written about this yet. Failed and skipped messages do not count, except those skipped for the control group. p_each: to look each customer up by an index, whatever the table''s statistics say. p_after, p_until: only the customers in this range of ids. p_locations: the segment as someone bound to these sees it.';

create or replace function private.came_back(p_missed public.reservations, p_starts timestamptz)
returns boolean
language sql stable set search_path = ''
as $$
  -- Only what is for later: the sync may have brought the missed booking itself, or an old one, since then.
  select exists (
    select 1 from public.reservations other
    join public.locations l on l.id = other.location_id
    where other.customer_id = p_missed.customer_id and other.id <> p_missed.id and other.source <> 'import'
      -- For the index: no clock is a day from UTC.
      and other.service_order > (p_starts at time zone 'UTC') - interval '1 day'
      and other.service_order at time zone l.timezone >= p_starts
      and (other.created_at >= p_starts or other.visited or other.status = 'seated'
        or other.arrived_at is not null))
$$;
comment on function private.came_back(public.reservations, timestamptz) is
  'Whether the guest of a reservation that started at p_starts has come since then, or has booked again, also if that was cancelled: they know of us.';

create or replace function private.overtaken(a public.automations, r public.reservations,
  p_starts timestamptz, p_now timestamptz)
returns text
-- Without a setting: so that it is part of the statement of a claim, which asks it for each message.
language sql stable
as $$
  select case
    when a.type = 'reservation_confirmation' and (r.status is distinct from 'confirmed'
      -- Who has answered is not asked.
      or r.guest_answered_at is not null or p_starts <= p_now) then 'reservation_changed'
    when a.type = 'no_show' and r.status is distinct from 'no_show' then 'reservation_changed'
    when a.type = 'no_show' and private.came_back(r, p_starts) then 'booked'
  end
$$;
comment on function private.overtaken(public.automations, public.reservations, timestamptz, timestamptz) is
  'Why a message of the automation that waits is no longer true of its reservation, which starts at p_starts: the reason to skip it; null: it is.';
grant execute on function private.kind_of(public.automations), private.writes_once(public.automations),
  private.birthdays_within(uuid, integer, timestamptz),
  private.came_back(public.reservations, timestamptz),
  private.overtaken(public.automations, public.reservations, timestamptz, timestamptz),
  private.own_messages(public.automations, boolean), private.written_by(public.automations, boolean),
  private.audience_filter(public.automations, text, timestamptz, uuid, uuid, uuid[]),
  private.birthday_audience(public.automations, timestamptz, boolean),
  private.standing_audience(public.automations, timestamptz, boolean),
  private.afterwards_audience(public.automations, timestamptz, boolean),
  private.confirmation_audience(public.automations, timestamptz, boolean),
  private.nudge_audience(public.automations, timestamptz, boolean),
  private.audience_parts(public.automations, timestamptz, boolean, uuid, uuid, uuid[])
  to service_role;
