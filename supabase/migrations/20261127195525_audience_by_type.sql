-- Schema 20261127195525. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- What went, or cannot be replaced

drop function private.automation_audience(uuid, timestamp with time zone);

-- >> supabase/logic/automations/audience.sql
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
language sql stable set search_path = ''
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
-- << supabase/logic/automations/audience.sql

-- >> supabase/logic/erasure/export.sql
-- All that is held about a person, as a file for them.

create or replace function private.exported_reservations(p_customer uuid, p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'external_id', r.external_id, 'location',
    l.name,
    'customer_name', r.customer_name, 'customer_email', r.customer_email, 'customer_phone',
    r.customer_phone,
    'reservation_date', r.reservation_date, 'reservation_time', to_char(r.reservation_time, 'HH24:MI'),
    'party_size', r.party_size, 'status', r.status, 'pms_status', r.pms_status, 'visited', r.visited,
    'notes', r.notes, 'staff_marks', r.staff_marks, 'total_amount', r.total_amount,
    'source', r.source, 'zone_name', r.zone_name, 'table_name', r.table_name, 'created_at', r.created_at)
    order by r.service_order, r.id), '[]')
  from public.reservations r join public.locations l on l.id = r.location_id
  where r.customer_id = p_customer and r.location_id = any(p_locations)
$$;
comment on function private.exported_reservations(uuid, uuid[]) is 'A person''s reservations at these locations, for their file.';

create or replace function private.exported_messages(p_customer uuid, p_everywhere boolean,
  p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'automation', u.name,
    'channel', m.channel, 'recipient', m.recipient, 'status', m.status, 'reason', m.reason,
    'detail', m.detail, 'simulated', m.simulated, 'content', m.content, 'created_at', m.created_at,
    'sent_at', m.sent_at, 'delivered_at', m.delivered_at,
    'engagement', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', g.kind, 'link', nullif(g.link, ''), 'actor',
        g.actor,
        'first_at', g.first_at, 'times', g.times) order by g.first_at, g.kind, g.link, g.actor), '[]')
      from public.message_engagement g where g.message_id = m.id),
    'engagement_events', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', e.kind, 'link', nullif(e.link, ''), 'agent',
        e.agent,
        'at', e.at) order by e.at, e.receipt), '[]')
      from private.engagement_events e where e.message_id = m.id))
    order by m.created_at, m.id), '[]')
  from public.messages m left join public.automations u on u.id = m.automation_id
  where m.customer_id = p_customer and (p_everywhere or m.location_id = any(p_locations))
$$;
comment on function private.exported_messages(uuid, boolean, uuid[]) is 'The messages to a person with what they did with each, for their file: of these locations, or all.';

create or replace function private.exported_tickets(p_customer uuid, p_everywhere boolean,
  p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('number', k.number, 'subject', k.subject, 'description',
    k.description,
    'status', k.status, 'priority', k.priority, 'created_at', k.created_at, 'resolved_at', k.resolved_at,
    'former_subjects', (
      select coalesce(jsonb_agg(h.before order by h.created_at, h.id), '[]')
      from public.ticket_changes h where h.ticket_id = k.id and h.field = 'subject'),
    'comments', (
      select coalesce(jsonb_agg(jsonb_build_object('body', m.body, 'created_at', m.created_at)
        order by m.created_at, m.id), '[]')
      from public.ticket_comments m where m.ticket_id = k.id)) order by k.number), '[]')
  from public.tickets k
  where k.customer_id = p_customer
    and (p_everywhere or k.location_id is null or k.location_id = any(p_locations))
$$;
comment on function private.exported_tickets(uuid, boolean, uuid[]) is 'The tickets about a person with their comments, for their file: of these locations and of none, or all.';

create or replace function public.export_customer(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_customer public.customers;
  v_everywhere constant boolean := private.works_everywhere();
  v_locations constant uuid[] := array(select private.my_locations());
begin
  if not exists (
    select 1 from public.profiles p
    where p.id = (select private.caller()) and p.role in ('super_admin', 'admin', 'ceo')) then
    return null;
  end if;
  perform private.take_export('customer');
  select * into v_customer from public.customers
  where id = p_id and organization_id = any(array(select private.my_organizations('canAccessClientes')));
  if v_customer.id is null then
    return null;
  end if;
  perform private.audit(v_customer.organization_id, 'customer.exported', p_id);
  return jsonb_build_object(
    'exported_at', now(),
    'customer', private.customer_json(v_customer),
    'recorded_consents', v_customer.consents,
    'former_addresses', (
      select coalesce(jsonb_agg(coalesce(a.email, a.phone, a.whatsapp_id) order by a.created_at, a.id), '[]')
      from public.customer_aliases a where a.customer_id = p_id and a.name is null),
    'former_names', (
      select coalesce(jsonb_agg(a.name order by a.created_at, a.id), '[]')
      from public.customer_aliases a where a.customer_id = p_id and a.name is not null),
    'merges', (
      select coalesce(jsonb_agg(jsonb_build_object('merged_at', m.merged_at, 'author', m.author_name,
        'undone_at', m.undone_at, 'record',
        s.gone - array['organization_id', 'sort_name', 'sort_visit', 'search_text',
          'birth_day', 'email_key']) order by m.merged_at, m.id), '[]')
      from public.customer_merges m left join private.merged_customers s on s.merge_id = m.id
      where m.kept_id = p_id),
    'facts', (
      select coalesce(jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note,
        'recorded_by', f.recorded_by, 'recorded_at', f.recorded_at) order by f.kind, f.code), '[]')
      from public.customer_facts f where f.customer_id = p_id),
    'rhythm', (
      select jsonb_build_object('visit_days', k.visit_days, 'first_day', k.first_day, 'last_day', k.last_day,
        'usual_days', k.usual_days, 'at_risk_on', k.at_risk_on, 'lost_on', k.lost_on)
      from public.customer_rhythms k where k.customer_id = p_id),
    'reservations', private.exported_reservations(p_id, v_locations),
    'waitlist', (
      select coalesce(jsonb_agg(jsonb_build_object('location', l.name, 'name', w.name, 'phone', w.phone,
        'party_size', w.party_size, 'notes', w.notes, 'joined_at', w.joined_at, 'outcome', w.outcome)
        order by w.joined_at, w.id), '[]')
      from public.waitlist w join public.locations l on l.id = w.location_id
      where w.organization_id = v_customer.organization_id and w.phone = v_customer.phone
        and w.location_id = any(v_locations)),
    'points', (
      select coalesce(jsonb_agg(private.points_json(p) order by p.created_at, p.id), '[]')
      from public.loyalty_points p left join public.reservations r on r.id = p.reservation_id
      where p.customer_id = p_id and (p.reservation_id is null or r.location_id = any(v_locations))),
    'messages', private.exported_messages(p_id, v_everywhere, v_locations),
    'control_groups', (
      select coalesce(jsonb_agg(jsonb_build_object('automation', u.name, 'held', e.held,
        'enrolled_at', e.enrolled_at) order by e.enrolled_at, e.id), '[]')
      from private.enrolments e join public.automations u on u.id = e.automation_id
      where e.customer_id = p_id and v_everywhere),
    'feedback', (
      select coalesce(jsonb_agg(jsonb_build_object('location', l.name, 'score', f.score, 'words', f.words,
        'language', f.language, 'answered_at', f.answered_at, 'changed_at', f.changed_at,
        'reply', f.reply, 'replied_at', f.replied_at)
        order by f.answered_at, f.id), '[]')
      from public.feedback f join public.locations l on l.id = f.location_id
      where f.customer_id = p_id and f.location_id = any(v_locations)),
    'tickets', private.exported_tickets(p_id, v_everywhere, v_locations),
    'calendar_events', (
      select coalesce(jsonb_agg(jsonb_build_object('title', e.title, 'description', e.description,
        'event_datetime', e.event_datetime, 'ends_at', e.ends_at, 'location', l.name, 'created_at',
        e.created_at)
        order by e.event_datetime, e.id), '[]')
      from public.calendar_events e left join public.locations l on l.id = e.location_id
      where e.customer_id = p_id
        and (v_everywhere or e.location_id is null or e.location_id = any(v_locations))),
    'suppressions', (
      select coalesce(jsonb_agg(jsonb_build_object('channel', s.channel, 'address', s.address, 'reason',
        s.reason,
        'author', s.author, 'note', s.note, 'created_at', s.created_at) order by s.created_at, s.id), '[]')
      from public.suppressions s
      where s.organization_id = v_customer.organization_id and s.channel in ('email', 'sms', 'whatsapp')
        and (s.address in (v_customer.email, v_customer.phone, v_customer.whatsapp_id) or s.address in (
          select coalesce(a.email, a.phone, a.whatsapp_id) from public.customer_aliases a
          where a.customer_id = p_id))),
    'whatsapp_windows', (
      select coalesce(jsonb_agg(jsonb_build_object('address', w.address, 'last_inbound_at', w.last_inbound_at)
        order by w.last_inbound_at, w.address), '[]')
      from public.whatsapp_windows w
      where w.organization_id = v_customer.organization_id
        and w.address = any(private.whatsapp_addresses_of(p_id))),
    'audit', (
      select coalesce(jsonb_agg(jsonb_build_object('action', g.action, 'details', g.details,
        'created_at', g.created_at) order by g.created_at, g.id), '[]')
      from public.audit_log g where g.subject_id = p_id));
end
$$;
comment on function public.export_customer(uuid) is
  'Everything held about a person (GDPR art. 15 and 20) in the caller''s locations, or null when the caller may not see them.';
grant execute on function public.export_customer(uuid) to authenticated;
-- << supabase/logic/erasure/export.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261127195525', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/messages/bucket.sql
-- The bucket of images for e-mails. Mail programs read it without a key; nobody but the service writes
-- (storage.objects has no policy for it). A file of the logic, so that a change of it reaches a deployment.

do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values ('email-images', 'email-images', true, 2097152,
      array['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
    on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;
  end if;
end
$$;
-- << supabase/logic/messages/bucket.sql

-- >> supabase/logic/service/table_offers.sql
-- A table that was given back is offered to the waitlist by SMS or WhatsApp, one party after the other, where
-- the organization wants it (offer_tables_minutes). A clear yes books it. All that takes a table holds
-- lock_identities, as do staff's changes and the sync, so a table is never given to two.

create or replace function private.stay_of(p_party_size integer) returns interval
language sql immutable set search_path = ''
as $$
  select case when p_party_size <= 2 then interval '90 minutes'
    when p_party_size <= 6 then interval '120 minutes'
    else interval '150 minutes' end
$$;
comment on function private.stay_of(integer) is
  'How long a party of that size usually stays, as components/service/table-model.ts assumes.';

create or replace function private.table_names(p_table text) returns text[]
language sql immutable set search_path = ''
as $$ select array(select btrim(name) from unnest(string_to_array(p_table, '+')) as name
  where btrim(name) <> '') $$;
comment on function private.table_names(text) is 'The tables of a reservation: 4+5 are two joined ones.';

create or replace function private.table_is_free(p_location uuid, p_table text, p_from timestamptz,
  p_party_size integer, p_now timestamptz, p_except uuid default null)
returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
    select 1 from public.reservations r
    join public.locations l on l.id = r.location_id
    cross join lateral (
      select r.service_order at time zone l.timezone as booked, private.stay_of(r.party_size) as stay) as s
    where r.location_id = p_location
      and r.service_date between (p_from at time zone l.timezone)::date - 1
        and (p_from at time zone l.timezone)::date + 1
      and r.source <> 'import' and r.status in ('pending', 'confirmed', 'seated')
      and private.table_names(r.table_name) && private.table_names(p_table)
      and tstzrange(case r.status when 'seated' then least(coalesce(r.seated_at, s.booked), p_now)
        else s.booked end,
        case when r.status = 'seated'
          then greatest(coalesce(r.seated_at, s.booked) + s.stay, p_now + interval '15 minutes')
          when p_now - s.booked between interval '0' and interval '60 minutes' then p_now + s.stay
          else s.booked + s.stay end) && tstzrange(p_from, p_from + private.stay_of(p_party_size)))
    and not exists (
      select 1 from private.table_offers o
      where o.location_id = p_location and o.outcome is null and o.expires_at > p_now and o.id is distinct
        from p_except
        and private.table_names(o.table_name) && private.table_names(p_table))
$$;
comment on function private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) is
  'Whether no party that comes or sits has one of these tables during a usual stay from p_from, and none is offered it (but by the offer p_except).';

create or replace function private.close_offers(p_organization uuid, p_now timestamptz) returns void
language sql volatile set search_path = ''
as $$
  update private.table_offers o set ended_at = p_now,
    outcome = case when o.expires_at <= p_now then 'expired' else 'gone' end
  from public.waitlist w, public.reservations r
  where o.organization_id = p_organization and o.outcome is null and w.id = o.waitlist_id
    and r.id = o.reservation_id
    and (o.expires_at <= p_now or w.outcome is not null or w.called_at is not null
      or r.status not in ('cancelled', 'no_show'))
$$;
comment on function private.close_offers(uuid, timestamptz) is
  'Ends offers whose time is over, whose party no longer waits, or whose reservation is on again.';

create or replace function public.offer_freed_tables(p_organization uuid, p_channels text[],
  p_now timestamptz default now())
returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  o public.organizations;
  v_channels text[];
begin
  select * into o from public.organizations where id = p_organization;
  if o.offer_tables_minutes is null then
    return '{}';
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_now);
  with slots as (
    select r.id, r.location_id, r.table_name, l.name as place, l.timezone,
      greatest(r.service_order at time zone l.timezone, p_now) as starts_at, coalesce((
        select sum(coalesce(d.capacity, r.party_size)) from public.dining_tables d
        where d.location_id = r.location_id and d.is_active
        and d.name = any(private.table_names(r.table_name))), r.party_size) as seats
    from public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date = private.current_service(l.timezone, p_now)
    where l.organization_id = p_organization and l.is_active and r.source <> 'import'
      and r.status in ('cancelled', 'no_show') and not r.walk_in and r.table_name is not null
      and r.service_order at time zone l.timezone > p_now - interval '60 minutes'
      and r.service_order at time zone l.timezone <= p_now + interval '2 hours'
      and not exists (
        select 1 from private.table_offers f
        where f.reservation_id = r.id and (f.outcome is null or f.outcome = 'accepted'))
  ), pairs as (
    select s.*, w.id as waitlist_id, w.phone, w.party_size, w.joined_at, by.channel
    from slots s
    join public.waitlist w on w.location_id = s.location_id and w.outcome is null and w.called_at is null
      and w.phone is not null and w.party_size <= s.seats
    cross join lateral (
      -- WhatsApp allows free text only within 24 hours of the person's last message.
      select c.channel from unnest(array['whatsapp', 'sms']) with ordinality as c (channel, place)
      where c.channel = any(p_channels)
        and (c.channel = 'sms' or public.whatsapp_open(p_organization, w.phone, p_now))
        and not exists (
          select 1 from public.suppressions x
          where x.organization_id = p_organization and x.channel = c.channel and x.address = w.phone)
      order by c.place limit 1) as by
    where not exists (
        select 1 from private.table_offers f
        where f.waitlist_id = w.id and (f.outcome is null or f.reservation_id = s.id))
      and private.table_is_free(s.location_id, s.table_name, s.starts_at, w.party_size, p_now)
  -- The first who came for each table, one table for each party; of two reservations of one table, one.
  ), first_come as (
    select distinct on (p.id) p.* from pairs p order by p.id, p.joined_at, p.waitlist_id
  ), one_each as (
    select distinct on (f.waitlist_id) f.* from first_come f order by f.waitlist_id, f.starts_at, f.id
  ), chosen as (
    select e.*, gen_random_uuid() as offer_id, gen_random_uuid() as message_id,
      p_now + make_interval(mins => o.offer_tables_minutes) as expires_at
    from one_each e
    where not exists (
      select 1 from one_each other
      where other.location_id = e.location_id and other.id <> e.id
        and (other.starts_at, other.id) < (e.starts_at, e.id)
        and private.table_names(other.table_name) && private.table_names(e.table_name))
  ), told as (
    insert into public.messages (id, organization_id, kind, purpose, about_type, about_id, location_id,
      channel, recipient, dedupe_key, content, not_before, created_at)
    select c.message_id, p_organization, 'transactional', 'table_offer', 'table_offer', c.offer_id,
      c.location_id, c.channel, c.phone, 'offer:' || c.offer_id,
      private.guest_text('table_offer', private.in_english(c.phone), jsonb_build_object('party_size',
        c.party_size, 'location', c.place, 'time', to_char(c.starts_at at time zone c.timezone, 'HH24:MI'),
        'until', to_char(c.expires_at at time zone c.timezone, 'HH24:MI')), c.expires_at), p_now, p_now
    from chosen c
  ), offered as (
    insert into private.table_offers (id, organization_id, location_id, waitlist_id, reservation_id,
      table_name, starts_at, message_id, offered_at, expires_at)
    select c.offer_id, p_organization, c.location_id, c.waitlist_id, c.id, c.table_name, c.starts_at,
      c.message_id, p_now, c.expires_at
    from chosen c
  )
  select array_agg(distinct c.channel order by c.channel) into v_channels from chosen c;
  return coalesce(v_channels, '{}');
end
$$;
comment on function public.offer_freed_tables(uuid, text[], timestamptz) is
  'Ends old offers. Then offers each table that a cancellation or a no-show of the current services has freed to the first waiting party that fits, by the connected channels; no party is offered the same table twice. Returns the channels of the messages it queued. Call it again until there are none.';

create or replace function private.book_offer(o private.table_offers, w public.waitlist, l public.locations)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v public.reservations;
begin
  v.organization_id := o.organization_id;
  v.location_id := o.location_id;
  v.customer_name := w.name;
  v.customer_phone := w.phone;
  -- A phone of a guest with another name makes no guest of them: floor staff typed both.
  if private.owners_of_another_name(o.organization_id, null, w.phone, w.name) is null then
    v.customer_id := private.match_customer(o.organization_id, null, w.phone, w.name);
  end if;
  v.reservation_date := (o.starts_at at time zone l.timezone)::date;
  v.reservation_time := date_trunc('minute', o.starts_at at time zone l.timezone)::time;
  v.party_size := w.party_size;
  v.status := 'confirmed';
  v.notes := w.notes;
  v.table_name := o.table_name;
  v.service_over := false;
  v := private.write_reservation(v, l.count_unmarked_visits);
  perform private.refresh_customers(array_remove(array[v.customer_id], null));
  perform private.audit(o.organization_id, 'reservation.created', v.id, '{}');
  return v.id;
end
$$;
comment on function private.book_offer(private.table_offers, public.waitlist, public.locations) is
  'Books an offered table for the waiting party, like a reservation by staff; returns its id.';

create or replace function private.ticket_for_offer(o private.table_offers, w public.waitlist, p_channel text,
  p_reason text, p_text text, p_at timestamptz, p_words jsonb)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := case p_channel when 'whatsapp' then 'WhatsApp' else 'SMS' end;
  v_values jsonb := jsonb_build_object('name', w.name, 'table', o.table_name, 'channel', v_channel,
    'reason', p_words -> 'reasons' ->> p_reason,
    'text', coalesce(nullif(btrim(left(p_text, 500)), ''), p_words ->> 'no_text'));
  v_ticket uuid;
begin
  -- One ticket per offer: further messages are added while it is open.
  select t.id into v_ticket from public.tickets t
  where t.id = o.ticket_id and t.status in ('open', 'in_progress', 'waiting') for update;
  if v_ticket is not null then
    if (select count(*) from public.ticket_comments c where c.ticket_id = v_ticket) < 50 then
      insert into public.ticket_comments (ticket_id, author_name, body, created_at)
      values (v_ticket, v_channel, private.worded(p_words ->> 'comment', v_values), p_at);
      update public.tickets set changes = changes + 1 where id = v_ticket;
    end if;
    return;
  end if;
  insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
    created_at)
  values (o.organization_id, left(private.worded(p_words ->> 'subject', v_values), 200),
    private.worded(p_words ->> 'description', v_values), 'urgent', o.location_id, (
      select (array_agg(c.id))[1] from public.customers c
      where c.organization_id = o.organization_id and c.phone = w.phone having count(*) = 1), p_at)
  returning id into v_ticket;
  update private.table_offers set ticket_id = v_ticket where id = o.id;
end
$$;
comment on function private.ticket_for_offer(private.table_offers, public.waitlist, text, text, text, timestamptz, jsonb) is
  'Passes a message about an offer to staff: as a comment on the offer''s open ticket, else as a new one, of the guest who alone has the phone. p_words: those of lib/tickets/guest-ticket-words.json for offers, in one language.';

create or replace function public.take_offer_reply(p_organization uuid, p_reply jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_channel text := p_reply ->> 'channel';
  v_intent text := p_reply ->> 'intent';
  v_addresses text[] := private.sender_addresses(p_organization, v_channel, p_reply ->> 'phone',
    p_reply ->> 'whatsapp_id');
  v_last public.messages;
  o private.table_offers;
  w public.waitlist;
  l public.locations;
  v_booking uuid;
  v_english boolean;
  v_answered boolean;
  v_theirs boolean;
begin
  -- Only the last message to them can be meant by "1".
  select * into v_last from public.messages m
  where m.organization_id = p_organization and m.recipient = any(v_addresses) and m.channel = v_channel
    and m.created_at > p_at - interval '1 day' and m.status in ('sending', 'sent', 'delivered', 'unknown')
  order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1;
  v_answered := coalesce(v_last.purpose = 'table_offer_answer', false);
  select * into o from private.table_offers f
  where f.organization_id = p_organization and case when v_answered
    then f.id = v_last.about_id else f.message_id = v_last.id end;
  if o.id is null or p_reply ->> 'answers' is not null and v_last.provider_id is distinct
    from p_reply ->> 'answers' then
    return jsonb_build_object('outcome', 'not_asked');
  end if;
  insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
  values (p_organization, 'reply:' || (p_reply ->> 'id'), p_at, true) on conflict do nothing;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_at);
  select * into o from private.table_offers f where f.id = o.id for update;
  select * into w from public.waitlist e where e.id = o.waitlist_id for update;
  select * into l from public.locations p where p.id = o.location_id;
  v_theirs := private.is_senders(v_last, p_reply ->> 'phone', p_reply ->> 'whatsapp_id');
  v_english := coalesce(p_reply ->> 'language' = 'en', private.in_english(w.phone));
  if v_intent = 'courtesy' or v_intent = 'confirm' and (v_answered or o.outcome = 'accepted') then
    return jsonb_build_object('outcome', 'nothing');
  elsif v_intent = 'cancel' and o.outcome is null and v_theirs then
    update private.table_offers set outcome = 'declined', ended_at = p_at where id = o.id;
    return jsonb_build_object('outcome', 'declined');
  elsif v_intent = 'confirm' and o.outcome is null and v_theirs
    and private.table_is_free(o.location_id, o.table_name, o.starts_at, w.party_size, p_at, o.id) then
    v_booking := private.book_offer(o, w, l);
    update private.table_offers set outcome = 'accepted', ended_at = p_at, booking_id = v_booking
      where id = o.id;
    update public.waitlist set outcome = 'booked', ended_at = p_at where id = w.id;
  else
    perform private.ticket_for_offer(o, w, v_channel, case
      when not v_theirs then 'another_number'
      when v_intent = 'confirm' and w.outcome is null then 'too_late'
      when v_intent = 'confirm' then 'not_waiting'
      when o.outcome = 'accepted' then 'booked'
      else 'unclear' end, p_reply ->> 'text', p_at,
      p_words -> case when private.in_english(w.phone) then 'en' else 'es' end);
    if v_intent is distinct from 'confirm' or not v_theirs then
      return jsonb_build_object('outcome', 'ticket');
    end if;
    update private.table_offers set outcome = 'gone', ended_at = p_at where id = o.id and outcome is null;
  end if;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, reservation_id,
    location_id, channel, recipient, dedupe_key, content, not_before, created_at)
  select p_organization, 'transactional', 'table_offer_answer', 'table_offer', o.id, v_booking, o.location_id,
    v_channel, v_last.recipient, 'offer-answer:' || o.id || ':' || (p_reply ->> 'id'),
    private.guest_text(case when v_booking is not null then 'table_taken' when w.outcome is null
      then 'table_gone' else 'table_gone_not_waiting' end, v_english,
      jsonb_build_object('location', l.name, 'time', to_char(o.starts_at at time zone l.timezone, 'HH24:MI')),
      p_at + interval '1 hour'), p_at, p_at;
  return jsonb_build_object('outcome', case when v_booking is null then 'gone' else 'accepted' end,
    'reservation_id', v_booking);
end
$$;
comment on function public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) is
  'Handles a guest''s message when our last message to them offered a table or answered about one; a message that comes twice is handled once. Arguments as take_reply''s; the words are those for offers. Outcome: accepted (booked, and told), declined, gone (accepted too late: told, and a ticket), ticket (unclear, or from another number), nothing, not_asked, repeated.';
grant execute on function private.stay_of(integer), private.table_names(text),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid),
  private.close_offers(uuid, timestamptz) to service_role;
grant execute on function public.offer_freed_tables(uuid, text[], timestamptz),
  public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/service/table_offers.sql

reset check_function_bodies;
