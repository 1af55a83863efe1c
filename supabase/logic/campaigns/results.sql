-- What came of a campaign's messages: by version, by link, and guest by guest. Everything is counted from
-- what providers reported of each message; nothing is stored beside it.

create or replace function public.campaign_versions(p_organization uuid, p_campaign uuid,
  p_locations uuid[] default null)
returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan set work_mem = '64MB'
  set jit = off
as $$
declare
  v_ids uuid[] := array(select a.id from public.automations a
    where a.campaign_id = p_campaign and a.organization_id = p_organization);
begin
  return (
    with mine as materialized (
      select m.id, m.customer_id, a.step, a.variant, m.status, m.simulated, m.unsubscribed_at,
        m.complained_at, m.status in ('sent', 'delivered') as is_sent,
        m.status = 'failed' and m.reason in ('bounced', 'soft_bounce') as is_bounced
      from public.messages m join public.automations a on a.id = m.automation_id
      where m.automation_id = any(v_ids) and m.organization_id = p_organization and m.superseded_at is null
        and (p_locations is null or m.location_id = any(p_locations))
    ), firsts as (
      select f.customer_id, min(f.variant) as variant from mine f
      where f.step = 1 and f.customer_id is not null group by f.customer_id
    ), versioned as materialized (
      -- A follow-up has no version of its own: it belongs to the one that its guest got first.
      select m.*, coalesce(f.variant, m.variant) as version
      from mine m left join firsts f on f.customer_id = case when m.step > 1 then m.customer_id end
    ), acts as materialized (
      select v.id, v.version, coalesce(v.customer_id, v.id) as guest, g.link, g.times,
        g.kind = 'click' and g.link <> 'unsubscribe' as is_click
      from versioned v join public.message_engagement g on g.message_id = v.id
      where v.is_sent and g.actor <> 'machine'
    ), engaged as (
      select a.id, bool_or(a.is_click) as clicked from acts a group by a.id
    ), counted as (
      select v.version, count(*) filter (where v.is_sent) as sent,
        count(*) filter (where v.status = 'delivered') as delivered,
        -- A click proves an opening.
        count(e.id) as opened, count(e.id) filter (where e.clicked) as clicked,
        count(v.unsubscribed_at) as unsubscribed, count(v.complained_at) as complained,
        count(*) filter (where v.is_bounced) as bounced,
        count(*) filter (where v.status in ('failed', 'unknown') and v.is_bounced is not true) as failed,
        count(*) filter (where v.is_sent and v.simulated) as simulated
      from versioned v left join engaged e on e.id = v.id group by v.version
    ), links as (
      select k.version, jsonb_agg(jsonb_build_object('url', k.link, 'clicks', k.clicks, 'guests', k.guests)
        order by k.guests desc, k.link) as links
      from (
        select a.version, a.link, sum(a.times) as clicks, count(distinct a.guest) as guests,
          row_number() over (partition by a.version order by count(distinct a.guest) desc, a.link) as place
        from acts a where a.is_click group by a.version, a.link) as k
      where k.place <= 50 group by k.version
    )
    select coalesce(jsonb_agg(jsonb_build_object('variant', a.variant, 'sent', coalesce(c.sent, 0),
      'delivered', coalesce(c.delivered, 0), 'opened', coalesce(c.opened, 0),
      'clicked', coalesce(c.clicked, 0), 'unsubscribed', coalesce(c.unsubscribed, 0),
      'complained', coalesce(c.complained, 0), 'bounced', coalesce(c.bounced, 0),
      'failed', coalesce(c.failed, 0), 'simulated', coalesce(c.simulated, 0),
      'links', coalesce(l.links, '[]')) order by a.variant), '[]')
    from public.automations a
    left join counted c on c.version = a.variant
    left join links l on l.version = a.variant
    where a.id = any(v_ids) and a.step = 1);
end
$$;
comment on function public.campaign_versions(uuid, uuid, uuid[]) is
  'What came of a campaign''s messages to guests of p_locations (or all), by version, follow-ups included: {variant, sent, delivered, opened (not by machines alone), clicked, unsubscribed, complained, bounced, failed (bounced ones apart), simulated, links: [{url, clicks, guests}], the 50 most clicked}.';

create or replace function public.campaign_recipients(p_organization uuid, p_campaign uuid,
  p_outcome text default 'all', p_locations uuid[] default null, p_before timestamptz default null,
  p_before_id uuid default null, p_limit integer default 50)
returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan set jit = off
as $$
begin
  return (
    with page as materialized (
      select w.*, a.step, a.variant
      from public.automations a
      cross join lateral (
        select m.* from public.messages m
        where m.automation_id = a.id and m.organization_id = p_organization and m.superseded_at is null
          and (p_locations is null or m.location_id = any(p_locations))
          and (p_before is null or (m.created_at, m.id) < (p_before, p_before_id))
          and case p_outcome when 'all' then true
            when 'sent' then m.status in ('sent', 'delivered')
            when 'delivered' then m.status = 'delivered'
            when 'opened' then m.status in ('sent', 'delivered') and exists (
              select from public.message_engagement g where g.message_id = m.id and g.actor <> 'machine')
            when 'clicked' then m.status in ('sent', 'delivered') and exists (
              select from public.message_engagement g
              where g.message_id = m.id and g.kind = 'click' and g.actor <> 'machine'
                and g.link <> 'unsubscribe')
            when 'unsubscribed' then m.unsubscribed_at is not null
            when 'complained' then m.complained_at is not null
            when 'bounced' then m.status = 'failed' and m.reason in ('bounced', 'soft_bounce')
            when 'failed' then m.status = 'unknown' or m.status = 'failed'
              and coalesce(m.reason not in ('bounced', 'soft_bounce'), true)
            when 'skipped' then m.status = 'skipped'
            when 'pending' then m.status in ('queued', 'sending')
            when 'simulated' then m.simulated and m.status in ('sent', 'delivered') end
        order by m.created_at desc, m.id desc limit p_limit) as w
      where a.campaign_id = p_campaign and a.organization_id = p_organization
      order by w.created_at desc, w.id desc limit p_limit
    ), told as (
      select p.*, c.id as guest_id, nullif(concat_ws(' ', c.first_name, c.last_name), '') as guest_name,
        -- A follow-up belongs to the version that its guest got first.
        coalesce(case when p.step > 1 then (
          select min(f.variant) from public.messages o join public.automations f on f.id = o.automation_id
          where o.customer_id = p.customer_id and f.campaign_id = p_campaign and f.step = 1) end,
          p.variant) as version,
        p.status in ('sent', 'delivered') as is_sent, e.opened, e.clicked
      from page p
      left join public.customers c on c.id = p.customer_id
      cross join lateral (
        select count(*) > 0 as opened,
          coalesce(bool_or(g.kind = 'click' and g.link <> 'unsubscribe'), false) as clicked
        from public.message_engagement g
        where g.message_id = p.id and g.actor <> 'machine' and p.status in ('sent', 'delivered')) as e
    )
    select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'customer_id', t.guest_id,
      'customer_name', t.guest_name, 'step', t.step, 'variant', t.version, 'channel', t.channel,
      'status', t.status, 'reason', t.reason, 'created_at', t.created_at, 'sent_at', t.sent_at,
      'opened', t.opened, 'clicked', t.clicked, 'unsubscribed', t.unsubscribed_at is not null,
      'outcome', case when t.complained_at is not null then 'complained'
        when t.unsubscribed_at is not null then 'unsubscribed'
        when t.clicked then 'clicked' when t.opened then 'opened'
        when t.is_sent and t.simulated then 'simulated'
        when t.is_sent then t.status
        when t.status = 'failed' and t.reason in ('bounced', 'soft_bounce') then 'bounced'
        when t.status = 'skipped' then 'skipped'
        when t.status in ('queued', 'sending') then 'pending' else 'failed' end)
      order by t.created_at desc, t.id desc), '[]')
    from told t);
end
$$;
comment on function public.campaign_recipients(uuid, uuid, text, uuid[], timestamptz, uuid, integer) is
  'A keyset page of a campaign''s messages to guests of p_locations (or all), the newest first, from behind (p_before, p_before_id): those for which p_outcome is true, by the rules of campaign_versions; all of them with all. Each with its guest and, as its own outcome, the furthest it came.';

create or replace function public.log_recipients_export(p_campaign uuid, p_filters jsonb) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select private.start_export((
      select c.organization_id from public.campaigns c
      where c.id = p_campaign
        and c.organization_id = any(array(select private.my_organizations('canAccessMarketing')))
        and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
        and ((select private.works_everywhere())
          or (c.location_ids <> '{}' and c.location_ids <@ array(select private.my_locations())))),
    'recipients', jsonb_build_object('campaign_id', p_campaign) || p_filters)
$$;
comment on function public.log_recipients_export(uuid, jsonb) is
  'Counts and logs that the caller starts to download the recipients of a campaign that match the filters; returns the id by which end_export ends it. Null when they may not: it takes access to customers, too.';

create or replace function public.campaign_template(p_organization uuid, p_automation uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'template', private.template_of(a) || jsonb_build_object('email_look', private.email_look_of(a)),
    'organization_name', o.name, 'group_language', o.language,
    'location_name', (select l.name from public.locations l
      where l.organization_id = o.id and (a.location_ids = '{}' or l.id = any(a.location_ids))
      order by l.name limit 1),
    'tier', (select t.name from public.loyalty_tiers t where t.organization_id = o.id
      order by t.name limit 1))
  from public.automations a join public.organizations o on o.id = a.organization_id
  where a.id = p_automation and a.organization_id = p_organization
$$;
comment on function public.campaign_template(uuid, uuid) is
  'The template of a campaign''s message with the look it was launched with, and what an example guest needs: {template, organization_name, group_language, location_name, tier}.';
grant execute on function public.campaign_versions(uuid, uuid, uuid[]),
  public.campaign_recipients(uuid, uuid, text, uuid[], timestamptz, uuid, integer),
  public.campaign_template(uuid, uuid) to service_role;
grant execute on function public.log_recipients_export(uuid, jsonb) to authenticated;
