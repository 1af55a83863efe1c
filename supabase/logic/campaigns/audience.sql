-- Whom the message of a campaign goes to: the guests of its segment, of its version, or of the step before.
-- What happens to a launched campaign is in moves.sql and planning.sql.

create or replace function private.version_sql(p_campaign uuid, p_share bigint, p_customer text) returns text
language sql immutable strict set search_path = ''
as $$
  -- The hash's first 32 bits are a number below 2^32; half the share of it goes to each version.
  select format('((''x'' || left(md5(%L || %s::text), 8))::bit(32)::bigint * 200 / %s)',
    'version' || p_campaign, p_customer,
    p_share * 4294967296)
$$;
comment on function private.version_sql(uuid, bigint, text) is
  'Which version of a campaign''s first message a guest gets in its test of p_share per cent, as SQL: 0 is a, 1 is b, more the winner. Independent of the control group''s draw. Null without a test.';

create or replace function private.campaign_criteria(c public.campaigns, p_step integer, p_variant text)
  returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(case p_step
    when 1 then jsonb_build_object('segment', c.segment_id, 'recent_days', nullif(c.exclude_recent_days, 0),
      'starts_local', c.starts_local, 'test_share', c.test_share,
      'part', case when c.test_share is null then 'all' else p_variant end)
    else jsonb_build_object('starts_local', c.starts_local) end)
$$;
comment on function private.campaign_criteria(public.campaigns, integer, text) is
  'What the plan of a campaign''s message needs of the campaign: part is which guests of the test (a, b), not_b (all but those of b) or all.';

create or replace function private.follow_up_at(p_sent timestamptz, p_days integer, p_starts timestamp,
  p_timezone text)
returns timestamptz
language sql immutable set search_path = ''
as $$
  select case when p_starts is null then p_sent + make_interval(days => p_days)
    else ((p_sent at time zone p_timezone)::date + p_days + p_starts::time) at time zone p_timezone end
$$;
comment on function private.follow_up_at(timestamptz, integer, timestamp, text) is
  'When the follow-up to a message sent at p_sent is due: so many days later at the campaign''s time of day.';

create or replace function private.campaign_audience(a public.automations, p_now timestamptz, p_each boolean,
  p_after uuid, p_until uuid, p_locations uuid[], out source text, out condition text,
  out reservation boolean, out key text)
language plpgsql stable set search_path = ''
as $$
declare
  v_part text := coalesce(a.criteria ->> 'part', 'all');
  v_version text := private.version_sql(a.campaign_id, (a.criteria ->> 'test_share')::bigint, 'c.id');
  v_same uuid[] := array(
    select s.id from public.automations s where s.campaign_id = a.campaign_id and s.step = a.step);
begin
  reservation := false;
  key := format('%L || c.id', format('campaign:%s:%s:', a.campaign_id, a.step));
  condition := format('not exists (
    select 1 from public.messages m where m.customer_id = c.id and (m.automation_id = any(%L::uuid[])) is true%s)', v_same,
    case when p_each then ' offset 0' end);
  if a.step = 1 then
    source := 'public.customers c';
    condition := concat(condition,
      -- "is true": a set that is made once. A join might evaluate the segment anew for each customer.
      format(' and c.organization_id = %1$L and (c.id in (select private.segment_members(%1$L, %2$L, %3$L, %4$L, %5$L, %6$L))) is true',
        a.organization_id, a.criteria ->> 'segment', p_now, p_after, p_until, p_locations),
      case v_part when 'a' then format(' and %s = 0', v_version)
        when 'b' then format(' and %s = 1', v_version)
        when 'not_b' then format(' and %s <> 1', v_version) end);
    return;
  end if;
  source := format('(
      select m.customer_id, max(m.sent_at) as sent_at
      from public.automations previous
      join public.messages m on m.automation_id = previous.id and m.status in (''sent'', ''delivered'')
      where previous.campaign_id = %L and previous.step = %L and m.sent_at <= %L%s%s
      group by m.customer_id
    ) as earlier
    join public.customers c on c.id = earlier.customer_id
    left join public.locations l on l.id = c.location_id',
    a.campaign_id, a.step - 1, p_now - make_interval(days => a.after_days - 1),
    case when p_after is not null then format(' and m.customer_id > %L', p_after) end,
    case when p_until is not null then format(' and m.customer_id <= %L', p_until) end);
  condition := condition || format(
    ' and private.follow_up_at(earlier.sent_at, %L, %L, coalesce(l.timezone, %L)) <= %L
    and not private.booked_since(c.id, earlier.sent_at)', a.after_days,
    (a.criteria ->> 'starts_local')::timestamp, private.zone_of(a.organization_id), p_now);
end
$$;
comment on function private.campaign_audience(public.automations, timestamptz, boolean, uuid, uuid, uuid[]) is
  'To whom a message of a campaign, saved or not, may go at p_now, as an audience_part: members of the segment whom its first message was not planned for, and for a follow-up those who got the step before so many days ago and have booked nothing since.';

create or replace function private.booked_since(p_customer uuid, p_since timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  -- Also a booking that was cancelled: they know of us. A day more for the index, which has local times.
  select exists (
    select 1 from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.created_at >= p_since and r.source <> 'import'
      and r.service_order > (p_since at time zone 'UTC') - interval '1 day'
      and r.service_order at time zone l.timezone >= p_since)
$$;
comment on function private.booked_since(uuid, timestamptz) is
  'Whether the guest has made a booking since then for a service that begins later than that.';

create or replace function private.step_before(a public.automations, p_customer uuid) returns timestamptz
language sql stable set search_path = ''
as $$
  select max(m.sent_at) from public.automations previous
  join public.messages m on m.automation_id = previous.id and m.customer_id = p_customer
    and m.status in ('sent', 'delivered')
  where previous.campaign_id = a.campaign_id and previous.step = a.step - 1
$$;
comment on function private.step_before(public.automations, uuid) is
  'When the guest got the message of a campaign that this one follows; null: none.';

create or replace function private.campaign_starts(c public.campaigns) returns timestamptz
language sql stable set search_path = ''
as $$
  select min(c.starts_local at time zone zones.timezone) from (
    select l.timezone from public.locations l
    where l.organization_id = c.organization_id and (c.location_ids = '{}' or l.id = any(c.location_ids))
    -- Guests without a location.
    union select private.zone_of(c.organization_id) where c.location_ids = '{}') as zones
$$;
comment on function private.campaign_starts(public.campaigns) is
  'When its time comes in the first of its time zones; null: it has none.';
grant execute on function private.version_sql(uuid, bigint, text),
  private.campaign_criteria(public.campaigns, integer, text),
  private.follow_up_at(timestamptz, integer, timestamp, text),
  private.campaign_audience(public.automations, timestamptz, boolean, uuid, uuid, uuid[]),
  private.booked_since(uuid, timestamptz), private.step_before(public.automations, uuid),
  private.campaign_starts(public.campaigns) to service_role;
