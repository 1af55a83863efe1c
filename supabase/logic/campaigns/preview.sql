-- What a campaign would do now, before it is launched: how many guests it would write to, why not to others,
-- and what one guest would get. Nothing is saved.

create or replace function private.drafted_message(c public.campaigns, p_messages jsonb)
  returns public.automations
language plpgsql stable set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from jsonb_populate_recordset(null::public.automations, p_messages) m
  where m.step = 1 and m.variant = 'a';
  a.id := c.id;
  a.type := 'campaign';
  a.campaign_id := c.id;
  a.organization_id := c.organization_id;
  a.location_ids := c.location_ids;
  a.control_share := c.control_share;
  a.email_look := (select s.email_look from public.automations s
    where s.id = c.id and s.organization_id = c.organization_id);
  a.content_variables := coalesce(a.content_variables, '{}');
  a.criteria := private.campaign_criteria(c, 1, 'a')
    || jsonb_build_object('part', case when c.test_share is null then 'all' else 'not_b' end);
  return a;
end
$$;
comment on function private.drafted_message(public.campaigns, jsonb) is
  'The first message of a campaign, saved or not, as its plan needs it: version a of the messages of a draft, for all guests but those of b.';
grant execute on function private.drafted_message(public.campaigns, jsonb) to service_role;

create or replace function private.why_not_planned(c public.campaigns, p_customer uuid) returns text
language sql stable set search_path = ''
as $$
  select case
    when exists (select from public.messages m join public.automations a on a.id = m.automation_id
      where a.campaign_id = c.id and m.customer_id = p_customer) then 'already_written'
    when c.location_ids <> '{}' and exists (select from public.customers g
      where g.id = p_customer and (g.location_id is null or g.location_id <> all(c.location_ids)))
        then 'other_location'
    else 'not_in_segment' end
$$;
comment on function private.why_not_planned(public.campaigns, uuid) is
  'Why the plan of a campaign does not have a guest: already_written, other_location or not_in_segment.';
grant execute on function private.why_not_planned(public.campaigns, uuid) to service_role;

create or replace function private.previewed_guest(p_organization uuid, p_customer uuid, p_reason text,
  p_channel text, p_not_before timestamptz, p_version integer) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('customer_id', g.id, 'reason', p_reason, 'channel', p_channel,
    'goes_at', case when p_reason is null then p_not_before end,
    'group', case when p_reason = 'control_group' then 'control'
      when p_reason is not null then null
      when p_version = 0 then 'a' when p_version = 1 then 'b' else 'rest' end,
    'facts', private.message_facts(o, g, null, l,
      (select t.name from public.loyalty_tiers t where t.id = g.loyalty_tier_id)))
  from public.customers g
  join public.organizations o on o.id = g.organization_id
  left join public.locations l on l.id = g.location_id
  where g.id = p_customer and g.organization_id = p_organization
$$;
comment on function private.previewed_guest(uuid, uuid, text, text, timestamptz, integer) is
  'What the preview of a campaign shows of one guest: their group, channel, time and facts, or the reason why they get nothing.';
grant execute on function private.previewed_guest(uuid, uuid, text, text, timestamptz, integer)
  to service_role;

create or replace function public.preview_campaign(p_organization uuid, p_fields jsonb,
  p_id uuid default null, p_customer uuid default null, p_now timestamptz default now(),
  p_closed jsonb default '{}', p_locations uuid[] default null)
returns jsonb
-- As preview_of: the guests are compared with sets.
language plpgsql volatile set search_path = '' set work_mem = '64MB' set enable_nestloop = off set jit = off
as $$
declare
  c public.campaigns;
  v_a public.automations;
  v_b public.automations;
  v_plan text;
  v_groups jsonb;
  v_check jsonb;
  v_customer uuid;
  v_row record;
  v_reason text;
  v_zone constant text := private.zone_of(p_organization);
begin
  c := jsonb_populate_record(null::public.campaigns, '{"location_ids": [], "exclude_recent_days": 0}'
    || p_fields);
  c.id := coalesce(p_id, private.id_of_seed(p_organization, p_fields));
  c.organization_id := p_organization;
  v_a := private.drafted_message(c, p_fields -> 'messages');
  v_plan := private.plan_query(v_a, p_now, interval '0', null, p_closed, p_locations => p_locations);
  if c.test_share is not null then
    select * into v_b from jsonb_populate_recordset(null::public.automations, p_fields -> 'messages') m
    where m.step = 1 and m.variant = 'b';
    v_a.channel := v_b.channel;
    v_a.fallback_channel := v_b.fallback_channel;
    v_a.content_sid := v_b.content_sid;
    v_a.criteria := v_a.criteria || '{"part": "b"}';
    v_plan := v_plan || ' union all ' || private.plan_query(v_a, p_now, interval '0', null, p_closed,
      p_locations => p_locations);
  end if;
  -- Grouped: a few rows, however many guests there are.
  execute format('with plan as materialized (%s)
    select (select jsonb_agg(g) from (
      select p.reason, p.channel, p.not_before, p.location_id, %s as version, p.customer_id = %L as asked,
        count(*) as guests, min(p.customer_id::text collate "C") as customer_id
      from plan p group by 1, 2, 3, 4, 5, 6) as g), (%s)', v_plan,
    coalesce(private.version_sql(c.id, c.test_share, 'p.customer_id'), '0'), p_customer,
    private.guests_to_check_sql()) into v_groups, v_check;
  select coalesce(p_customer, g.customer_id) as customer_id, g.channel, g.reason, g.not_before, g.version
    into v_row
  from jsonb_to_recordset(v_groups) as g (customer_id uuid, channel text, reason text, not_before timestamptz,
    version integer, asked boolean)
  where p_customer is null or g.asked order by g.reason is not null, g.customer_id limit 1;
  v_customer := coalesce(p_customer, v_row.customer_id);
  if v_row.customer_id is null and v_customer is not null then
    v_reason := private.why_not_planned(c, v_customer);
  end if;
  return (
    select jsonb_build_object('matched', coalesce(sum(g.guests), 0),
      'to_send', coalesce(sum(g.guests) filter (where g.reason is null), 0),
      'held', coalesce(sum(g.guests) filter (where g.reason is null and g.not_before > greatest(p_now,
        c.starts_local at time zone coalesce(l.timezone, v_zone))), 0),
      'skipped', (select coalesce(jsonb_object_agg(s.reason, s.guests), '{}') from (
        select k.reason, sum(k.guests) as guests
          from jsonb_to_recordset(v_groups) as k (reason text, guests integer)
        where k.reason is not null group by k.reason) as s),
      'variants', jsonb_build_object(
        'a', coalesce(sum(g.guests) filter (where g.reason is null and g.version = 0), 0),
        'b', coalesce(sum(g.guests) filter (where g.reason is null and g.version = 1), 0),
        'rest', coalesce(sum(g.guests) filter (where g.reason is null and g.version > 1), 0)),
      'starts_at', private.campaign_starts(c),
      'asks_again', coalesce(sum(g.guests) filter (where g.reason is null), 0) > private.asks_again_above(),
      'approve_above', (select o.campaign_approve_above from public.organizations o
        where o.id = p_organization),
      'email_look', private.email_look_of(v_a),
      'held_until', min(g.not_before) filter (where g.reason is null and g.not_before > greatest(p_now,
        c.starts_local at time zone coalesce(l.timezone, v_zone))),
      'check', private.guests_to_check(p_organization, v_check))
    from jsonb_to_recordset(v_groups) as g (reason text, not_before timestamptz, location_id uuid,
      version integer, guests integer)
    left join public.locations l on l.id = g.location_id
  ) || jsonb_build_object('guest', private.previewed_guest(p_organization, v_customer,
    coalesce(v_row.reason, v_reason), v_row.channel, v_row.not_before, v_row.version));
end
$$;
comment on function public.preview_campaign(uuid, jsonb, uuid, uuid, timestamptz, jsonb, uuid[]) is
  'What a campaign, saved or not, would do at p_now: counts {matched, to_send, held, skipped, variants, starts_at, asks_again, approve_above, email_look, held_until, check (see guests_to_check)}, and for p_customer (else the first guest) channel, time, group, facts, or the reason why they get nothing.';
grant execute on function public.preview_campaign(uuid, jsonb, uuid, uuid, timestamptz, jsonb, uuid[])
  to service_role;
