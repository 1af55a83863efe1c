-- Campaigns: they write once to the guests of a segment. Each message of a campaign is a row of automations, so that
-- rendering, the outbox, consent, caps, the control group and results are those of automations (docs/campaigns.md).
-- campaign_runs.sql has what happens to them.

create table public.campaigns (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> '') check (length(name) <= 120),
  status text not null default 'draft' check (status in
    ('draft', 'waiting_approval', 'scheduled', 'sending', 'paused', 'finished', 'stopped')),
  reason text check (length(reason) <= 500),
  segment_id uuid references public.segments on delete set null,
  segment_version integer check (segment_version between 1 and 1000000000),
  location_ids uuid[] not null default '{}'
    check (cardinality(location_ids) <= 200 and array_position(location_ids, null) is null
      and coalesce(array_ndims(location_ids), 1) = 1),
  starts_local timestamp check (starts_local >= '2000-01-01' and starts_local < '2200-01-01'),
  exclude_recent_days smallint not null default 0 check (exclude_recent_days between 0 and 365),
  control_share smallint check (control_share between 0 and 50),
  test_share smallint check (test_share between 10 and 100),
  winner_by text check (winner_by in ('visits', 'clicks')),
  test_hours smallint check (test_hours between 1 and 168),
  winner text check (winner in ('a', 'b')),
  winner_reason text check (winner_reason in ('better', 'unclear', 'too_few')),
  guests integer check (guests between 0 and 1000000000),
  created_by uuid,
  created_by_name text check (length(created_by_name) <= 254),
  launched_by uuid,
  launched_by_name text check (length(launched_by_name) <= 254),
  launched_at timestamptz,
  approved_by text check (length(approved_by) <= 254),
  approved_at timestamptz,
  expires_at timestamptz,
  paused_by text check (length(paused_by) <= 254),
  stopped_by text check (length(stopped_by) <= 254),
  started_at timestamptz,
  planned_at timestamptz,
  decided_at timestamptz,
  rest_planned_at timestamptz,
  finished_at timestamptz,
  version integer not null default 1 check (version between 1 and 1000000000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint campaigns_test_check check (num_nonnulls(test_share, winner_by, test_hours) in (0, 3)),
  constraint campaigns_instants_check check (
    least(launched_at, approved_at, expires_at, started_at, planned_at, decided_at, rest_planned_at, finished_at, created_at, updated_at) >= '1900-01-01Z'
    and greatest(launched_at, approved_at, expires_at, started_at, planned_at, decided_at, rest_planned_at, finished_at, created_at, updated_at) < '2200-01-01Z')
);
comment on table public.campaigns is
  'A campaign: its messages go once to the guests whom its segment has when it begins. Only drafts are edited.';
comment on column public.campaigns.reason is
  'Why it is paused or a draft again, or nobody when it finished without a guest; docs/campaigns.md has the words.';
comment on column public.campaigns.segment_id is 'A shared segment. Null after a draft: it was deleted.';
comment on column public.campaigns.segment_version is 'The version of the segment that it was launched or resumed for.';
comment on column public.campaigns.starts_local is
  'The wall-clock time at each guest''s own location; null: as soon as it is launched and approved.';
comment on column public.campaigns.test_share is
  'The per cent of the guests who get version a or b, half each; the remainder gets the winner. Null: no test.';
comment on column public.campaigns.guests is 'To how many it would write when it was launched: what an approval is for. Of a draft: when it was last previewed as it is saved.';
comment on column public.campaigns.created_by_name is 'As the other names of staff here, it outlives the profile.';
comment on column public.campaigns.planned_at is 'Since when its first message is planned to its end (of the test, where there is one).';
comment on column public.campaigns.decided_at is 'When the winner was chosen: messages made since then are no part of the test.';
comment on column public.campaigns.rest_planned_at is 'Since when the winner''s messages to the remainder are planned to their end.';
comment on column public.campaigns.version is 'Grows with each change of the draft: a change of an older one is refused.';

create index campaigns_recent_idx on public.campaigns (organization_id, created_at desc, id desc);
create index campaigns_segment_idx on public.campaigns (segment_id) where segment_id is not null;
create index campaigns_open_idx on public.campaigns (organization_id, status)
  where status in ('waiting_approval', 'scheduled', 'sending', 'paused');

create trigger campaigns_touch before update on public.campaigns
  for each row execute function private.touch_updated_at();

alter table public.campaigns enable row level security;
revoke all on public.campaigns from anon, authenticated;
grant select on public.campaigns to authenticated;
grant select, insert, update, delete on public.campaigns to service_role;

create policy "marketing staff read campaigns" on public.campaigns for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and ((select private.works_everywhere())
      or (location_ids <> '{}' and location_ids <@ array(select private.my_locations()))));

-- The messages of campaigns.
alter table public.automations
  add column campaign_id uuid references public.campaigns on delete cascade,
  add column step smallint check (step between 1 and 5),
  add column variant text check (variant in ('a', 'b')),
  add column after_days smallint check (after_days between 1 and 60),
  add constraint automations_campaign_check check (
    (type = 'campaign') = (campaign_id is not null) and num_nonnulls(campaign_id, step, variant) in (0, 3)
    and (after_days is not null) = (coalesce(step, 1) > 1) and (variant = 'a' or step = 1)
    -- What is kept by campaign, such as the control group, is kept under its first message.
    and (id = campaign_id) = (step = 1 and variant = 'a'));
comment on column public.automations.campaign_id is
  'The campaign whose message this is: also the id of its first message, under which its control group is kept.';
comment on column public.automations.after_days is 'Of a follow-up: so many days after the step before it was sent to the guest.';
create unique index automations_campaign_key on public.automations (campaign_id, step, variant);

create function private.version_sql(p_campaign uuid, p_share bigint, p_customer text) returns text
language sql immutable strict set search_path = ''
as $$
  -- The hash's first 32 bits are a number below 2^32; half the share of it goes to each version.
  select format('((''x'' || left(md5(%L || %s::text), 8))::bit(32)::bigint * 200 / %s)', 'version' || p_campaign, p_customer,
    p_share * 4294967296)
$$;
comment on function private.version_sql(uuid, bigint, text) is
  'Which version of a campaign''s first message a guest gets in its test of p_share per cent, as SQL: 0 is a, 1 is b, more the winner. Independent of the control group''s draw. Null without a test.';

create function private.campaign_criteria(c public.campaigns, p_step integer, p_variant text) returns jsonb
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

create function private.follow_up_at(p_sent timestamptz, p_days integer, p_starts timestamp, p_timezone text)
returns timestamptz
language sql immutable set search_path = ''
as $$
  select case when p_starts is null then p_sent + make_interval(days => p_days)
    else ((p_sent at time zone p_timezone)::date + p_days + p_starts::time) at time zone p_timezone end
$$;
comment on function private.follow_up_at(timestamptz, integer, timestamp, text) is
  'When the follow-up to a message sent at p_sent is due: so many days later at the campaign''s time of day.';

create function private.campaign_audience(a public.automations, p_now timestamptz, p_each boolean, p_after uuid,
  p_until uuid, p_locations uuid[], out source text, out condition text, out reservation boolean, out key text)
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
      case v_part when 'a' then format(' and %s = 0', v_version) when 'b' then format(' and %s = 1', v_version)
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
    ' and private.follow_up_at(earlier.sent_at, %L, %L, coalesce(l.timezone, ''Europe/Madrid'')) <= %L
    and not private.booked_since(c.id, earlier.sent_at)', a.after_days, (a.criteria ->> 'starts_local')::timestamp, p_now);
end
$$;
comment on function private.campaign_audience(public.automations, timestamptz, boolean, uuid, uuid, uuid[]) is
  'To whom a message of a campaign, saved or not, may go at p_now, as an audience_part: members of the segment whom its first message was not planned for, and for a follow-up those who got the step before so many days ago and have booked nothing since.';

create function private.booked_since(p_customer uuid, p_since timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  -- Also a booking that was cancelled: they know of us.
  select exists (
    select 1 from public.reservations r
    where r.customer_id = p_customer and r.created_at >= p_since and r.source <> 'import')
$$;
comment on function private.booked_since(uuid, timestamptz) is 'Whether the guest has booked since then.';

create function private.campaign_starts(c public.campaigns) returns timestamptz
language sql stable set search_path = ''
as $$
  select min(c.starts_local at time zone zones.timezone) from (
    select l.timezone from public.locations l
    where l.organization_id = c.organization_id and (c.location_ids = '{}' or l.id = any(c.location_ids))
    -- Guests without a location.
    union select 'Europe/Madrid' where c.location_ids = '{}') as zones
$$;
comment on function private.campaign_starts(public.campaigns) is
  'When its time comes in the first of its time zones; null: it has none.';

revoke execute on function private.version_sql(uuid, bigint, text), private.campaign_criteria(public.campaigns, integer, text),
  private.follow_up_at(timestamptz, integer, timestamp, text),
  private.campaign_audience(public.automations, timestamptz, boolean, uuid, uuid, uuid[]), private.booked_since(uuid, timestamptz),
  private.campaign_starts(public.campaigns) from public;
grant execute on function private.version_sql(uuid, bigint, text), private.campaign_criteria(public.campaigns, integer, text),
  private.follow_up_at(timestamptz, integer, timestamp, text),
  private.campaign_audience(public.automations, timestamptz, boolean, uuid, uuid, uuid[]), private.booked_since(uuid, timestamptz),
  private.campaign_starts(public.campaigns) to service_role;
