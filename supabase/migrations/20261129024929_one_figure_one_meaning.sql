-- Schema 20261129024929. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

alter table public.customers add column last_visit_on date;
alter table public.customers add constraint customers_last_visit_on_check
  check (last_visit_on between '1899-12-31' and '2200-01-01');
alter table public.loyalty_points add column amount_is_estimate boolean DEFAULT false NOT NULL;
alter table private.service_taps drop constraint service_taps_action_check;
alter table private.service_taps add constraint service_taps_action_check check (
  action in ('arrive', 'seat', 'assign', 'no_show', 'cancel', 'finish', 'set_back', 'walk_in', 'undo'));

-- Policies, comments, rights

COMMENT ON COLUMN public.customers.last_visit_on IS 'The service day of their last visit, as its location counts it; last_visit_at is the moment.';
COMMENT ON COLUMN public.reservations.walk_in IS 'Came without a reservation: staff entered the party in the service, or the PMS sent code 9.';
COMMENT ON COLUMN public.loyalty_points.amount_is_estimate IS 'Nobody rang up or typed the amount: it is party size × the location''s average spend.';

-- >> supabase/logic/assistant/assistant.sql
-- The assistant: the current figures, the read-only queries of the model, and its daily allowance.
-- Definer rights to use the indexes (see service_summary); each function checks its caller's rights itself.

create or replace function private.assistant_upcoming(p_locations uuid[], p_now timestamptz,
  p_reservations boolean, p_customers boolean)
returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    with places as materialized (
      select l.id, l.name, l.timezone, p_now at time zone l.timezone as local_now,
        private.current_service(l.timezone, p_now) as today
      from public.locations l where l.id = any(p_locations)
    ), upcoming as (
      -- Each location's next five by its index, then the first five of all.
      select p.name as location, r.*, r.service_order at time zone p.timezone as instant
      from places p
      cross join lateral (
        select r.id, r.service_order, r.reservation_date, r.reservation_time, r.party_size, r.status,
          r.customer_name, r.notes, r.customer_id
        from public.reservations r
        where r.location_id = p.id and r.service_date >= p.today and r.service_order >= p.local_now
          and r.status in ('pending', 'confirmed') and r.source <> 'import'
        order by r.service_date, r.service_order, r.id limit 5
      ) as r
      order by instant, r.id limit 5
    )
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'date', u.reservation_date, 'time', to_char(u.reservation_time, 'HH24:MI'), 'location', u.location,
      'party_size', u.party_size, 'status', u.status,
      'customer_name', case when p_reservations then left(u.customer_name, 120) end,
      'notes', case when p_reservations then left(u.notes, 300) end,
      'tier', case when p_reservations and p_customers then t.name end
    )) order by u.instant, u.id), '[]')
    from upcoming u
    left join public.customers c on c.id = u.customer_id
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id);
end
$$;
comment on function private.assistant_upcoming(uuid[], timestamptz, boolean, boolean) is
  'The next five reservations of the locations; names and notes with p_reservations, the tier with p_customers besides.';

create or replace function private.assistant_customers(p_organization uuid) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'total', coalesce(sum(counted.customers), 0),
      'without_tier', coalesce(sum(counted.customers) filter (where t.id is null), 0),
      'by_tier', coalesce(jsonb_agg(jsonb_build_object('tier', t.name, 'customers', counted.customers)
        order by t.rank)
        filter (where t.id is not null), '[]'))
    from (
      select k.value as tier, k.customers from private.counts_of(array[p_organization], 'tier') as k
    ) as counted
    left join public.loyalty_tiers t on t.id::text = counted.tier);
end
$$;
comment on function private.assistant_customers(uuid) is 'How many customers there are, by tier and without one.';

create or replace function private.assistant_inactive_vips(p_organization uuid, p_tiers uuid[],
  p_since timestamptz, p_timezone text, p_names boolean) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    with inactive as (
      select c.id, c.total_spend, c.spend_is_estimate, c.last_visit_on, c.loyalty_tier_id
      from public.customers c
      where c.organization_id = p_organization and c.loyalty_tier_id = any(p_tiers)
        and c.last_visit_at <= p_since
    )
    select jsonb_build_object(
      'count', (select count(*) from inactive),
      'since', to_char(p_since at time zone p_timezone, 'YYYY-MM-DD'),
      'biggest_spenders', (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'name', nullif(left(btrim(concat_ws(' ', c.first_name, c.last_name)), 120), ''), 'tier', t.name,
          'last_visit', top.last_visit_on,
          'total_spend_eur', top.total_spend, 'spend_is_estimate', top.spend_is_estimate
        )) order by top.total_spend desc, top.id), '[]')
        from (select * from inactive where p_names order by total_spend desc, id limit 10) as top
        join public.customers c on c.id = top.id
        join public.loyalty_tiers t on t.id = top.loyalty_tier_id)));
end
$$;
comment on function private.assistant_inactive_vips(uuid, uuid[], timestamptz, text, boolean) is
  'How many customers of the tiers have not come since then, and with p_names the ten biggest spenders among them.';

create or replace function public.assistant_context(p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canWorkInOffice') as id);
  v_sees_reservations boolean := exists (select 1 from private.my_organizations('canAccessOperaciones'));
  v_sees_customers boolean := exists (select 1 from private.my_organizations('canAccessClientes'));
  v_locations uuid[] := array(select private.my_locations());
  v_timezone text;
  v_vip_tiers uuid[];
  v_inactive_since timestamptz;
  v_context jsonb;
begin
  p_now := private.clock(p_now);
  if v_organization is null then
    return null;
  end if;
  -- Where most of the caller's locations are.
  select l.timezone into v_timezone from public.locations l where l.id = any(v_locations)
  group by l.timezone order by count(*) desc, l.timezone limit 1;
  v_timezone := coalesce(v_timezone, private.zone_of(v_organization));
  v_inactive_since := ((p_now at time zone v_timezone) - interval '3 months') at time zone v_timezone;
  v_vip_tiers := array(select t.id from public.loyalty_tiers t where t.organization_id = v_organization
    and t.rank >= 3);

  with places as materialized (
    select l.id, l.name, l.timezone, l.average_spend_per_guest as average,
      p_now at time zone l.timezone as local_now, private.current_service(l.timezone, p_now) as today,
      l.pms_id is null as by_hand, l.known_from, l.known_until
    from public.locations l where l.id = any(v_locations)
  ), week as materialized (
    -- Lateral with an offset: a planner that misjudges the dates would read the whole table instead of the
    -- index.
    select p.id as location_id, r.service_date = p.today as is_today, r.status, r.party_size, r.customer_id,
      r.status not in ('cancelled', 'no_show') as expected,
      coalesce(r.total_amount, r.party_size * p.average, 0) as amount
    from places p
    cross join lateral (select p.today - (extract(isodow from p.today)::integer - 1) as monday) as calendar
    cross join lateral (
      select r.* from public.reservations r
      where r.location_id = p.id and r.service_date between calendar.monday and calendar.monday + 6
        and r.source <> 'import'
      offset 0
    ) as r
  )
  select jsonb_build_object(
    'now', to_char(p_now at time zone v_timezone, 'YYYY-MM-DD HH24:MI'),
    'timezone', v_timezone,
    'locations', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', p.name, 'timezone', p.timezone, 'local_time', to_char(p.local_now, 'YYYY-MM-DD HH24:MI'),
        'service_date', p.today, 'reservations_today', coalesce(t.reservations, known.nothing),
        'covers_today', coalesce(t.covers, known.nothing), 'known_until',
        case when p.by_hand then 'always' else p.known_until::text end
      ) order by p.name), '[]')
      from places p
      left join (
        select w.location_id, count(*) as reservations, sum(w.party_size) as covers
        from week w where w.is_today and w.expected group by w.location_id
      ) as t on t.location_id = p.id
      -- No reservations mean 0 only for fetched days, else unknown.
      cross join lateral (
        select case when p.by_hand or p.today between p.known_from and p.known_until then 0 end as nothing)
          as known),
    'today', (
      select jsonb_build_object(
        'total', count(*) filter (where w.expected),
        'confirmed', count(*) filter (where w.status = 'confirmed'),
        'pending', count(*) filter (where w.status = 'pending'),
        'vip', count(*) filter (where w.expected and (
          select c.loyalty_tier_id from public.customers c where c.id = w.customer_id) = any(v_vip_tiers)),
        'seated', count(*) filter (where w.status = 'seated'),
        'completed', count(*) filter (where w.status = 'completed'),
        'cancelled', count(*) filter (where w.status = 'cancelled'),
        'no_show', count(*) filter (where w.status = 'no_show'),
        'covers', coalesce(sum(w.party_size) filter (where w.expected), 0))
      from week w where w.is_today),
    'week', (
      select jsonb_build_object('reservations', count(*), 'covers', coalesce(sum(w.party_size), 0),
        'estimated_revenue_eur', coalesce(sum(w.amount), 0)::numeric(14, 2))
      from week w where w.expected),
    'upcoming', private.assistant_upcoming(v_locations, p_now, v_sees_reservations, v_sees_customers),
    'customers', private.assistant_customers(v_organization),
    'inactive_vips', private.assistant_inactive_vips(v_organization, v_vip_tiers, v_inactive_since,
      v_timezone, v_sees_customers)
  ) into v_context;
  return v_context;
end
$$;
comment on function public.assistant_context(timestamptz) is
  'Figures of the caller''s locations and organization at p_now, in local service days and weeks from Monday. Names and notes only for callers who may read them; VIP is tier rank 3 and above. Null without a profile.';

create or replace function public.revenue_by_location(p_from date, p_to date)
returns table (location_id uuid, location text, reservations bigint, covers bigint, visits bigint,
  revenue numeric, estimated numeric)
language sql stable security definer set search_path = ''
as $$
  select l.id, l.name, total.reservations, total.covers, total.visits, total.revenue, total.estimated
  from public.locations l
  cross join lateral (
    select count(*) as reservations, coalesce(sum(r.party_size), 0) as covers,
      count(*) filter (where r.visited) as visits,
      coalesce(sum(coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0))
        filter (where r.visited), 0)
        ::numeric(20, 2) as revenue,
      coalesce(sum(r.party_size * l.average_spend_per_guest)
        filter (where r.visited and r.total_amount is null), 0)
        ::numeric(20, 2) as estimated
    from public.reservations r
    where r.location_id = l.id and r.service_date between p_from and p_to
      and r.status not in ('cancelled', 'no_show') and r.source <> 'import'
  ) as total
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and exists (select 1 from private.my_organizations('canWorkInOffice'))
  order by total.revenue desc, l.name
$$;
comment on function public.revenue_by_location(date, date) is
  'Service days p_from to p_to, both included, by location of the caller: reservations and covers that were not lost, visits, and the visits'' revenue in EUR, of which estimated is guests × average spend.';

create or replace function public.automation_results(p_since timestamptz)
returns table (automation_id uuid, name text, type text, channel text, status text, runs integer,
  last_run_at timestamptz, sent integer, delivered integer, simulated integer, failed integer,
  skipped integer)
language sql stable security definer set search_path = ''
as $$
  select a.id, a.name, a.type, a.channel, a.status, ran.runs, ran.last_run_at, m.sent, m.delivered,
    m.simulated, m.failed, m.skipped
  from public.automations a
  cross join lateral (
    select count(*)::integer as runs, max(r.started_at) as last_run_at
    from public.automation_runs r where r.automation_id = a.id and r.started_at >= p_since
  ) as ran
  cross join lateral (
    select (count(*) filter (where m.status in ('sent', 'delivered')))::integer as sent,
      (count(*) filter (where m.status = 'delivered'))::integer as delivered,
      (count(*) filter (where m.status in ('sent', 'delivered') and m.simulated))::integer as simulated,
      (count(*) filter (where m.status = 'failed'))::integer as failed,
      (count(*) filter (where m.status = 'skipped'))::integer as skipped
    from public.messages m
    where m.automation_id = a.id and m.created_at >= p_since and m.kind <> 'notification'
      and m.superseded_at is null
  ) as m
  where a.organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and a.deleted_at is null
    and a.type <> 'campaign' and private.covers(a.location_ids)
  order by a.name, a.id
  limit 200
$$;
comment on function public.automation_results(timestamptz) is
  'The caller''s automations with their runs and messages since p_since; sent includes delivered, and those simulated by the sandbox.';

create or replace function public.reserve_ai(p_organization uuid, p_person uuid, p_calls integer,
  p_tokens integer, p_now timestamptz default now()) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  o public.organizations;
  v_zone text := private.zone_of(p_organization);
  v_day date := (p_now at time zone v_zone)::date;
  v_all record;
begin
  -- One reservation at a time, so that it sees the rest that others left.
  select * into o from public.organizations where id = p_organization for no key update;
  if o.id is null then
    raise exception 'unknown organization' using errcode = '22023';
  end if;
  select coalesce(sum(u.calls), 0) + p_calls as calls, coalesce(sum(u.tokens), 0) + p_tokens as tokens,
    coalesce(sum(u.calls) filter (where u.person = p_person), 0) + p_calls as own_calls,
    coalesce(sum(u.tokens) filter (where u.person = p_person), 0) + p_tokens as own_tokens
  into v_all from public.ai_usage u where u.organization_id = p_organization and u.day = v_day;
  if v_all.calls > o.ai_daily_calls or v_all.own_calls > o.ai_daily_calls_per_person
    or v_all.tokens > o.ai_daily_tokens or v_all.own_tokens > o.ai_daily_tokens_per_person then
    return jsonb_build_object('day', v_day, 'wait', greatest(1,
      ceil(extract(epoch from (v_day + 1)::timestamp at time zone v_zone - p_now))));
  end if;
  insert into public.ai_usage as u (organization_id, day, person, calls, tokens)
  values (p_organization, v_day, p_person, p_calls, p_tokens)
  on conflict (organization_id, day, person)
  do update set calls = u.calls + excluded.calls, tokens = u.tokens + excluded.tokens;
  return jsonb_build_object('day', v_day, 'wait', 0);
end
$$;
comment on function public.reserve_ai(uuid, uuid, integer, integer, timestamptz) is
  'Takes calls and tokens from the day''s allowance of the person and the organization: {day, wait}. wait 0: taken; else not taken, and the seconds until the organization''s day ends.';

create or replace function public.settle_ai(p_organization uuid, p_person uuid, p_day date,
  p_reserved integer, p_used integer)
returns void
language sql volatile set search_path = ''
as $$
  update public.ai_usage set tokens = greatest(0, tokens - p_reserved + p_used)
  where organization_id = p_organization and day = p_day and person = p_person
$$;
comment on function public.settle_ai(uuid, uuid, date, integer, integer) is
  'Replaces the reserved tokens of a call with its real use.';

create or replace function public.ai_use_today(p_now timestamptz default now()) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('calls', coalesce(sum(u.calls), 0), 'tokens', coalesce(sum(u.tokens), 0))
  from public.organizations o
  left join public.ai_usage u on u.organization_id = o.id
    and u.day = ((select private.clock(p_now)) at time zone o.timezone)::date
$$;
comment on function public.ai_use_today(timestamptz) is
  'Today''s use of the assistant that the caller may see: {calls, tokens}, of all people for callers who see the settings, else the caller''s own.';
grant execute on function public.assistant_context(timestamptz), public.revenue_by_location(date, date),
  public.automation_results(timestamptz), public.ai_use_today(timestamptz) to authenticated;
grant execute on function public.reserve_ai(uuid, uuid, integer, integer, timestamptz),
  public.settle_ai(uuid, uuid, date, integer, integer) to service_role;
-- << supabase/logic/assistant/assistant.sql

-- >> supabase/logic/automations/pages.sql
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
      '{"status": "inactive", "body": "", "content_variables": {},
      "criteria": {}, "location_ids": [], "tags": [], "tier_ids": [], "control_share": 0}' || p_fields);
    return query insert into public.automations (organization_id, name, type, channel, fallback_channel,
      status, subject, body, content_sid, content_variables, email_design, criteria, location_ids, tags,
      tier_ids, control_share)
    values (p_organization, v.name, v.type, v.channel, v.fallback_channel, v.status, v.subject, v.body,
      v.content_sid, v.content_variables, v.email_design, v.criteria, v.location_ids, v.tags, v.tier_ids,
      v.control_share)
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
    criteria = v.criteria, location_ids = v.location_ids, tags = v.tags, tier_ids = v.tier_ids,
    control_share = v.control_share, deleted_at = v.deleted_at
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
-- << supabase/logic/automations/pages.sql

-- >> supabase/logic/campaigns/audience.sql
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
-- << supabase/logic/campaigns/audience.sql

-- >> supabase/logic/campaigns/winner.sql
-- The test of two versions of a first message: its end, its figures and its winner.

create or replace function private.test_ends(c public.campaigns) returns timestamptz
language sql stable set search_path = ''
as $$
  select coalesce(c.decided_at, case when c.planned_at is not null and not exists (
      select from public.automations a join public.automation_runs run on run.automation_id = a.id
      where a.campaign_id = c.id and a.step = 1 and run.processed > run.sent + run.skipped + run.failed)
    then make_interval(hours => c.test_hours) + greatest(c.planned_at, (
      select max(m.sent_at) from public.automations a join public.messages m on m.automation_id = a.id
      where a.campaign_id = c.id and a.step = 1)) end)
$$;
comment on function private.test_ends(public.campaigns) is
  'When the winner of a campaign''s test is chosen: test_hours after the last of its messages was sent. Null while some are still queued.';
grant execute on function private.test_ends(public.campaigns) to service_role;

create or replace function public.campaign_score(p_organization uuid, p_campaign uuid,
  p_locations uuid[] default null) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  c public.campaigns;
  v_ids uuid[];
  v_first timestamptz;
  v_last timestamptz;
  v_by_guest boolean;
begin
  select * into c from public.campaigns p where p.id = p_campaign and p.organization_id = p_organization;
  if c.test_share is not null then
    v_ids := array(select a.id from public.automations a where a.campaign_id = c.id and a.step = 1);
  end if;
  select min(m.sent_at), max(m.sent_at), private.by_guest(count(*)) into v_first, v_last, v_by_guest
  from public.messages m
  where m.automation_id = any(v_ids) and m.status in ('sent', 'delivered');
  return jsonb_build_object('decides_at', private.test_ends(c), 'winner_by', c.winner_by, 'versions', (
    with sent as materialized (
      select m.automation_id, m.customer_id, min(m.sent_at) as sent_at from public.messages m
      where m.automation_id = any(v_ids) and m.status in ('sent', 'delivered') and m.customer_id is not null
        and m.created_at < coalesce(c.decided_at, 'infinity')
      group by m.automation_id, m.customer_id
    ), booked as (
      select s.automation_id, count(distinct s.customer_id) as guests
      from sent s join public.reservations r on r.customer_id = s.customer_id
        and r.created_at >= s.sent_at and r.created_at < s.sent_at + interval '30 days'
        and (v_by_guest or r.organization_id = p_organization
          and r.created_at >= v_first and r.created_at < v_last + interval '30 days')
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
        and (p_locations is null or r.location_id = any(p_locations))
      join public.locations l on l.id = r.location_id
        and r.service_order at time zone l.timezone >= s.sent_at
      group by s.automation_id
    ), versions as (
      select a.id, a.variant, 'email' in (a.channel, a.fallback_channel) as by_email,
        count(s.customer_id) as guests, count(k.customer_id) as clicked
      from public.automations a
      left join sent s on s.automation_id = a.id
      left join private.clicked_of(v_ids) as k on k.automation_id = a.id and k.customer_id = s.customer_id
      where a.id = any(v_ids)
      group by a.id
    )
    select coalesce(jsonb_agg(jsonb_build_object('variant', v.variant, 'guests', v.guests,
      'booked', coalesce(b.guests, 0),
      -- Only e-mails report clicks.
      'clicked', case when v.by_email then v.clicked end) order by v.variant), '[]')
    from versions v left join booked b on b.automation_id = v.id));
end
$$;
comment on function public.campaign_score(uuid, uuid, uuid[]) is
  'The test of a campaign: of each version the guests written to, who of them booked within 30 days for a service after it (at p_locations, or all) and who clicked: {decides_at (see test_ends), winner_by, versions: [{variant, guests, booked, clicked}]}. clicked is null without an e-mail.';
grant execute on function public.campaign_score(uuid, uuid, uuid[]) to service_role;

create or replace function public.choose_winner(p_organization uuid, p_campaign uuid,
  p_winner text default null, p_reason text default null, p_now timestamptz default now())
returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  update public.campaigns set winner = p_winner, winner_reason = p_reason, decided_at = p_now
  where id = p_campaign and organization_id = p_organization and status = 'sending' and decided_at is null
    -- Otherwise the remainder waits for the winner.
    and (p_winner is not null or test_share = 100);
  return found;
end
$$;
comment on function public.choose_winner(uuid, uuid, text, text, timestamptz) is
  'Ends the test of a campaign that is sending, without a winner only where all guests are in it; false when it has ended already, or cannot.';
grant execute on function public.choose_winner(uuid, uuid, text, text, timestamptz) to service_role;
-- << supabase/logic/campaigns/winner.sql

-- >> supabase/logic/customers/changes.sql
-- Creating and changing customers. Tables stay read-only to people; these functions run with their owner's
-- rights and check who calls. Each leaves a line in audit_log.

-- The plan is kept, as that of consents_json is.
create or replace function private.customers_json(p_customers public.customers[]) returns setof jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select (to_jsonb(c) - array['organization_id', 'updated_at', 'sort_name', 'sort_visit', 'search_text',
    'birth_day',
      'email_key', 'loyalty_tier_id', 'consents', 'ordinality'])
    || jsonb_build_object(
      'loyalty_tier', case when t.id is not null then jsonb_build_object('id', t.id, 'name', t.name) end,
      'consent', held.consent, 'allergies', coalesce(a.codes, '[]'))
  from unnest(p_customers) with ordinality as c
  join private.consents_json(p_customers) as held on held.customer_id = c.id
  left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
  left join private.allergy_codes(array(select one.id from unnest(p_customers) as one)) as a
    on a.customer_id = c.id
  order by c.ordinality;
end
$$;
comment on function private.customers_json(public.customers[]) is
  'Each of the customers as the API gives it, in their order.';

create or replace function private.customer_json(p_customer public.customers) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (select shown.customer from private.customers_json(array[p_customer]) as shown (customer));
end
$$;
comment on function private.customer_json(public.customers) is 'A customer as the API gives it.';

create or replace function private.customer_fields() returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array['email', 'phone', 'first_name', 'last_name', 'birth_date', 'company', 'job_title', 'address',
    'postal_code', 'tags', 'notes', 'location_id']
$$;
comment on function private.customer_fields() is
  'The columns of customers that people edit, the GUEST_FIELDS of lib/customers/guest-fields.ts: what save_customer takes and an export shows. A file brings all but the location. A merge chooses from them (all but the tags) and from the WhatsApp id.';

create or replace function private.write_customer_fields(p_next public.customers[],
  p_also text[] default '{}') returns void
language plpgsql volatile set search_path = ''
as $$
begin
  execute (
    select format('update public.customers c set (%1$s) = row(%2$s) from unnest($1) as n where c.id = n.id',
      string_agg(quote_ident(f), ', '), string_agg(format('n.%I', f), ', '))
    from unnest(private.customer_fields() || p_also) as f)
  using p_next;
end
$$;
comment on function private.write_customer_fields(public.customers[], text[]) is
  'Writes the columns of customer_fields, and p_also, to the customers with these ids, and no other column.';
grant execute on function private.customer_fields(), private.write_customer_fields(public.customers[], text[])
  to service_role;

create or replace function private.checked_column(p_table text, p_constraint text) returns text
language sql stable set search_path = ''
as $$
  select a.attname::text from pg_catalog.pg_constraint k
  join pg_catalog.pg_class t on t.oid = k.conrelid
  join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.connamespace = 'public'::regnamespace and t.relname = p_table and k.conname = p_constraint
$$;
comment on function private.checked_column(text, text) is
  'The column that a check of a table is about, the first where there are several: to name the field whose value was refused.';

create or replace function public.save_customer(p_fields jsonb, p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_editable constant text[] := private.customer_fields();
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_wishes constant jsonb := p_fields -> 'consent';
  v_old public.customers;
  v_next public.customers;
  v_changed text[];
  v_obstacle jsonb;
  v_edited jsonb;
  v_check text;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  perform private.lock_identities(v_organization);
  if p_id is not null then
    select * into v_old from public.customers where id = p_id and organization_id = v_organization for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v_next := jsonb_populate_record(v_old, v_fields);
  v_next.tags := coalesce(v_next.tags, '{}');
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded')),
      to_jsonb(v_old), to_jsonb(v_next), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  select array_agg(n.key order by n.key) into v_changed from jsonb_each(to_jsonb(v_next)) as n
  where n.key = any(v_editable) and n.value is distinct from to_jsonb(v_old) -> n.key;
  if p_id is not null and v_changed is null and v_wishes is null then
    return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_old));
  end if;
  if coalesce(v_next.email, v_next.phone, v_next.first_name, v_next.last_name) is null then
    return jsonb_build_object('outcome', 'nameless');
  end if;
  if v_next.location_id is distinct from v_old.location_id and v_next.location_id is not null and not exists (
    select 1 from public.locations l where l.id = v_next.location_id
      and l.id = any(array(select private.my_locations()))
  ) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  -- Else they could make guests of other locations their own, to write to or to erase.
  if v_next.location_id is distinct from v_old.location_id
    and v_old.location_id <> all(array(select private.my_locations())) then
    return jsonb_build_object('outcome', 'foreign_location');
  end if;
  v_next.organization_id := v_organization;
  v_obstacle := private.consent_obstacle(v_next, v_wishes);
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  begin
    if p_id is null then
      insert into public.customers (organization_id, source) values (v_organization, 'Manual')
        returning id into v_next.id;
    end if;
    if p_id is null or v_changed is not null then
      perform private.write_customer_fields(array[v_next]);
      perform private.suggest_for(v_next.id);
    end if;
  exception
    when unique_violation then return jsonb_build_object('outcome', 'duplicate_email');
    when check_violation then
      get stacked diagnostics v_check = constraint_name;
      return jsonb_build_object('outcome', 'malformed', 'field',
        private.checked_column('customers', v_check));
  end;
  -- An e-mail that a customer now uses is no longer another one's alias.
  delete from public.customer_aliases a where a.organization_id = v_organization and a.email = v_next.email;
  if p_id is not null then
    perform private.keep_name(v_old, p_id);
  end if;
  if p_id is null or v_changed is not null then
    perform private.audit(v_organization,
      case when p_id is null then 'customer.created' else 'customer.changed' end,
      v_next.id, case when p_id is null then '{}' else jsonb_build_object('fields', to_jsonb(v_changed)) end);
  end if;
  -- Someone who opted out at an address stays opted out when the address is corrected.
  perform private.carry_opt_outs(v_organization, array[v_old.email], v_next.email);
  perform private.carry_opt_outs(v_organization, array[v_old.phone], v_next.phone);
  perform private.record_consent(v_next.id, v_wishes);
  select * into v_next from public.customers where id = v_next.id;
  return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_next));
end
$$;
comment on function public.save_customer(jsonb, uuid) is
  'Creates a customer, or changes the fields given: outcome saved (with customer), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), nameless, unknown_location, foreign_location (of the customer: the caller does not work in their usual one), duplicate_email, malformed (with its field: a check of the table refuses it), forbidden, or for a consent (with its channel) no_address_for or address_refused.';
grant execute on function public.save_customer(jsonb, uuid) to authenticated;
-- << supabase/logic/customers/changes.sql

-- >> supabase/logic/customers/export.sql
-- The customers' list as a file: pages of the list with what the file shows of each customer, and nothing
-- that costs a look at their visits.

create or replace function public.export_customers(
  p_export uuid, p_filters jsonb default '{}', p_sort text default 'recent', p_after_key text default null,
  p_after_id uuid default null,
  p_limit integer default 2000, p_now timestamptz default now())
returns json
-- To compile the query of a page takes longer than to run it.
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set jit = off
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_column text := case p_sort when 'recent' then 'sort_visit' when 'name' then 'sort_name'
    when 'spend' then 'total_spend' when 'visits' then 'total_visits' end;
  v_type text := case p_sort when 'recent' then 'timestamptz' when 'name' then 'text'
    when 'spend' then 'numeric' when 'visits' then 'integer' end;
  v_zone text := private.zone_of(v_organization);
  v_where text;
  v_names json;
  v_values text;
  v_page json;
begin
  p_now := private.clock(p_now);
  perform private.refuse_unknown_export(p_export, 'customers', p_filters);
  if v_column is null then
    raise exception 'unknown sort "%"', p_sort using errcode = '22023';
  end if;
  v_where := private.customers_where(v_organization, p_filters, p_now);
  if p_after_id is not null then
    v_where := v_where || format(' and (c.%I, c.id) %s ($3::%s, $4)',
      v_column, case when p_sort = 'name' then '>' else '<' end, v_type);
  end if;
  -- A page names its columns once: with every value, the names would be most of the page.
  select json_agg(c.name order by c.place), string_agg(c.value, ', ' order by c.place) into v_names, v_values
  from (
    select f.name, format('c.%I', f.name) as value, f.place
    from unnest(private.customer_fields()) with ordinality as f (name, place)
    union all
    select d.name, d.value, 100 + d.place from (values
      (1, 'tier', '(select t.name from public.loyalty_tiers t where t.id = c.loyalty_tier_id)'),
      (2, 'visits', 'c.total_visits'), (3, 'spend', 'c.total_spend'),
      (4, 'spend_is_estimate', 'c.spend_is_estimate'), (5, 'points', 'c.points'),
      (6, 'last_visit', 'c.last_visit_on'), (7, 'source', 'c.source'),
      (8, 'created', format('(c.created_at at time zone %L)::date', v_zone))) as d (place, name, value)
    union all
    -- Most have visited and have nothing on record: they need no call of the function.
    select 'consent_' || w.channel,
      format($sql$case when exists (select 1 from public.suppressions s where s.organization_id = $1
          and s.channel = %1$L and s.address in (%2$s)) then 'opted_out'
        when c.consents = '{}' and c.total_visits > 0 then 'existing_customer'
        else private.consent_basis(c.consents, c.total_visits, %1$L) end$sql$, w.channel, w.addresses),
      200 + w.place
    from (values (1, 'email', 'c.email'), (2, 'sms', 'c.phone'),
      (3, 'whatsapp', 'coalesce(c.phone, c.whatsapp_id), c.whatsapp_id')) as w (place, channel, addresses)
  ) as c;
  -- The rows come in the order of the page, so that their lists need no sorting.
  execute format($sql$
    select json_build_object('columns', $6, 'rows', coalesce(json_agg(json_build_array(%4$s)), '[]'),
      'next', case when count(*) = $5 then json_build_object(
        'key', (array_agg(c.%1$I))[$5]::text, 'id', (array_agg(c.id))[$5]) end)
    from (select * from public.customers c where c.organization_id = $1 %3$s
      order by c.%1$I %2$s, c.id %2$s limit $5) as c$sql$,
    v_column, case when p_sort = 'name' then 'asc' else 'desc' end, v_where, v_values)
  into v_page using v_organization, p_filters, p_after_key, p_after_id, greatest(least(p_limit, 5000), 1),
    v_names;
  return v_page;
end
$$;
comment on function public.export_customers(uuid, jsonb, text, text, uuid, integer, timestamptz) is
  'A keyset page of the caller''s customers for the file of a download that log_customers_export started with the same filters: {columns, rows, next: {key, id} or null}. columns names the values of each row: those of private.customer_fields, tier, visits, spend, spend_is_estimate, points, last_visit, source, created, consent_email, consent_sms, consent_whatsapp (a basis or opted_out). Sort and filters as list_customers.';
grant execute on function public.export_customers(uuid, jsonb, text, text, uuid, integer, timestamptz)
  to authenticated;
-- << supabase/logic/customers/export.sql

-- >> supabase/logic/customers/facts.sql
-- Facts about customers, as codes with a word in every language: allergies, diets and
-- preferences (listed in lib/customers/fact-codes.ts). Staff record them; notes only lead to suggestions.

create or replace function private.may_use_card(p_customer uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
      select from public.customers c
      where c.id = p_customer
        and c.organization_id = any(array(select private.my_organizations('canAccessClientes'))))
    or exists (
      select from public.reservations r
      where r.customer_id = p_customer
        and r.location_id = any(array(select private.my_locations('canUseGuestCards'))))
$$;
comment on function private.may_use_card(uuid) is
  'Whether the caller may read a customer, or use the card of a guest: someone with a reservation in the caller''s locations.';

create or replace function public.guest_card(p_customer uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', c.id, 'name', nullif(concat_ws(' ', c.first_name, c.last_name), ''),
    'tier', t.name, 'tags', to_jsonb(c.tags), 'notes', nullif(btrim(c.notes), ''),
    'facts', coalesce((
      select jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note))
      from public.customer_facts f where f.customer_id = c.id), '[]'),
    'booking_notes', coalesce((
      select jsonb_agg(r.notes) from (
        select r.notes from public.reservations r
        where r.customer_id = c.id and r.source <> 'import'
          and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
        order by r.service_order desc, r.id desc limit 20) as r
      where btrim(r.notes) <> ''), '[]'))
  from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
  where c.id = p_customer and private.may_use_card(c.id)
$$;
comment on function public.guest_card(uuid) is
  'The guest''s card for floor staff, without addresses and spend, with the notes of the latest 20 reservations that the caller may read; null without the right.';

create or replace function private.allergies_of(p_customers uuid[])
  returns table (customer_id uuid, organization_id uuid, code text, note text)
language sql stable set search_path = ''
as $$
  select f.customer_id, f.organization_id, f.code, f.note from public.customer_facts f
  where f.kind = 'allergy' and f.customer_id = any(p_customers)
$$;
comment on function private.allergies_of(uuid[]) is
  'The recorded allergies of these customers, for whoever may see one of their bookings: {customer_id, organization_id, code, note}.';

create or replace function private.allergy_codes(p_customers uuid[])
  returns table (customer_id uuid, codes jsonb)
language sql stable set search_path = ''
as $$
  select a.customer_id, jsonb_agg(a.code order by a.code) from private.allergies_of(p_customers) a
  group by a.customer_id
$$;
comment on function private.allergy_codes(uuid[]) is
  'The codes of the recorded allergies of these customers, as `allergies` has them in the API; no row for who has none.';

-- The few who have an allergy are looked at, not all who were asked about.
create or replace function public.guest_allergies(p_customers uuid[])
  returns table (customer_id uuid, code text, note text)
language sql stable security definer set search_path = ''
as $$
  with mine as materialized (
    select array(select private.my_organizations('canAccessClientes')) as organizations,
      array(select private.my_locations('canAccessOperaciones')) as locations
  ), known as materialized (
    select a.* from private.allergies_of(p_customers[1:500]) a
  ), guests as materialized (
    select distinct k.customer_id, k.organization_id from known k
  ), seen as materialized (
    select g.customer_id from guests g cross join mine m
    where g.organization_id = any(m.organizations)
      or exists (
        select from public.reservations r
        where r.customer_id = g.customer_id and r.location_id = any(m.locations))
  )
  select k.customer_id, k.code, k.note from known k join seen s on s.customer_id = k.customer_id
  order by k.customer_id, k.code
$$;
comment on function public.guest_allergies(uuid[]) is
  'The recorded allergies of the guests, at most 500, whom the caller may read or who have a booking that the caller may see: {customer_id, code, note}.';

create or replace function public.save_guest_notes(p_customer uuid, p_notes text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_old public.customers;
begin
  select * into v_old from public.customers c
    where c.id = p_customer and private.may_use_card(c.id) for no key update;
  if v_old.id is null then
    return 'not_found';
  elsif v_old.notes is distinct from nullif(btrim(p_notes), '') then
    update public.customers set notes = nullif(btrim(p_notes), '') where id = p_customer;
    perform private.audit(v_old.organization_id, 'customer.changed', p_customer, '{"fields": ["notes"]}');
  end if;
  return 'saved';
end
$$;
comment on function public.save_guest_notes(uuid, text) is
  'Changes the notes of a guest whose card the caller may use: saved or not_found.';

create or replace function public.save_customer_facts(p_customer uuid, p_facts jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid;
  v_changed integer;
begin
  select organization_id into v_organization from public.customers
  where id = p_customer and private.may_use_card(id) for no key update;
  if v_organization is null then
    return 'not_found';
  end if;
  with given as (
    select distinct on (f.code) f.code, f.kind, nullif(btrim(f.note), '') as note
    from jsonb_to_recordset(p_facts) as f (code text, kind text, note text)
    order by f.code
  ), gone as (
    delete from public.customer_facts k
    where k.customer_id = p_customer and not exists (select from given g where g.code = k.code)
    returning 1
  ), kept as (
    insert into public.customer_facts as k (organization_id, customer_id, code, kind, note, recorded_by)
    select v_organization, p_customer, g.code, g.kind, g.note, private.caller_name() from given g
    on conflict (customer_id, code) do update
      set kind = excluded.kind, note = excluded.note, recorded_by = excluded.recorded_by, recorded_at = now()
      where (k.kind, k.note) is distinct from (excluded.kind, excluded.note)
    returning 1
  )
  select (select count(*) from gone) + (select count(*) from kept) into v_changed;
  if v_changed > 0 then
    perform private.audit(v_organization, 'customer.changed', p_customer, '{"fields": ["facts"]}');
  end if;
  return 'saved';
end
$$;
comment on function public.save_customer_facts(uuid, jsonb) is
  'Replaces the facts of a customer, [{code, kind, note}]: saved or not_found. Unchanged facts keep their author and time.';
grant execute on function public.guest_card(uuid), public.guest_allergies(uuid[]),
  public.save_guest_notes(uuid, text), public.save_customer_facts(uuid, jsonb) to authenticated;
-- << supabase/logic/customers/facts.sql

-- >> supabase/logic/identity/matches.sql
-- Asking the model before a guest is made: who is certainly here already, who may be, and which pairs a new
-- guest makes.

create or replace function private.certain_matches(p_organization uuid, p_people jsonb)
returns table (place integer, customer_id uuid)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  v_weights constant real[] := private.weights_of(p_organization);
  v_prior constant real := private.prior_bits(p_organization);
  v_likely constant real := private.likely_from(p_organization);
  v_certain constant real := private.certain_from(p_organization);
  -- A key of more guests than these is an office's or a concierge's.
  v_most constant integer := 8;
  v_compared constant integer := 1000;
begin
  return query
  with people as materialized (
    select e.place::integer as place, e.person, e.person ->> 'customer_id' as known,
      e.person ? 'known' as is_known, e.person ->> 'phone' as phone,
      private.mailbox_key(e.person ->> 'email') as mailbox, (e.person ->> 'birth_date')::date as birth_date,
      private.fold(coalesce(e.person ->> 'last_name', '') || ' '
        || coalesce(e.person ->> 'first_name', '')) as sort_name,
      split_part(btrim(private.fold(e.person ->> 'first_name')), ' ', 1) as given,
      private.name_key(coalesce(e.person ->> 'first_name', '') || ' '
        || coalesce(e.person ->> 'last_name', '')) as name_key
    from jsonb_array_elements(p_people) with ordinality as e (person, place)
  ), asked as materialized (
    select p.* from people p where not p.is_known and p.name_key <> ''
  ), holders as materialized (
    -- Who has a phone, a mailbox, or name and day of birth: asked at once for the whole batch. Asked for each
    -- person, with a limit, statistics of other times make each question read all guests.
    select h.* from (
      select k.*, row_number() over (partition by k.phone, k.mailbox, k.birth_date,
        case when k.birth_date is not null then k.sort_name end) as nth
      from (
        select c.phone, null::text as mailbox, null::date as birth_date, c.sort_name, c.id
        from public.customers c
        where c.organization_id = p_organization and c.phone = any(array(select a.phone from asked a))
        union
        select f.phone, null, null, c.sort_name, c.id from public.customer_aliases f
        join public.customers c on c.id = f.customer_id
        where f.organization_id = p_organization and f.phone = any(array(select a.phone from asked a))
        union
        select null, c.email_key, null, c.sort_name, c.id from public.customers c
        where c.organization_id = p_organization and c.email_key = any(array(select a.mailbox from asked a))
        union
        select null, null, c.birth_date, c.sort_name, c.id
        from (select distinct a.birth_date, a.sort_name from asked a
          where a.birth_date is not null and a.sort_name <> '') as a
        join public.customers c on c.organization_id = p_organization and c.birth_date = a.birth_date
          and c.sort_name = a.sort_name and c.sort_name <> ''
      ) as k
    ) as h where h.nth <= v_most + 1
  ), shared as materialized (
    select k.place, k.id, bool_or(k.holds) as holds, count(*) over (partition by k.place) as many,
      bool_or(k.given = any(string_to_array(k.sort_name, ' '))) as same_given, max(k.sort_name) <> '' as named
    from (
      select a.place, a.given, h.id, h.sort_name, true as holds
      from asked a join holders h on h.phone = a.phone
      union all
      select a.place, a.given, h.id, h.sort_name, true from asked a join holders h on h.mailbox = a.mailbox
      union all
      select a.place, a.given, h.id, h.sort_name, false
      from asked a join holders h on h.birth_date = a.birth_date and h.sort_name = a.sort_name
    ) as k
    group by k.place, k.id
  ), worth as materialized (
    -- Most new guests share nothing with anyone, and a household's share a phone under another given name:
    -- only the rest take the time of a comparison, up to a bound that keeps a call below the statement limit.
    select s.place from shared s group by s.place
    having max(s.many) <= v_most and bool_or(s.same_given)
      and not bool_or(s.holds and s.named and not s.same_given)
    order by s.place limit v_compared
  ), formed as materialized (
    select a.place, f as i, private.shares_of(f) as shares
    from asked a join worth w on w.place = a.place
    cross join lateral private.identity_of(p_organization, a.person) as f
  ), compared as materialized (
    select f.place, f.i, f.shares, s.id, private.compare_identities(f.i, o, f.shares, false) as levels,
      s.holds and coalesce(o.given_meant, o.surname1) is not null
        and (o.given_meant, o.surname1) is distinct from ((f.i).given_meant, (f.i).surname1) as other_name
    from formed f
    join shared s on s.place = f.place
    join private.customer_identity o on o.customer_id = s.id and o.organization_id = p_organization
  ), weighed as materialized (
    select c.*, private.probability_of(v_prior + private.weigh(c.levels, v_weights)) as probability
    from compared c where c.levels is not null
  ), alone as (
    -- One candidate, and certain.
    select w.place, (array_agg(w.id))[1] as id
    from weighed w where w.probability >= v_likely
    group by w.place
    having count(*) = 1
      and bool_and(w.probability >= v_certain and private.is_certain(w.i, w.levels, w.shares))
  ), chosen as (
    select f.place, f.id, count(*) over (partition by f.id) as takers
    from alone f join asked a on a.place = f.place
    -- Nobody else has the phone or the mailbox under another name: neither here …
    where not exists (select from compared c where c.place = f.place and c.id <> f.id and c.other_name)
      -- … nor among the people asked about.
      and not exists (select from people p where p.phone = a.phone and p.name_key <> a.name_key
        and p.name_key <> ''
        and p.known is distinct from f.id::text)
      and not exists (select from people p where p.mailbox = a.mailbox and p.name_key <> a.name_key
        and p.name_key <> ''
        and p.known is distinct from f.id::text)
      -- Someone said that there are two people behind what they share.
      and not exists (select from shared s join public.customer_pairs k
        on k.first_id = least(s.id, f.id) and k.second_id = greatest(s.id, f.id) and k.verdict = 'different'
        where s.place = f.place and s.id <> f.id)
  )
  select c.place, c.id from chosen c where c.takers = 1;
end
$$;
comment on function private.certain_matches(uuid, jsonb) is
  'Which people are certainly a customer already: their place in p_people (from 1) and the customer. A person is {first_name, last_name, email, phone, birth_date, address, company, job_title}; with known: true it is one of the same batch who is not asked about (customer_id: who it is), and only counts among those who share a phone or a mailbox. Call it under lock_identities.';

create or replace function private.mailbox_key(p_email text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when split_part(p_email, '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(split_part(p_email, '@', 1), '+', 1), '.', '') || '@gmail.com'
    else split_part(split_part(p_email, '@', 1), '+', 1) || '@' || split_part(p_email, '@', 2) end;
end
$$;
comment on function private.mailbox_key(text) is 'The mailbox behind an e-mail, as in customers.email_key.';

create or replace function private.birth_year(p_birth date, p_email text) returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return coalesce(extract(year from p_birth)::integer,
    (regexp_match(split_part(p_email, '@', 1), '(?:^|[^0-9])(19[3-9][0-9]|200[0-9])(?![0-9])'))[1]::integer);
end
$$;
comment on function private.birth_year(date, text) is 'The year of birth, or else the one that the mailbox ends in or has (ana1984@).';

create or replace function private.are_generations(p_year integer, p_other integer) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select coalesce(abs(p_year - p_other) > 15, false) $$;
comment on function private.are_generations(integer, integer) is
  'Whether two years of birth are so far apart that one name on one phone is a parent''s and a child''s.';

create or replace function private.suggest_for(p_customer uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  c public.customers;
begin
  select * into c from public.customers where id = p_customer;
  if c.id is null then return; end if;
  perform private.pair_people(c.organization_id, array[c.id], true);
  delete from private.identity_queue q where q.organization_id = c.organization_id and q.customer_id = c.id;
end
$$;
comment on function private.suggest_for(uuid) is
  'Scores one customer that somebody has just made or changed, so that it is suggested at once and need not wait for private.score_step.';

create or replace function private.masked_phone(p_phone text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select '… ' || right(p_phone, 3) $$;
comment on function private.masked_phone(text) is 'The last three digits: enough to recognise.';

create or replace function private.masked_email(p_email text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select left(p_email, 1) || '…@' || split_part(p_email, '@', 2) $$;
comment on function private.masked_email(text) is 'The first character and what is behind the @: enough to recognise.';

create or replace function public.customer_matches(p_person jsonb, p_id uuid default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
begin
  if v_organization is null then return '[]'; end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object('id', m.id, 'first_name', m.first_name, 'last_name', m.last_name,
      'phone', private.masked_phone(m.phone), 'email', private.masked_email(m.email),
      'last_visit_at', m.last_visit_at, 'last_visit_on', m.last_visit_on,
      'total_visits', m.total_visits, 'probability', m.probability, 'certain', m.certain, 'reasons',
      m.reasons)
      order by m.probability desc, m.id)
    from (
      select c.*, s.probability, s.certain, s.reasons
      from private.score_new(v_organization, (p_person - 'id') || jsonb_build_object('id', p_id), 20) as s
      join public.customers c on c.id = s.customer_id and c.organization_id = v_organization
      where not exists (select from public.customer_pairs k where k.verdict = 'different'
        and k.first_id = least(c.id, p_id) and k.second_id = greatest(c.id, p_id))
      order by s.probability desc, c.id limit 3
    ) as m), '[]');
end
$$;
comment on function public.customer_matches(jsonb, uuid) is
  'The three of the caller''s guests who are most likely the person that is being typed in, with masked contact data, the most likely first. p_id: the customer that is edited, who is no match for themselves.';
grant execute on function private.certain_matches(uuid, jsonb), private.suggest_for(uuid),
  private.birth_year(date, text), private.are_generations(integer, integer) to service_role;
grant execute on function public.customer_matches(jsonb, uuid) to authenticated;
-- << supabase/logic/identity/matches.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261129024929', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/loyalty/standing.sql
-- What customers hold of the loyalty programme: points for visits, and their tier.

create or replace function private.settle_points(p_customers uuid[]) returns void
language sql volatile set search_path = ''
as $$
  with owed as (
    select r.customer_id, r.id as reservation_id,
      coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0) as amount,
      r.total_amount is null as estimate,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as visited_at
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = any(p_customers) and r.visited
  ), entered as (
    select p.customer_id, p.reservation_id, sum(p.points) as points,
      (array_agg(p.multiplier order by p.created_at desc, p.id desc) filter (where p.kind = 'earned'))[1]
        as multiplier
    from public.loyalty_points p
    where p.customer_id = any(p_customers) and p.reservation_id is not null
    group by p.customer_id, p.reservation_id
  ), compared as materialized (
    select customer_id, reservation_id, o.amount, o.estimate, o.visited_at, coalesce(e.points, 0) as points,
      e.multiplier
    from owed o full join entered e using (customer_id, reservation_id)
  ), guests as materialized (
    -- Read once for all of them: while statistics say that the table is empty, a join would read all of it
    -- for each one.
    select g.id, g.organization_id, g.loyalty_tier_id from public.customers g where g.id = any(p_customers)
  ), due as (
    select c.organization_id, p.customer_id, p.reservation_id, p.amount, p.estimate, p.visited_at, p.points,
      rate.multiplier, least(floor(coalesce(p.amount, 0) * rate.multiplier), 1000000000) as target
    from compared p
    join guests c on c.id = p.customer_id
    left join public.loyalty_tiers held on held.id = c.loyalty_tier_id
    cross join lateral (select coalesce(p.multiplier, held.points_multiplier, 1)) as rate (multiplier)
  )
  insert into public.loyalty_points (organization_id, customer_id, reservation_id, kind, points, multiplier,
    amount, amount_is_estimate, created_at)
  select organization_id, customer_id, reservation_id,
    case when amount is null then 'taken_back' when points = 0 then 'earned' else 'corrected' end,
    (target - points)::integer, multiplier, amount,
    coalesce(estimate, false),
    -- Visits that became known together stay in their order.
    now() + row_number() over (order by visited_at, reservation_id) * interval '1 microsecond'
  from due where target <> points
$$;
comment on function private.settle_points(uuid[]) is
  'Brings the points of each of the customers'' visits to floor(EUR × multiplier): earns, corrects or takes back the difference. Under lock_identities.';

create or replace function private.points_json(p_entry public.loyalty_points) returns jsonb
language sql stable set search_path = ''
as $$ select (to_jsonb(p_entry) - array['organization_id', 'customer_id', 'author', 'author_name'])
  || jsonb_build_object('author', (p_entry).author_name, 'reservation_date', null) $$;
comment on function private.points_json(public.loyalty_points) is 'An entry of the points ledger as the API gives it.';

create or replace function public.save_points(p_customer uuid, p_kind text, p_points integer, p_reason text)
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_balance bigint;
  v_points bigint := case p_kind when 'redeemed' then -p_points::bigint when 'adjusted' then p_points end;
  v_entry public.loyalty_points;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  -- The sync writes balances too: without the lock it would put back the one it read before this entry.
  perform private.lock_identities(v_organization);
  select points into v_balance from public.customers
  where id = p_customer and organization_id = v_organization for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_points is null or v_points not between -1000000 and 1000000 or v_points = 0
    or (p_kind = 'redeemed' and v_points > 0) then
    return jsonb_build_object('outcome', 'malformed');
  end if;
  if v_points < 0 and v_balance + v_points < 0 then
    return jsonb_build_object('outcome', 'overdrawn');
  end if;
  begin
    insert into public.loyalty_points (organization_id, customer_id, kind, points, reason, author,
      author_name)
    select v_organization, p_customer, p_kind, v_points, p_reason, p.id,
      coalesce(nullif(p.full_name, ''), p.email)
    from public.profiles p where p.id = (select private.caller())
    returning * into v_entry;
  exception
    when check_violation then return jsonb_build_object('outcome', 'malformed');
  end;
  update public.customers set points = points + v_points where id = p_customer
    returning points into v_balance;
  perform private.audit(v_organization, 'customer.points_' || p_kind, p_customer,
    jsonb_build_object('points', v_points));
  return jsonb_build_object('outcome', 'saved', 'entry', private.points_json(v_entry), 'balance', v_balance);
end
$$;
comment on function public.save_points(uuid, text, integer, text) is
  'Adjusts (signed) or redeems (positive) a customer''s points, with a reason: outcome saved (with entry and balance), overdrawn, malformed, not_found or forbidden.';

-- The one reading of the rules, for what recalculates, what refreshes customers and what previews.
create or replace function private.tier_rules(p_changes jsonb default '[]')
returns table (location_id uuid, organization_id uuid, tier_id uuid, rank integer, min_spend numeric,
  min_visits integer)
language sql stable set search_path = ''
as $$
  with change as (
    select * from jsonb_to_recordset(p_changes) as (
      location_id uuid, tier_id uuid, min_spend numeric, min_visits integer)
  ), rule as (
    select r.location_id, r.tier_id, r.min_spend, r.min_visits from public.loyalty_rules r
    where not exists (select 1 from change n where n.location_id = r.location_id and n.tier_id = r.tier_id)
    union all
    select n.location_id, n.tier_id, n.min_spend, n.min_visits from change n where n.min_visits is not null
  )
  select rule.location_id, t.organization_id, t.id, t.rank, rule.min_spend, rule.min_visits
  from rule join public.loyalty_tiers t on t.id = rule.tier_id
$$;
comment on function private.tier_rules(jsonb) is
  'The rules of all locations with their tiers; with changes of rules ([{location_id, tier_id, min_spend, min_visits}], nulls: none) as if saved.';

create or replace function private.evaluate_tiers(p_organization uuid, p_after uuid, p_limit integer,
  p_locations uuid[], p_changes jsonb default '[]')
returns table (customer_id uuid, location_id uuid, tier_id uuid)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  with batch as materialized (
    select c.id, c.location_id, c.total_spend, c.total_visits, c.loyalty_tier_id
    from public.customers c
    where c.organization_id = p_organization and (p_after is null or c.id > p_after)
      and (p_locations is null or c.location_id = any(p_locations))
    order by c.id limit p_limit
  ), earned as (
    select distinct on (b.id) b.id, rule.tier_id
    from batch b
    join private.tier_rules(p_changes) as rule on rule.location_id = b.location_id
      and rule.organization_id = p_organization
      and b.total_spend >= rule.min_spend and b.total_visits >= rule.min_visits
    left join public.loyalty_tiers held on held.id = b.loyalty_tier_id
    where held.id is null or rule.rank > held.rank
    order by b.id, rule.rank desc
  )
  select b.id, b.location_id, e.tier_id from batch b left join earned e on e.id = b.id;
end
$$;
comment on function private.evaluate_tiers(uuid, uuid, integer, uuid[], jsonb) is
  'The next customers by id (of p_locations, or of all), each with the highest tier whose rule they meet at their location, where it is above theirs, else null; with changes of rules as if saved.';

create or replace function public.raise_loyalty_tiers(p_organization uuid, p_after uuid, p_limit integer,
  p_locations uuid[] default null) returns jsonb
language sql volatile set search_path = ''
as $$
  with batch as materialized (
    select * from private.evaluate_tiers(p_organization, p_after, p_limit, p_locations)
  ), raised as (
    update public.customers c set loyalty_tier_id = b.tier_id
    from batch b where c.id = b.customer_id and b.tier_id is not null returning 1
  )
  select jsonb_build_object('evaluated', (select count(*) from batch), 'upgraded',
    (select count(*) from raised),
    'last_id', (select b.customer_id from batch b order by b.customer_id desc limit 1))
$$;
comment on function public.raise_loyalty_tiers(uuid, uuid, integer, uuid[]) is
  'Raises the tiers of the next customers by id, of p_locations or of all; last_id is where the following batch begins.';

create or replace function public.preview_loyalty_tiers(p_organization uuid, p_changes jsonb, p_after uuid,
  p_limit integer, p_locations uuid[] default null)
returns jsonb
language sql stable set search_path = ''
as $$
  with batch as materialized (
    select * from private.evaluate_tiers(p_organization, p_after, p_limit, p_locations, p_changes)
  )
  select jsonb_build_object('evaluated', (select count(*) from batch),
    'last_id', (select b.customer_id from batch b order by b.customer_id desc limit 1), 'rises', (
    select coalesce(jsonb_agg(to_jsonb(rise)), '[]') from (
      select b.location_id, b.tier_id, count(*) as customers
      from batch b where b.tier_id is not null group by b.location_id, b.tier_id) as rise))
$$;
comment on function public.preview_loyalty_tiers(uuid, jsonb, uuid, integer, uuid[]) is
  'How many of the next customers by id (of p_locations, or of all) would rise to which tier, by location, if the rules were changed so. Writes nothing.';

create or replace function public.loyalty_distribution()
returns table (location_id uuid, tier_id uuid, customers bigint)
language sql stable security definer set search_path = ''
as $$
  select c.location_id, c.loyalty_tier_id, count(*) from public.customers c
  where c.location_id = any(array(select private.my_locations('canAccessMarketing')))
  group by c.location_id, c.loyalty_tier_id
$$;
comment on function public.loyalty_distribution() is
  'How many customers of each of the caller''s locations hold which tier (null: none).';
grant execute on function public.save_points(uuid, text, integer, text), public.loyalty_distribution()
  to authenticated;
grant execute on function private.settle_points(uuid[]), private.tier_rules(jsonb),
  private.evaluate_tiers(uuid, uuid, integer, uuid[], jsonb),
  public.raise_loyalty_tiers(uuid, uuid, integer, uuid[]),
  public.preview_loyalty_tiers(uuid, jsonb, uuid, integer, uuid[]) to service_role;
-- << supabase/logic/loyalty/standing.sql

-- >> supabase/logic/messages/claim.sql
-- The outbox at work: claim_messages → freeze_messages → (provider) → finish_messages, and sweep_leases for
-- messages that a dead process was sending. Here what is due is chosen, judged once more, and leased;
-- outcomes.sql has the rest. Only the service calls these; lib/messaging/drain.ts is the caller.

create or replace function private.due_messages(p_organization uuid, p_channel text, p_until timestamptz,
  p_limit integer, p_run uuid, p_automation uuid, p_notices boolean, p_after timestamptz, p_after_id uuid,
  out ids uuid[], out last_at timestamptz, out last_id uuid)
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_held uuid[] := array(
    select id from public.automation_runs
    where organization_id = p_organization
      and status in ('paused', 'waiting_approval', 'refused', 'expired', 'stopped')
      and processed > sent + skipped + failed
    union all
    select run.id from public.campaigns c
    join public.automations a on a.campaign_id = c.id
    join public.automation_runs run on run.automation_id = a.id
    where c.organization_id = p_organization and c.status in ('paused', 'waiting_approval'));
  v_keys text[];
begin
  with due as (
    select m.id, m.not_before, m.idempotency_key from public.messages m
    where m.organization_id = p_organization and m.channel = p_channel and m.status = 'queued'
      and m.not_before <= p_until and (m.not_before, m.id) > (p_after, p_after_id)
      and (p_run is null or m.run_id = p_run)
      and (not p_notices or m.automation_id is null)
        and (p_automation is null or m.automation_id = p_automation)
      and (v_held = '{}' or m.run_id is null or m.run_id <> all(v_held))
    order by m.not_before, m.id limit p_limit
    for update skip locked
  )
  select coalesce(array_agg(d.id order by d.not_before, d.id), '{}'), max(d.not_before),
    array_agg(d.idempotency_key) filter (where d.idempotency_key is not null) into ids, last_at, v_keys
      from due d;
  last_id := ids[cardinality(ids)];
  if p_channel = 'email' and v_keys is not null then
    -- E-mails that may have been accepted in one request are repeated in one: they share its key.
    ids := ids || array(
      select m.id from public.messages m
      where m.status = 'queued' and m.id <> all(ids) and m.idempotency_key = any(v_keys) for update);
  end if;
end
$$;
comment on function private.due_messages(uuid, text, timestamptz, integer, uuid, uuid, boolean, timestamptz, uuid) is
  'Locks the next queued messages of a channel that are due at p_until (of one run; of one automation; only those of no automation), without those of held runs, behind the place (p_after, p_after_id) of the queue. Returns their ids and the place of the last one.';

create or replace function private.judge_messages(p_organization uuid, p_channel text, p_ids uuid[],
  p_now timestamptz, p_closed jsonb)
returns table (id uuid, channel text, address text, send_at timestamptz, maybe_accepted boolean,
  reason text, detail jsonb)
-- The joins follow keys, in a good order: to look for a better one would take longer than to run them.
language plpgsql stable rows 100 set search_path = '' set plan_cache_mode = force_custom_plan
  set join_collapse_limit = 1
as $$
#variable_conflict use_column
begin
  return query
  with windows as materialized (
    select * from private.send_windows(p_organization, 'marketing', p_now)
  ), judged as materialized (
    select m.id, m.customer_id, m.not_before, m.kind, m.maybe_accepted, m.idempotency_key as key,
      way.channel, way.address, o.frequency_cap_days as cap, its.uncounted,
      coalesce(a.campaign_id, m.run_id) as among, a.step,
      case
        when m.run_id is not null and (a.id is null or a.status <> 'active') then 'automation_inactive'
        when run.template is not null and m.frozen_at is null
          and run.template - 'email_look' <> private.template_of(a)
          then 'message_changed'
        when m.automation_id is not null and c.id is null then 'customer_gone'
        -- The provider has forgotten its key: sent again, it may arrive twice.
        when m.maybe_accepted and private.retry_verdict(m, p_now) = 'too_late' then 'too_late'
        when way.reason is not null then way.reason
        when its.overtaken is not null then its.overtaken
        when coalesce(a.step, 1) > 1 and m.frozen_at is null
          and private.booked_since(m.customer_id,
            coalesce(private.step_before(a, m.customer_id), m.created_at)) then 'booked'
        -- An event that begins right now is still announced.
        when m.frozen_at is null
          and (m.content ->> 'event_datetime')::timestamptz < p_now - interval '1 minute'
          then 'too_late'
        when m.frozen_at is null and (m.content ->> 'expires_at')::timestamptz < p_now then 'too_late'
        -- Resending a message that may have arrived does not count against the cap.
        when m.kind = 'marketing' and o.frequency_cap_days > 0 and not m.maybe_accepted and exists (
          select from private.counted_messages(p_now - make_interval(days => o.frequency_cap_days), true,
            its.uncounted) as counted
          where counted.customer_id = m.customer_id and counted.id <> m.id) then 'frequency_cap'
        -- Merged with a guest of the control group since it was planned.
        when m.kind = 'marketing' and exists (
          select 1 from private.enrolments e
          where e.automation_id = coalesce(a.campaign_id, m.automation_id) and e.customer_id = m.customer_id
            and e.held)
          and private.control_share(a) > 0 then 'control_group'
        when way.channel <> m.channel then case
          -- An address that is gone takes with it the no that was said there.
          when m.kind = 'marketing' and exists (
            select from public.suppressions s
            where s.organization_id = p_organization and s.channel = m.channel and s.address = m.recipient
              and (s.reason <> 'bounce' or s.opt_out is not null)) then 'suppressed'
          else private.taken_by(m, a, way.channel, way.address) end
      end as reason,
      case m.kind when 'marketing' then windows.send_at else p_now end as send_at,
      case m.kind when 'marketing' then windows.detail end as held
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automations a on a.id = m.automation_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    left join windows on windows.location_id is not distinct from l.id
    -- A frozen message keeps its channel and the address it had; another one takes the guest's way now.
    -- offset 0: each is worked out once, not wherever it is used, which also takes long to plan.
    cross join lateral (select m.automation_id is null or m.frozen_at is not null as fixed,
      case when a.step > 1 then private.uncounted_for(a, o.frequency_cap_days) end as uncounted,
      private.overtaken(a, r, r.service_order at time zone l.timezone, p_now) as overtaken offset 0) as its
    cross join lateral (
      select case when its.fixed then m.channel else a.channel end as channel,
        case when not its.fixed then a.fallback_channel end as fallback,
        case when its.fixed then '{}' else p_closed end as closed,
        a.id is not null and a.content_sid is null as free_text, coalesce(c.consents, '{}') as consents,
        coalesce(c.total_visits, 0) as visits offset 0) as ask
    cross join lateral (
      select case when its.fixed then m.recipient
          else private.address_by(ask.channel, c.email, c.phone, c.whatsapp_id) end as own,
        private.address_by(ask.fallback, c.email, c.phone, c.whatsapp_id) as other,
        private.closed_by(ask.closed, ask.channel, m.kind) as own_closed,
        private.closed_by(ask.closed, ask.fallback, m.kind) as other_closed offset 0) as place
    -- As ways_to. offset 0: each is asked once a message, and the second one rarely.
    cross join lateral (
      select b.reason from private.blocked_by(p_organization, m.kind, ask.channel, place.own, c.whatsapp_id,
        ask.consents, ask.visits, ask.free_text, place.own_closed, p_now) as b offset 0) as first
    left join lateral (
      select b.reason from private.blocked_by(p_organization, m.kind, ask.fallback, place.other,
        c.whatsapp_id, ask.consents, ask.visits, ask.free_text, place.other_closed, p_now) as b
      where first.reason is not null offset 0) as second on true
    cross join lateral private.way_of(ask.channel, ask.fallback, place.own, place.other, place.own_closed,
      place.other_closed, first.reason, second.reason) as way
    where m.id = any(p_ids)
  ), batches as (
    select *, coalesce(bool_or(reason is not null) over batch or key is not null and count(*) over batch < (
        select count(*) from public.messages k where k.idempotency_key = judged.key), false) as broken,
      -- The customers of one batch may be in different time zones.
      max(send_at) over batch as batch_send_at
    from judged window batch as (partition by coalesce(key, id::text))
  ), verdicts as (
    select *, case
      when reason is not null then reason
      when broken then 'batch_incomplete'
      when channel <> p_channel and kind = 'marketing' and channel <> 'email' and row_number() over (
        partition by among, step, channel, address, reason is null order by id) > 1 then 'duplicate'
      when kind = 'marketing' and cap > 0 and send_at <= p_now and customer_id is not null
        and not maybe_accepted
        and row_number() over (partition by customer_id, kind, reason is null, send_at <= p_now
          order by maybe_accepted desc, not_before, id) > 1 then 'frequency_cap'
      end as verdict
    from batches
  )
  select id, channel, address, batch_send_at as send_at, maybe_accepted, verdict as reason,
    case when verdict is null then held
      when verdict in ('suppressed', 'frequency_cap')
      then private.detail_of(p_organization, customer_id, id, channel, address, verdict,
        p_now - make_interval(days => cap), true, uncounted) end as detail
  from verdicts;
end
$$;
comment on function private.judge_messages(uuid, text, uuid[], timestamptz, jsonb) is
  'For each message: its channel and address now, from when it may go, and the reason why it may not (null: it may), with its detail. Messages of one request are sent together or not at all. p_closed: see ways_to.';

create or replace function private.claimed_messages(p_ids uuid[], out templates json, out messages json)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  templates := (
    select coalesce(
      json_agg(private.template_of(a) || jsonb_build_object('email_look', private.email_look_of(a))), '[]')
    from public.automations a
    -- As an array: a semi-join would read all messages of an automation.
    where a.id = any(array(select distinct m.automation_id from public.messages m where m.id = any(p_ids))));
  messages := (
    select coalesce(
      json_agg(json_build_object('id', m.id, 'lease_token', m.lease_token, 'kind', m.kind,
        'run_id', m.run_id, 'email_look', run.template -> 'email_look', 'channel', m.channel, 'recipient',
        m.recipient, 'attempts', m.attempts, 'automation_id', m.automation_id,
        'content', m.content, 'frozen', m.frozen_at is not null, 'idempotency_key', m.idempotency_key,
        'visited', coalesce(r.visited, false), 'facts', private.message_facts(o, c, r, l, t.name))
        order by m.not_before, m.id), '[]')
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    where m.id = any(p_ids));
end
$$;
comment on function private.claimed_messages(uuid[]) is
  'What is needed to render and send the messages: the templates, each once, and the messages with the facts about their customers. As json, which takes two thirds of the time of jsonb.';

create or replace function public.claim_messages(p_organization uuid, p_channel text,
  p_limit integer default 100, p_lease_seconds integer default 180, p_now timestamptz default now(),
  p_run uuid default null, p_notices boolean default false, p_pace double precision default null,
  p_integrations text[] default '{}', p_closed jsonb default '{}', p_automation uuid default null,
  p_after jsonb default null)
returns json
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_only_notices boolean;
  -- An integration that was switched off since the caller looked sends nothing.
  v_closed jsonb := p_closed || (
    select coalesce(jsonb_object_agg(i.channel, 'no_provider'), '{}')
    from unnest(p_integrations) as i (channel) where not private.is_connected(p_organization, i.channel));
  v_next timestamptz;
  v_most integer;
  v_ids uuid[];
  v_last_at timestamptz;
  v_last_id uuid;
  v_claimed uuid[];
  v_ended uuid[];
  v_moved boolean;
begin
  -- One claim at a time, so that a message is judged with all others to the same customer in view.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  v_only_notices := p_notices or (
    select o.sending_stopped_at is not null from public.organizations o where o.id = p_organization);
  if v_closed ->> p_channel = 'no_provider' then
    return '{"examined": 0, "templates": [], "messages": []}'::jsonb || case when v_only_notices then '{}'
      else private.hold_channel(p_organization, p_channel, p_now, p_run, p_automation, v_closed) end;
  end if;

  v_next := (
    select next_at from public.channel_pace where organization_id = p_organization and channel = p_channel);
  -- With a pace it takes what one second allows. While the channel still waits for the end of that second,
  -- it looks for what is due then, to tell whether to come back.
  v_most := least(p_limit, 500, case when p_pace > 0 then greatest(ceil(p_pace), 1) end);
  -- From where the caller's last claim ended: what was sent since leaves dead entries in the index, which
  -- cannot be removed while another transaction holds its snapshot.
  select d.ids, d.last_at, d.last_id into v_ids, v_last_at, v_last_id
  from private.due_messages(p_organization, p_channel, greatest(p_now, v_next), v_most, p_run, p_automation,
    v_only_notices, coalesce((p_after ->> 'not_before')::timestamptz, '-infinity'),
    coalesce((p_after ->> 'id')::uuid, '00000000-0000-0000-0000-000000000000')) d;
  if v_next > p_now or v_ids = '{}' then
    return json_build_object('examined', 0, 'wait_until', case when v_ids <> '{}' then v_next end,
      'templates', '[]'::json, 'messages', '[]'::json);
  end if;

  with judged as (
    select *, reason is null and channel <> p_channel as moves, reason is null and channel = p_channel
      and send_at <= p_now as goes
    from private.judge_messages(p_organization, p_channel, v_ids, p_now, v_closed)
  ), written as (
    update public.messages m
    set status = case when v.reason is not null and v.maybe_accepted then 'unknown'
        when v.reason is not null then 'skipped' when v.goes then 'sending' else 'queued' end,
      reason = v.reason, detail = v.detail, updated_at = now(),
      channel = case when v.moves then v.channel else m.channel end,
      recipient = case when v.reason is null or v.channel = m.channel then v.address else m.recipient end,
      not_before = greatest(m.not_before, v.send_at),
      attempts = case when v.moves then 0 when v.goes then m.attempts + 1 else m.attempts end,
      content = case when v.moves then '{}' else m.content end,
      idempotency_key = case when not v.moves then m.idempotency_key end,
      lease_token = case when v.goes then gen_random_uuid() end,
      lease_until = case when v.goes then p_now + make_interval(secs => p_lease_seconds) end
    from judged v where m.id = v.id
    returning m.id, m.status, v.moves
  )
  select coalesce(array_agg(id) filter (where status = 'sending'), '{}'),
    coalesce(array_agg(id) filter (where status in ('skipped', 'unknown')), '{}'),
    coalesce(bool_or(moves), false) into v_claimed, v_ended, v_moved
      from written;
  if p_pace > 0 and v_claimed <> '{}' then
    insert into public.channel_pace as p (organization_id, channel, next_at)
    values (p_organization, p_channel, p_now + make_interval(secs => cardinality(v_claimed) / p_pace))
    on conflict (organization_id, channel) do update set next_at = excluded.next_at, reason = null;
  end if;

  return (
    select json_build_object('examined', cardinality(v_ids), 'ended', v_ended, 'moved', v_moved,
      'last', case when v_last_id is not null
        then json_build_object('not_before', v_last_at, 'id', v_last_id) end,
      'templates', c.templates, 'messages', c.messages)
    from private.claimed_messages(v_claimed) as c);
end
$$;
comment on function public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, text[], jsonb, uuid, jsonb) is
  'Leases the next due messages of a channel (of one run; of one automation; only notices), once consent, cap, quiet hours and pace (messages a second) allow: {examined, templates, messages, wait_until, ended}. examined 0: nothing is due, or it has to wait until wait_until. p_closed: see ways_to; a channel without a provider: see hold_channel. p_integrations: channels that have a provider only while their integration is enabled. moved: some now wait to go by another channel. ended: ids of those that will not be sent. more: hold_channel has more to move. last: the place in the queue where it ended. p_after: looks only behind that place.';
grant execute on function private.due_messages(uuid, text, timestamptz, integer, uuid, uuid, boolean,
  timestamptz, uuid), private.judge_messages(uuid, text, uuid[], timestamptz, jsonb),
  private.claimed_messages(uuid[]),
  public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, text[],
  jsonb, uuid, jsonb)
  to service_role;
-- << supabase/logic/messages/claim.sql

-- >> supabase/logic/messages/facts.sql
-- What a message is rendered from, and the counts of a run, which a trigger keeps as its messages change.

create or replace function private.count_run_messages() returns trigger
language plpgsql set search_path = ''
as $$
declare
  v_changes jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(change) into v_changes from (
      select run_id, count(*) as processed, count(*) filter (where status in ('sent', 'delivered')) as sent,
        count(*) filter (where status = 'skipped') as skipped,
        count(*) filter (where status in ('failed', 'unknown')) as failed,
        count(*) filter (where status in ('sent', 'delivered') and simulated) as simulated
      from new_rows where run_id is not null group by run_id) as change;
  else
    select jsonb_agg(change) into v_changes from (
      -- Added up, not joined: a join keeps the plan of the connection's first update, a nested loop after a
      -- small one.
      select c.run_id, 0 as processed,
        sum(case when c.status in ('sent', 'delivered') then c.sign else 0 end) as sent,
        sum(case when c.status = 'skipped' then c.sign else 0 end) as skipped,
        sum(case when c.status in ('failed', 'unknown') then c.sign else 0 end) as failed,
        sum(case when c.status in ('sent', 'delivered') and c.simulated then c.sign else 0 end) as simulated
      from (select 1 as sign, n.run_id, n.status, n.simulated from new_rows n
        union all select -1, o.run_id, o.status, o.simulated from old_rows o) as c
      where c.run_id is not null
      -- The tidy-up takes old messages off their run, which keeps its counts.
      group by c.run_id having sum(c.sign) = 0) as change
    -- A claim or a delivery report changes no count, and does not wait for the run's row.
    where (change.sent, change.skipped, change.failed, change.simulated) <> (0, 0, 0, 0);
  end if;
  if v_changes is null then
    return null;
  end if;
  -- Locked in one order, so that two batches with messages of the same runs do not deadlock.
  perform 1 from public.automation_runs run
  where run.id in (select c.run_id from jsonb_to_recordset(v_changes) as c (run_id uuid))
    order by run.id for update;
  update public.automation_runs run
  set processed = total.processed, sent = total.sent, skipped = total.skipped, failed = total.failed,
    simulated = total.simulated,
    status = case when run.status in ('paused', 'refused', 'expired', 'stopped') then run.status
      when total.open and run.expires_at is not null then 'waiting_approval'
      when total.open then 'running' else 'finished' end,
    finished_at = case when total.open then null
      else coalesce(run.finished_at, greatest(now(), run.started_at)) end
  from (
    select *, t.planning or t.processed > t.sent + t.skipped + t.failed as open from (
      select r.id, r.planning, r.processed + c.processed as processed, r.sent + c.sent as sent,
        r.skipped + c.skipped as skipped, r.failed + c.failed as failed,
        r.simulated + c.simulated as simulated
      from jsonb_to_recordset(v_changes) as c (run_id uuid, processed integer, sent integer, skipped integer,
        failed integer, simulated integer)
      join public.automation_runs r on r.id = c.run_id) as t
  ) as total
  where run.id = total.id;
  return null;
end
$$;
comment on function private.count_run_messages() is
  'Trigger: keeps the counts of runs in step with their messages, and finishes a run with its last message.';

create or replace trigger messages_count_new after insert on public.messages
  referencing new table as new_rows for each statement execute function private.count_run_messages();
create or replace trigger messages_count_changed after update on public.messages
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.count_run_messages();

create or replace function private.message_facts(o public.organizations, c public.customers,
  r public.reservations, l public.locations, p_tier text) returns json
-- In plpgsql because it is called for many rows: an SQL function with a search_path of its own takes several
-- times as long.
language plpgsql stable set search_path = ''
as $$
begin
  return json_build_object('organization_name', o.name, 'first_name', c.first_name, 'last_name', c.last_name,
    'birth_date', c.birth_date, 'total_visits', c.total_visits,
    'last_visit', c.last_visit_on,
    'tier', p_tier, 'location_name', l.name, 'reservation_date', r.reservation_date,
    'reservation_time', to_char(r.reservation_time, 'HH24:MI'), 'party_size', r.party_size);
end
$$;
comment on function private.message_facts(public.organizations, public.customers, public.reservations, public.locations, text)
  is 'The customer''s data for a template, p_tier being the name of their tier; lib/messaging/template.ts reads it.';

create or replace function private.template_of(a public.automations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('id', a.id, 'subject', a.subject, 'body', a.body, 'content_sid', a.content_sid,
    'content_variables', a.content_variables, 'email_design', a.email_design,
    'question', case when a.criteria ->> 'answers' = 'true' then a.criteria ->> 'question' end)
$$;
comment on function private.template_of(public.automations) is
  'An automation''s template, as lib/messaging/template.ts takes it.';
grant execute on function private.message_facts(public.organizations, public.customers, public.reservations,
  public.locations, text), private.template_of(public.automations) to service_role;
-- << supabase/logic/messages/facts.sql

-- >> supabase/logic/reservations/changes.sql
-- Creating and changing reservations by hand, in the caller's own locations.

create or replace function private.reservation_json(p_reservation public.reservations) returns jsonb
language sql stable set search_path = ''
as $$
  select to_jsonb(p_reservation) - array['organization_id', 'customer_email', 'customer_phone', 'created_at',
      'updated_at', 'service_date', 'service_order', 'service_over', 'counts_unmarked', 'staff_marks',
      'search_name', 'erased_at', 'walk_in', 'arrived_at', 'seated_at', 'finished_at', 'guest_answer',
      'guest_answered_at', 'email_unread']
    || jsonb_build_object('allergies', coalesce((
      select a.codes from private.allergy_codes(array[(p_reservation).customer_id]) as a), '[]'))
$$;
comment on function private.reservation_json(public.reservations) is 'A reservation as the API gives it.';

create or replace function private.marks_of(p_old public.reservations, p_next public.reservations)
  returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(mark.field, mark.pms), '{}')
  from (
    select field, case when p_old.staff_marks ? field then p_old.staff_marks -> field
      else to_jsonb(p_old) -> field end as pms
    from unnest(array['status', 'table_name', 'notes']) as field
  ) as mark
  where p_old.source = 'pms' and mark.pms <> to_jsonb(p_next) -> mark.field
$$;
comment on function private.marks_of(public.reservations, public.reservations) is
  'The marks of staff on a PMS reservation: each field that differs from the PMS''s value, with that value.';

create or replace function private.write_reservation(p_next public.reservations, p_counts_unmarked boolean)
  returns public.reservations
language plpgsql volatile set search_path = ''
as $$
declare
  v_saved public.reservations;
begin
  if p_next.id is null then
    insert into public.reservations (organization_id, location_id, customer_id, customer_name, customer_email,
      customer_phone, reservation_date, reservation_time, party_size, status, notes, total_amount, source,
      zone_name, table_name, service_over, counts_unmarked)
    values (p_next.organization_id, p_next.location_id, p_next.customer_id, p_next.customer_name,
      p_next.customer_email, p_next.customer_phone, p_next.reservation_date, p_next.reservation_time,
      p_next.party_size, p_next.status, p_next.notes, p_next.total_amount, 'manual', p_next.zone_name,
      p_next.table_name, p_next.service_over, p_counts_unmarked)
    returning * into v_saved;
  else
    update public.reservations r set location_id = p_next.location_id, customer_id = p_next.customer_id,
      customer_name = p_next.customer_name, customer_email = p_next.customer_email,
      customer_phone = p_next.customer_phone, reservation_date = p_next.reservation_date,
      reservation_time = p_next.reservation_time, party_size = p_next.party_size, status = p_next.status,
      notes = p_next.notes, total_amount = p_next.total_amount, zone_name = p_next.zone_name,
      table_name = p_next.table_name, staff_marks = p_next.staff_marks, service_over = p_next.service_over,
      counts_unmarked = p_counts_unmarked
    where r.id = p_next.id
    returning * into v_saved;
  end if;
  return v_saved;
end
$$;
comment on function private.write_reservation(public.reservations, boolean) is
  'Inserts a reservation made by hand (id null), or changes one; returns it as saved.';

create or replace function private.logged_changes(p_old public.reservations, p_next public.reservations,
  p_changed text[]) returns jsonb
language sql stable set search_path = ''
as $$
  select case when p_old.id is null then '{}' else jsonb_strip_nulls(jsonb_build_object(
    'fields', to_jsonb(p_changed), 'status', case when p_old.status <> p_next.status then jsonb_build_object(
      'from', p_old.status, 'to', p_next.status, 'pms', p_next.staff_marks ->> 'status') end)) end
    -- A party without an amount spends the location's average each: its size buys a tier as an amount does.
    || (select case when count(*) > 0 then jsonb_build_object('before', jsonb_object_agg(f.name, f.old),
        'after', jsonb_object_agg(f.name, f.new)) else '{}' end
      from (values ('total_amount', to_jsonb(p_old.total_amount), to_jsonb(p_next.total_amount)),
        ('party_size', to_jsonb(p_old.party_size), to_jsonb(p_next.party_size))) as f (name, old, new)
      where f.old is distinct from f.new and (p_old.id is not null or f.name = 'total_amount'))
$$;
comment on function private.logged_changes(public.reservations, public.reservations, text[]) is
  'What the audit log keeps of a saved reservation (p_old null: a new one): fields (the names of those that changed), status (from, to, and the PMS''s own), and before and after of total_amount and party_size.';

create or replace function public.save_reservation(p_fields jsonb, p_id uuid default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessOperaciones') as id limit 1);
  v_locations uuid[] := array(select private.my_locations('canAccessOperaciones'));
  v_editable constant text[] := array['location_id', 'customer_id', 'customer_name', 'customer_email',
    'customer_phone', 'reservation_date', 'reservation_time', 'party_size', 'status', 'notes', 'total_amount',
    'zone_name', 'table_name'];
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_old public.reservations;
  v_next public.reservations;
  v_changed text[];
  v_location public.locations;
  v_table text;
  v_edited jsonb;
  v_link constant text := p_fields ->> 'link';
  v_chosen uuid;
  v_is_floor constant boolean := exists (
    select from public.profiles p where p.id = (select private.caller()) and p.role = 'sala');
  v_refusal jsonb;
  v_check text;
  v_asked jsonb;
begin
  p_now := private.clock(p_now);
  if v_organization is null or v_is_floor and v_link <> 'none' then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  if v_link = 'existing' then
    v_chosen := (p_fields ->> 'customer_id')::uuid;
    v_fields := v_fields - 'customer_id';
  end if;
  -- Needed even when no contact changes: of two simultaneous changes of one customer's bookings, the second
  -- must see the first.
  perform private.lock_identities(v_organization);
  if p_id is not null then
    select * into v_old from public.reservations
    where id = p_id and location_id = any(v_locations) and source <> 'import' for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v_next := jsonb_populate_record(v_old, v_fields);
  v_next.status := coalesce(v_next.status, 'pending');
  -- Back to the PMS's own spelling is back to its value: no mark is left.
  if (v_next.table_name, v_next.location_id) is distinct from (v_old.table_name, v_old.location_id)
    and v_next.table_name is distinct from v_old.staff_marks ->> 'table_name' then
    v_next.table_name := private.tables_as_written(v_next.location_id, v_next.table_name);
  end if;
  -- A time alone keeps the night: after midnight it is on the next date.
  if v_fields ? 'reservation_time' and not v_fields ? 'reservation_date' then
    v_next.reservation_date := v_old.service_date
      + case when v_next.reservation_time < time '06:00' then 1 else 0 end;
  end if;
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded')),
      to_jsonb(v_old), to_jsonb(v_next), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  select array_agg(n.key order by n.key) into v_changed from jsonb_each(to_jsonb(v_next)) as n
  where n.key = any(v_editable) and n.value is distinct from coalesce(to_jsonb(v_old) -> n.key, 'null');
  if p_id is not null and v_changed is null then
    return jsonb_build_object('outcome', 'saved', 'reservation', private.reservation_json(v_old));
  end if;
  -- The next sync would overwrite any other field.
  if v_old.source = 'pms' and not v_changed <@ array['status', 'total_amount', 'table_name', 'notes'] then
    return jsonb_build_object('outcome', 'managed');
  end if;
  if v_next.location_id is null or v_next.location_id <> all(v_locations) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  select * into v_location from public.locations where id = v_next.location_id;
  if v_is_floor and 'total_amount' = any(v_changed) then
    return jsonb_build_object('outcome', 'forbidden');
  elsif v_changed && array['location_id', 'reservation_date', 'reservation_time']
    and private.is_skipped(v_next.reservation_date + v_next.reservation_time, v_location.timezone) then
    return jsonb_build_object('outcome', 'skipped_time');
  end if;
  v_next.staff_marks := private.marks_of(v_old, v_next);
  -- A service that was closed stays closed, unless the reservation moves to another one.
  if p_id is null or v_changed && array['location_id', 'reservation_date', 'reservation_time'] then
    v_next.service_over := private.service_day(v_next.reservation_date, v_next.reservation_time)
      < private.current_service(v_location.timezone, p_now);
  end if;

  if 'customer_id' = any(v_changed) then
    v_next.customer_email := null;
    v_next.customer_phone := null;
    if v_next.customer_id is not null then
      -- Linking reveals the customer's name, so it needs the right to read customers.
      select coalesce(case when v_fields ? 'customer_name' then v_next.customer_name end,
        nullif(concat_ws(' ', c.first_name, c.last_name), '')) into v_next.customer_name
      from public.customers c
      where c.id = v_next.customer_id and c.organization_id = v_organization
        and c.organization_id = any(array(select private.my_organizations('canAccessClientes')));
      if not found then
        return jsonb_build_object('outcome', 'unknown_customer');
      end if;
    end if;
  end if;
  v_asked := private.reservation_questions(v_old, v_next, v_location, p_fields -> 'confirm', p_now);
  if v_asked ->> 'code' is not null then
    return v_asked || '{"outcome": "asks"}';
  end if;
  begin
    v_next.organization_id := v_organization;
    if v_changed && array['customer_email', 'customer_phone'] and not 'customer_id' = any(v_changed) then
      select k.customer_id, k.refusal into v_next.customer_id, v_refusal
      from private.customer_of_contact(v_old, v_next, v_changed, v_link, v_chosen, v_is_floor) as k;
      if v_refusal is not null then
        return v_refusal;
      end if;
    end if;
    v_next := private.write_reservation(v_next, v_location.count_unmarked_visits);
  exception
    when check_violation then
      get stacked diagnostics v_table = table_name, v_check = constraint_name;
      return jsonb_build_object('outcome', 'malformed', 'field', case
        when v_table <> 'customers' then private.checked_column(v_table, v_check)
        -- A new customer takes these from the reservation.
        when private.checked_column(v_table, v_check) = 'email' then 'customer_email'
        when private.checked_column(v_table, v_check) = 'phone' then 'customer_phone'
        else 'customer_name' end);
  end;

  perform private.refresh_customers(array_remove(array[v_old.customer_id, v_next.customer_id], null));
  perform private.audit(v_organization,
    case when p_id is null then 'reservation.created' else 'reservation.changed' end, v_next.id,
    private.logged_changes(v_old, v_next, v_changed));
  return jsonb_build_object('outcome', 'saved', 'reservation', private.reservation_json(v_next));
end
$$;
comment on function public.save_reservation(jsonb, uuid, timestamptz) is
  'Creates a manual reservation, or changes the fields given (of a PMS reservation status, total_amount, table_name and notes, as staff marks). p_fields may also have link (existing with customer_id, new, none), confirm and loaded. Outcome saved (with reservation), contact_of_another (with candidates), asks (as reservation_questions), skipped_time (the clocks skip it), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), managed, unknown_location, unknown_customer, malformed (with its field) or forbidden.';

create or replace function public.reservation_activity(p_reservation uuid)
returns table (id uuid, at timestamptz, action text, actor text, fields jsonb, status jsonb, answer jsonb)
language sql stable security definer set search_path = ''
as $$
  select g.id, g.created_at, g.action, private.actor_shown(g.actor, g.actor_id),
    coalesce(g.details -> 'fields', '[]'),
    g.details -> 'status',
    case g.action when 'reservation.answered' then jsonb_build_object('answer', g.details -> 'answer',
      'channel', g.details -> 'channel') end
  from public.reservations r
  join public.audit_log g on g.subject_id = r.id and g.subject_type = 'reservation'
  where r.id = p_reservation and r.source <> 'import'
    and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
  order by g.created_at desc, g.id desc limit 100
$$;
comment on function public.reservation_activity(uuid) is
  'The last 100 changes of a reservation in the caller''s locations, the latest first; overruled: the PMS replaced a staff mark; answered: the guest''s answer with its channel. status has from, to and the PMS''s own value.';

create or replace function public.log_reservations_export(p_filters jsonb) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select private.start_export((select id from private.my_organizations('canReadReports') as id limit 1),
    'reservations',
    p_filters)
$$;
comment on function public.log_reservations_export(jsonb) is
  'Counts and logs that the caller starts to download the reservations that match the filters; returns the id by which end_export ends it. Null when they may not.';
grant execute on function public.save_reservation(jsonb, uuid, timestamptz),
  public.reservation_activity(uuid), public.log_reservations_export(jsonb) to authenticated;
-- << supabase/logic/reservations/changes.sql

-- >> supabase/logic/reservations/sync.sql
-- The sync. sync_reservations turns a batch of one location's PMS rows into customers, reservations,
-- statistics and tiers, in one transaction. record_sync and record_look_ahead keep which days of a location
-- the PMS has delivered. lib/pms calls them, with normalised rows, and then what takes out the bookings that
-- left the PMS (missing.sql).

create or replace function private.sync_read_rows(p_organization uuid, p_location uuid, p_rows jsonb,
  p_service date) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  drop table if exists pg_temp.sync_batch;
  create temp table sync_batch on commit drop as
  with given as (
    select distinct on (r.external_id) r.*
    from rows from (jsonb_to_recordset(p_rows) as (
      external_id text, email text, phone text, first_name text, last_name text, customer_name text,
      reservation_date date, reservation_time time, party_size integer, status text, pms_status text,
      notes text, zone_name text, table_name text, bad_email boolean, further_phones text[],
      phone_words text
    )) with ordinality as r (external_id, email, phone, first_name, last_name, customer_name,
      reservation_date, reservation_time, party_size, status, pms_status, notes, zone_name, table_name,
      bad_email, further_phones, phone_words, position)
    order by r.external_id, r.position desc
  ), incoming as (
    select b.external_id, b.position, b.reservation_date, b.reservation_time, b.party_size, b.pms_status,
      b.zone_name,
      case when marked.status then e.status else b.status end as status,
      case when marked.table_name then e.table_name else b.table_name end as table_name,
      personal.email, personal.phone, personal.first_name, personal.last_name, personal.customer_name,
      personal.bad_email, personal.further_phones,
      case when marked.notes then e.notes else personal.all_notes end as notes,
      coalesce(e.staff_marks, '{}') - array_remove(array[case when not marked.status then 'status' end,
        case when not marked.table_name then 'table_name' end, case when not marked.notes then 'notes' end],
          null)
        as staff_marks
    from given b
    left join public.reservations e on e.organization_id = p_organization and e.external_id = b.external_id
    -- A booking whose customer was erased takes no personal data from the PMS again.
    left join lateral (
      select b.email, b.phone, b.first_name, b.last_name, b.customer_name, b.notes, b.bad_email,
        b.further_phones, nullif(left(concat_ws(E'\n', b.notes, b.phone_words), 5000), '') as all_notes
      where e.erased_at is null
    ) as personal on true
    -- A value set by staff stays until the PMS sends something other than what it sent when staff set it. A
    -- status we do not know counts as no change.
    cross join lateral (select
      coalesce(e.staff_marks ? 'status' and coalesce(b.status = e.staff_marks ->> 'status', true), false)
      as status, coalesce(e.staff_marks ? 'table_name', false)
        and e.location_id = p_location
        and b.table_name is not distinct from e.staff_marks ->> 'table_name' as table_name,
      coalesce(e.staff_marks ? 'notes', false)
        and (e.location_id = p_location
          or (b.email, b.phone) is not distinct from (e.customer_email, e.customer_phone))
        and (personal.notes is not distinct from e.staff_marks ->> 'notes'
          or personal.all_notes is not distinct from e.staff_marks ->> 'notes') as notes
    ) as marked
  )
  select i.*, next.status as next_status, holder.id is not null as is_held,
    case when e.id is null or (i.customer_name, i.email, i.phone)
        is distinct from (e.customer_name, e.customer_email, e.customer_phone)
      then private.name_key(coalesce(i.first_name, '') || ' ' || coalesce(i.last_name, '')) end as name_key,
    row_number() over (order by i.reservation_date, i.reservation_time, i.position) as recency,
    e.id as reservation_id, e.customer_id as previous_customer_id, e.customer_id,
    -- An invalid e-mail is no change of contact: the reservation keeps its customer.
    e.id is null or (case when i.bad_email then e.customer_email else i.email end, i.phone) is distinct
    from (e.customer_email, e.customer_phone) as contact_changed, e.id is null or i.customer_name is distinct
    from e.customer_name
      or (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone) as person_changed,
    e.id is null or (p_location, i.customer_name, i.email, i.phone, i.reservation_date, i.reservation_time,
        i.party_size, next.status, i.pms_status, i.notes, i.zone_name, i.table_name,
        i.staff_marks, coalesce(i.bad_email, false))
      is distinct from (e.location_id, e.customer_name, e.customer_email, e.customer_phone,
        e.reservation_date, e.reservation_time, e.party_size, e.status, e.pms_status, e.notes, e.zone_name,
        e.table_name, e.staff_marks, e.email_unread)
      as changed,
    -- Another location uses the id anew, for another party.
    coalesce(e.location_id <> p_location
      and (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone), false) as is_another,
    private.service_day(i.reservation_date, i.reservation_time) < p_service as service_over,
    coalesce(i.bad_email, false) and e.email_unread is not true as email_broke,
    false as is_new
  from incoming i
  left join public.reservations e on e.organization_id = p_organization and e.external_id = i.external_id
  left join private.missing_bookings m on m.reservation_id = e.id
  cross join lateral (
    select coalesce(e.status = 'cancelled' and e.pms_status = 'missing', false) as is_gone
  ) as was
  -- A booking stays with the location that has it, as long as the sync asks that one and it is not cancelled
  -- as missing. Of too many missing at once another may have the very same one: two PMS ids were swapped.
  left join public.locations holder on holder.id = e.location_id and holder.id <> p_location
    and holder.is_active and holder.pms_id is not null and not was.is_gone
    and (m.held_at is null or (i.reservation_date, i.reservation_time, i.email, i.phone)
      is distinct from (e.reservation_date, e.reservation_time, e.customer_email, e.customer_phone))
  -- One that comes again with a status that we do not know is pending, as a new one is.
  cross join lateral (
    select coalesce(i.status, case when not was.is_gone then e.status end, 'pending') as status
  ) as next;
  -- A known reservation keeps its customer while its contact data stays the same.
  update pg_temp.sync_batch set customer_id = null where contact_changed and customer_id is not null;
  analyze pg_temp.sync_batch;
end
$$;
comment on function private.sync_read_rows(uuid, uuid, jsonb, date) is
  'Makes pg_temp.sync_batch, one row a reservation: the incoming values, the stored ones, which changed, and which another location holds. Services before p_service are over.';

create or replace function private.sync_set_aside(p_location uuid, p_now timestamptz, p_reader text)
  returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_held text[];
begin
  with held as (delete from pg_temp.sync_batch b where b.is_held returning b.external_id)
  select coalesce(array_agg(held.external_id), '{}') into v_held from held;
  -- What comes again has not left the PMS.
  delete from private.missing_bookings m using pg_temp.sync_batch b where m.reservation_id = b.reservation_id;
  return private.tell_once(p_location, 'held_elsewhere', v_held, p_now, p_reader);
end
$$;
comment on function private.sync_set_aside(uuid, timestamptz, text) is
  'Takes the rows that another location holds out of the batch; returns the ids of those that this reader was not told on this day yet. The others are no longer missing.';

create or replace function private.sync_match_people(p_organization uuid) returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_created bigint;
begin
  if not exists (select from pg_temp.sync_batch where contact_changed and coalesce(email, phone) is not null)
  then
    return 0;
  end if;
  update pg_temp.sync_batch b set customer_id = m.customer_id, is_new = m.is_new
  from private.match_people(p_organization, (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('place', position, 'recency', recency,
      'email', email, 'phone', phone, 'first_name', first_name, 'last_name', last_name,
      'customer_id', customer_id)))
    from pg_temp.sync_batch where contact_changed or customer_id is not null)) as m
  where b.position = m.place;

  insert into public.customers (id, organization_id, source, email, phone, first_name, last_name)
  select b.customer_id, p_organization, 'PMS', b.own_email,
    (array_agg(b.phone order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.phone is not null))[1],
    (array_agg(b.first_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1],
    (array_agg(b.last_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1]
  from (
    select *, first_value(email) over (partition by customer_id order by email is null, position) as own_email
    from pg_temp.sync_batch where is_new
  ) as b
  group by b.customer_id, b.own_email;
  get diagnostics v_created = row_count;
  return v_created;
end
$$;
comment on function private.sync_match_people(uuid) is
  'Gives rows of the batch with a new contact their customers, and creates those who are new: under their first e-mail, with the latest phone and name. Returns how many are new.';

create or replace function private.sync_update_profiles(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A booking under the customer's own e-mail replaces name and phone; a name that differs only in case or
  -- accents is kept. A booking matched by phone or alias only fills a blank name or e-mail. A booking's
  -- e-mail that differs becomes an alias. Materialized: while the planner still thinks the table is empty, it
  -- would recompute this query for every customer.
  with news as materialized (
    select c as known,
      bool_or(b.email = c.email and b.name_key <> '') is true as own_name,
      (array_agg(b.first_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as first_name,
      (array_agg(b.last_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as last_name,
      (array_agg(b.name_key order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as name_key,
      (array_agg(b.phone order by b.recency desc) filter (where b.email = c.email and b.phone is not null))[1]
      as phone, (array_agg(b.email order by b.position) filter (where b.email is not null))[1] as email
    from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
    where b.person_changed
    group by c.id
  ), profile as materialized (
    select (n.known).id, coalesce((n.known).email, n.email) as email,
      coalesce(n.phone, (n.known).phone) as phone,
      case when takes.name then n.first_name else (n.known).first_name end as first_name,
      case when takes.name then n.last_name else (n.known).last_name end as last_name
    from news n
    cross join lateral private.name_key(coalesce((n.known).first_name, '') || ' ' ||
      coalesce((n.known).last_name, '')) as held (name_key)
    cross join lateral (select n.name_key <> held.name_key and (n.own_name or held.name_key = ''))
      as takes (name)
  )
  update public.customers c
  set email = p.email, phone = p.phone, first_name = p.first_name, last_name = p.last_name
  from profile p
  where c.id = p.id and (c.email, c.phone, c.first_name, c.last_name)
    is distinct from (p.email, p.phone, p.first_name, p.last_name);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct p_organization, b.customer_id, b.email
  from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
  where b.contact_changed and b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;
  perform private.add_phones(p_organization, array_agg(b.customer_id order by b.position, f.place),
    array_agg(f.phone order by b.position, f.place))
  from pg_temp.sync_batch b cross join unnest(b.further_phones) with ordinality as f (phone, place)
  having count(*) > 0;
end
$$;
comment on function private.sync_update_profiles(uuid) is
  'Customers take the latest name and phone of the batch''s new or changed bookings under their own e-mail; other bookings only fill a blank name or e-mail. No e-mail is replaced. Further phones are kept as such.';

create or replace function private.is_pms_walk_in(p_status text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select p_status is not distinct from '9' $$;
comment on function private.is_pms_walk_in(text) is
  'Whether the PMS says by its status that a party came without a booking: code 9.';

create or replace function private.sync_write_reservations(p_organization uuid, p_location uuid,
  p_counts_unmarked boolean, out created integer, out updated integer)
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
    customer_email, customer_phone, reservation_date, reservation_time, party_size, status, pms_status, notes,
    source, zone_name, table_name, service_over, counts_unmarked, email_unread, walk_in)
  select p_organization, p_location, customer_id, external_id, customer_name, email, phone, reservation_date,
    reservation_time, party_size, next_status, pms_status, notes, 'pms', zone_name, table_name, service_over,
    p_counts_unmarked, coalesce(bad_email, false), private.is_pms_walk_in(pms_status)
  from pg_temp.sync_batch where reservation_id is null
  order by reservation_date, reservation_time;
  get diagnostics created = row_count;

  -- The audit log records a mark that the PMS replaces.
  insert into public.audit_log (organization_id, action, subject_type, subject_id, details)
  select p_organization, 'reservation.overruled', 'reservation', e.id, jsonb_strip_nulls(jsonb_build_object(
    'fields', replaced.fields, 'status', case when 'status' = any(replaced.fields) then
      jsonb_build_object('from', e.status, 'to', b.next_status) end))
  from pg_temp.sync_batch b
  join public.reservations e on e.id = b.reservation_id
  cross join lateral (
    select array_agg(mark.field order by mark.field) as fields
    from (values ('status', e.status, b.next_status), ('table_name', e.table_name, b.table_name),
      ('notes', e.notes, b.notes)) as mark (field, ours, theirs)
    where e.staff_marks ? mark.field and mark.ours is distinct from mark.theirs
  ) as replaced
  where b.changed and e.staff_marks <> b.staff_marks and replaced.fields is not null;

  update public.reservations r set location_id = p_location, customer_id = b.customer_id,
    customer_name = b.customer_name, customer_email = b.email, customer_phone = b.phone,
    reservation_date = b.reservation_date, reservation_time = b.reservation_time, party_size = b.party_size,
    status = b.next_status, pms_status = b.pms_status, notes = b.notes,
    zone_name = b.zone_name, table_name = b.table_name, staff_marks = b.staff_marks,
    service_over = b.service_over, counts_unmarked = p_counts_unmarked,
    email_unread = coalesce(b.bad_email, false),
    -- Once it has come, another code of coming or going leaves it a walk-in; a corrected one no longer is.
    walk_in = private.is_pms_walk_in(b.pms_status) or r.walk_in and not b.is_another
      and (b.pms_status is not distinct from r.pms_status or b.next_status in ('seated', 'completed')),
    total_amount = case when not b.is_another then r.total_amount end,
    guest_answer = case when not b.is_another then r.guest_answer end,
    guest_answered_at = case when not b.is_another then r.guest_answered_at end
  from pg_temp.sync_batch b where r.id = b.reservation_id and b.changed;
  get diagnostics updated = row_count;
end
$$;
comment on function private.sync_write_reservations(uuid, uuid, boolean) is
  'Inserts the new reservations of the batch and updates the changed ones; does not touch the others. Returns how many were inserted and updated.';

create or replace function private.sync_learn_tables(p_organization uuid, p_location uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A party at "4+5" sits at two tables joined. A name with control characters could not be saved again by
  -- staff, nor more tables than the API accepts.
  insert into public.dining_tables (organization_id, location_id, zone, name, capacity)
  select p_organization, p_location,
    (array_agg(b.zone order by b.recency desc) filter (where b.zone <> ''))[1],
    b.name, max(b.party_size)
  from (
    select left(t.name, 100) as name, recency,
      nullif(least(ceil(party_size::numeric / array_length(names, 1)), 999), 0)::integer as party_size,
      left(btrim(regexp_replace(zone_name, '[\u0001-\u001f\u007f-\u009f]+', ' ', 'g')), 100) as zone
    from pg_temp.sync_batch
    cross join lateral regexp_split_to_array(btrim(table_name), '\s*\+\s*') as names
    cross join lateral unnest(names) as t (name)
    where changed and t.name <> '' and table_name !~ '[\u0001-\u001f\u007f-\u009f]'
  ) as b
  where not exists (select from public.dining_tables t where t.location_id = p_location and t.name = b.name)
  group by b.name
  order by b.name
  limit greatest(0, 1000 - (select count(*) from public.dining_tables t where t.location_id = p_location))
  on conflict (location_id, name) do nothing;
end
$$;
comment on function private.sync_learn_tables(uuid, uuid) is
  'Adds the tables that the batch names and the location does not have yet, up to 1000 in all; the largest party seen is their first capacity.';

create or replace function public.sync_reservations(p_location uuid, p_rows jsonb,
  p_now timestamptz default now(), p_reader text default 'requests') returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_service date;
  v_counts_unmarked boolean;
  v_new_customers bigint;
  v_held text[];
  v_written record;
begin
  select organization_id, private.current_service(timezone, p_now), count_unmarked_visits
  into v_organization, v_service, v_counts_unmarked
  from public.locations where id = p_location;
  if v_organization is null then
    raise exception 'unknown location' using errcode = '22023';
  end if;
  -- One writer of identities at a time: two batches never create the same person twice.
  perform private.lock_identities(v_organization);

  -- Each step reads and completes pg_temp.sync_batch.
  perform private.sync_read_rows(v_organization, p_location, p_rows, v_service);
  v_held := private.sync_set_aside(p_location, p_now, p_reader);
  v_new_customers := private.sync_match_people(v_organization);
  perform private.sync_update_profiles(v_organization);
  select * into v_written from private.sync_write_reservations(v_organization, p_location, v_counts_unmarked);
  perform private.sync_learn_tables(v_organization, p_location);
  -- Recounts the customers, present and former, of every new or changed reservation.
  perform private.refresh_customers(array(
    select customer_id from pg_temp.sync_batch where changed and customer_id is not null
    union
    select previous_customer_id from pg_temp.sync_batch where changed and previous_customer_id is not null));

  return jsonb_build_object('created', v_written.created, 'updated', v_written.updated,
    'customers', (select count(distinct customer_id) from pg_temp.sync_batch), 'customers_created',
    v_new_customers, 'bad_emails', (
      select coalesce(jsonb_agg(external_id order by external_id), '[]') from pg_temp.sync_batch
      where email_broke), 'held_elsewhere', to_jsonb(v_held));
end
$$;
comment on function public.sync_reservations(uuid, jsonb, timestamptz, text) is
  'Saves one location''s normalised PMS rows (external_id, email, phone, names, date, time, party size, status, …). Returns counts, and bad_emails: the ids of bookings that come with an e-mail that is none and did not before; held_elsewhere: the ids of rows that change nothing because another location holds them, each once a day to each p_reader.';

create or replace function private.known_days(p_from date, p_until date, p_asked daterange) returns daterange
language sql immutable set search_path = ''
as $$
  select case when p_from is null then p_asked
    when known.days && p_asked or known.days -|- p_asked then known.days + p_asked
    else p_asked end
  from (select daterange(p_from, p_until, '[]') as days) as known
$$;
comment on function private.known_days(date, date, daterange) is
  'Joins the known days with those just fetched. If there is a gap between them, only the days just fetched stay known: one range cannot have a gap.';

create or replace function public.record_sync(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_failure text default null) returns void
language sql volatile set search_path = ''
as $$
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1, synced_at = p_at,
    sync_failing_since = null, sync_failure = null
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_failure is null;
  update public.locations
  set sync_failing_since = coalesce(sync_failing_since, p_at), sync_failure = p_failure
  where id = p_location and p_failure is not null;
$$;
comment on function public.record_sync(uuid, timestamptz, date, date, text) is
  'Records that the PMS delivered a location''s days from p_from to p_to, or with p_failure why it did not.';

create or replace function public.record_look_ahead(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_outcome text) returns void
language sql volatile set search_path = ''
as $$
  update public.locations set ahead_tried_at = p_at where id = p_location;
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1,
    looked_ahead_at = case when p_outcome = 'done' then p_at else l.looked_ahead_at end,
    ahead_until = case when p_outcome = 'more' then p_to end
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_outcome in ('done', 'more')
$$;
comment on function public.record_look_ahead(uuid, timestamptz, date, date, text) is
  'Records a request for some of a location''s days ahead: done (the last part), more (parts are left) or failed.';
grant execute on function private.sync_read_rows(uuid, uuid, jsonb, date),
  private.sync_set_aside(uuid, timestamptz, text),
  private.sync_match_people(uuid), private.sync_update_profiles(uuid),
  private.is_pms_walk_in(text), private.sync_write_reservations(uuid, uuid, boolean),
  private.sync_learn_tables(uuid, uuid),
  public.sync_reservations(uuid, jsonb, timestamptz, text),
  private.known_days(date, date, daterange), public.record_sync(uuid, timestamptz, date, date, text),
  public.record_look_ahead(uuid, timestamptz, date, date, text) to service_role;
-- << supabase/logic/reservations/sync.sql

-- >> supabase/logic/reservations/visits.sql
-- What follows from reservations: the statistics and tiers of customers; and the end of a service, which
-- decides whether reservations that were never marked count as visits.

create or replace function private.refresh_customers(p_ids uuid[]) returns void
language sql volatile set search_path = ''
as $$
  -- Points first: a visit earns by the tier the customer had before it.
  select private.settle_points(p_ids);
  with own as (
    select r.customer_id, r.location_id, r.party_size, r.total_amount, l.average_spend_per_guest as average,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as instant, r.service_date as day,
      r.source <> 'import' as counts,
      coalesce(r.visited, false) as visited
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = any(p_ids)
  ), statistics as (
    select customer_id, count(*) filter (where visited) as visits, max(instant)
      filter (where visited) as last_visit, max(day) filter (where visited) as last_day,
      sum(coalesce(total_amount, party_size * average, 0))
      filter (where visited) as spend, bool_or(total_amount is null) filter (where visited) as estimate
    from own group by customer_id
  ), homes as (
    select distinct on (customer_id) customer_id, location_id
    from (
      select customer_id, location_id, count(*) filter (where counts) as bookings, max(instant) as latest
      from own group by customer_id, location_id
    ) as per_location
    order by customer_id, bookings desc, latest desc, location_id
  ), balances as (
    select customer_id, sum(points) as points from public.loyalty_points
    where customer_id = any(p_ids) group by customer_id
  ), known as (
    select c.id, c.organization_id, c.loyalty_tier_id, coalesce(s.visits, 0)::integer as visits,
      least(coalesce(s.spend, 0), 9999999999.99)::numeric(12, 2) as spend,
      coalesce(s.estimate, false) as estimate, s.last_visit, s.last_day,
      coalesce(h.location_id, c.location_id) as location_id, coalesce(b.points, 0)::bigint as points
    from public.customers c
    left join statistics s on s.customer_id = c.id
    left join homes h on h.customer_id = c.id
    left join balances b on b.customer_id = c.id
    where c.id = any(p_ids)
  ), raised as (
    select distinct on (k.id) k.id, rule.tier_id
    from known k
    join private.tier_rules() as rule on rule.location_id = k.location_id
      and rule.organization_id = k.organization_id
      and k.spend >= rule.min_spend and k.visits >= rule.min_visits
    left join public.loyalty_tiers held on held.id = k.loyalty_tier_id
    where held.id is null or rule.rank > held.rank
    order by k.id, rule.rank desc
  )
  -- One update for all of it: a row of customers is in many indexes.
  update public.customers c
  set total_visits = n.visits, total_spend = n.spend, spend_is_estimate = n.estimate,
    last_visit_at = n.last_visit, last_visit_on = n.last_day, location_id = n.location_id, points = n.points,
    loyalty_tier_id = coalesce(r.tier_id, c.loyalty_tier_id)
  from known n left join raised r on r.id = n.id
  where c.id = n.id and (r.tier_id is not null
    or (c.total_visits, c.total_spend, c.spend_is_estimate, c.last_visit_at, c.last_visit_on, c.location_id,
        c.points)
      is distinct from (n.visits, n.spend, n.estimate, n.last_visit, n.last_day, n.location_id, n.points));
  select private.refresh_rhythms(p_ids);
$$;
comment on function private.refresh_customers(uuid[]) is
  'Books the customers'' points, recomputes their visits, spend, last visit, usual location, balance and rhythm, and raises their tier; writes only what changed.';

create or replace function public.close_services(p_organization uuid, p_now timestamptz default now(),
  p_limit integer default 2000)
returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_closed integer;
  v_customers uuid[];
begin
  perform private.lock_identities(p_organization);
  -- The day once for each location, not for each reservation.
  with places as materialized (
    select l.id, l.count_unmarked_visits as counts_unmarked, private.current_service(l.timezone, p_now) as day
    from public.locations l where l.organization_id = p_organization
  ), due as (
    select r.id, places.counts_unmarked
    from places
    join public.reservations r on r.location_id = places.id and not r.service_over and r.source <> 'import'
      and r.service_date < places.day
    limit p_limit
  ), closed as (
    update public.reservations r set service_over = true, counts_unmarked = due.counts_unmarked
    from due where r.id = due.id
    returning r.customer_id, r.visited
  )
  select count(*), array_agg(distinct customer_id) filter (where visited and customer_id is not null)
  into v_closed, v_customers from closed;
  perform private.refresh_customers(coalesce(v_customers, '{}'));
  return v_closed >= p_limit;
end
$$;
comment on function public.close_services(uuid, timestamptz, integer) is
  'Closes the services that ended by p_now, at most p_limit reservations: decides who came and recomputes the affected customers. True when there may be more.';

create or replace function public.recount_unmarked(p_location uuid, p_days integer) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_location public.locations;
  v_from date;
  v_customers uuid[];
begin
  select * into v_location from public.locations
    where id = p_location and recount_from is not null for no key update;
  if v_location.id is null then
    return false;
  end if;
  perform private.lock_identities(v_location.organization_id);
  -- Jumps to the next day that has reservations.
  select min(r.service_date) into v_from from public.reservations r
  where r.location_id = p_location and r.service_date >= v_location.recount_from;
  with recounted as (
    update public.reservations r set counts_unmarked = v_location.count_unmarked_visits
    where r.location_id = p_location and r.service_date >= v_from and r.service_date < v_from + p_days
      and r.service_over and r.status = 'confirmed' and r.counts_unmarked <> v_location.count_unmarked_visits
    returning r.customer_id
  )
  select array_agg(distinct customer_id) filter (where customer_id is not null) into v_customers
    from recounted;
  perform private.refresh_customers(coalesce(v_customers, '{}'));
  update public.locations set recount_from = v_from + p_days where id = p_location;
  return v_from is not null;
end
$$;
comment on function public.recount_unmarked(uuid, integer) is
  'After count_unmarked_visits has changed: decides the visits of the location''s next p_days service days again; true when there may be more.';

create or replace function public.refresh_location(p_location uuid, p_limit integer) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_location public.locations;
  v_ids uuid[];
begin
  select * into v_location from public.locations
    where id = p_location and refresh_from is not null for no key update;
  if v_location.id is null then
    return false;
  end if;
  -- The sync writes the same customers, so only one of the two runs at a time.
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('identity:' || v_location.organization_id::text, 0));
  select coalesce(array_agg(batch.id order by batch.id), '{}') into v_ids from (
    select c.id from public.customers c
    where c.organization_id = v_location.organization_id and c.id > v_location.refresh_from
    order by c.id limit p_limit
  ) as batch;
  perform private.refresh_customers(array(
    select customer.id from unnest(v_ids) as customer (id)
    where exists (
      select 1 from public.reservations r
      where r.customer_id = customer.id and r.location_id = p_location
        and r.visited)));
  update public.locations
  set refresh_from = case when cardinality(v_ids) = p_limit then v_ids[p_limit] end
  where id = p_location;
  return cardinality(v_ids) = p_limit;
end
$$;
comment on function public.refresh_location(uuid, integer) is
  'Recomputes the next customers who have been at a location whose average spend or time zone changed; true when there are more.';
grant execute on function private.refresh_customers(uuid[]),
  public.close_services(uuid, timestamptz, integer), public.recount_unmarked(uuid, integer),
  public.refresh_location(uuid, integer) to service_role;
-- << supabase/logic/reservations/visits.sql

-- >> supabase/logic/segments/conditions.sql
-- One condition of a segment as SQL about customers c. Every value of a person is a literal of a checked
-- type.

create or replace function private.segment_reservations(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_wanted uuid[] := case when p_node ? 'locations'
    then private.segment_list(p_node, 'locations', 50)::uuid[] end;
  v_days record;
begin
  if p_node ? 'period' then
    select * into v_days from private.segment_days(p_node -> 'period', p_scope);
    perform private.segment_needed(coalesce(v_days.first, v_days.last));
  else
    select null::date as first, null::date as last into v_days;
  end if;
  -- Literals, so that the index of a location's days is planned for these days.
  return format('r.location_id = any(%L::uuid[])%s%s',
    array(select l from unnest(p_scope.locations) as l where v_wanted is null or l = any(v_wanted)),
    case when v_days.first is not null then format(' and r.service_date >= %L::date', v_days.first) end,
    case when v_days.last is not null then format(' and r.service_date <= %L::date', v_days.last) end);
end
$$;
comment on function private.segment_reservations(jsonb, private.segment_scope) is
  'The condition on reservations r that a condition''s period and locations make.';

create or replace function private.segment_birthday(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_month integer := case p_node ->> 'is' when 'this_month' then extract(month from p_scope.today)
    when 'month' then private.segment_needed(private.segment_number(p_node, 'month', 1, 12)) end;
begin
  return case p_node ->> 'is'
    when 'next_days' then format('c.birth_day = any(%L::smallint[])', private.birth_days(p_scope.today,
      private.segment_needed(private.segment_number(p_node, 'days', 0, 366))::integer))
    else format('c.birth_day between %L::smallint and %L::smallint',
      private.segment_needed(v_month) * 100 + 1, v_month * 100 + 31) end;
end
$$;
comment on function private.segment_birthday(jsonb, private.segment_scope) is
  'Birthdays of the next days (over the end of the year), of a month, or of this month.';

create or replace function private.segment_rate(p_node jsonb, p_visits text) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_min numeric := private.segment_number(p_node, 'min', 0, 100);
  v_max numeric := private.segment_number(p_node, 'max', 0, 100);
  -- The few of services that are not over are taken off again: the kept counts have them.
  v_missed constant text := '(coalesce(no_shows.n, 0) - coalesce(undecided.no_shows, 0))';
  v_all constant text := format('(%s + %s - coalesce(undecided.visits, 0))', v_missed, p_visits);
begin
  perform private.segment_needed(coalesce(v_min, v_max));
  -- Without a division; most have no no-show, and are done with at once.
  return concat_ws(' and ', case when v_min > 0 then 'no_shows.n > 0' end, format('%s >= 3', v_all),
    case when v_min > 0 then format('%s * 100 >= %L::numeric * %s', v_missed, v_min, v_all) end,
    case when v_max is not null then format('%s * 100 <= %L::numeric * %s', v_missed, v_max, v_all) end);
end
$$;
comment on function private.segment_rate(jsonb, text) is
  'Whether no-shows are so many per cent of no-shows and visits of past services (p_visits: the SQL of the visits); who has fewer than three of these has no rate.';

create or replace function private.segment_booking(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_days integer := private.segment_needed(private.segment_number(p_node, 'days', 0, 365));
  v_wanted uuid[] := case when p_node ? 'locations'
    then private.segment_list(p_node, 'locations', 50)::uuid[] end;
begin
  -- A condition for each time zone, in literals: the index of a location's days is planned for these days.
  return format('exists (select from public.reservations r where r.customer_id = c.id and (%s)
      and r.status in (''pending'', ''confirmed'') and r.source <> ''import'')', coalesce((
    select string_agg(format('r.location_id = any(%L::uuid[]) and r.service_date between %L::date and %L::date
      and r.service_order > %L::timestamp', z.locations, z.today, z.today + v_days, z.local_now), ' or ')
    from (
      select array_agg(l.id order by l.id) as locations, p_scope.at at time zone l.timezone as local_now,
        private.current_service(l.timezone, p_scope.at) as today
      from public.locations l
      where l.id = any(p_scope.locations) and (v_wanted is null or l.id = any(v_wanted))
      group by l.timezone) as z), 'false'));
end
$$;
comment on function private.segment_booking(jsonb, private.segment_scope) is
  'Whether a guest has a booking that is later than now, within so many service days of its location.';

create or replace function private.segment_rfm(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_classes text[] := private.segment_list(p_node, 'classes', 6);
  m public.rhythm_models;
  v_valuable text;
  v_recent text;
  v_long_ago text;
begin
  if not v_classes <@ array['champions', 'loyal', 'slipping', 'promising', 'cooling', 'dormant'] then
    raise exception 'segment: an unknown class' using errcode = '22023';
  end if;
  select * into m from public.rhythm_models k where k.organization_id = p_scope.organization_id;
  if m.organization_id is null then
    return 'false';
  end if;
  -- A score is 1 plus the limits that the guest exceeds. Valuable: 7 or more of the 10 points of frequency
  -- and spend.
  v_valuable := format('(2 + %s) >= 7',
    (select string_agg(format('(%s > %L::numeric)::integer', f.value, f.cut), ' + ')
    from (select 'c.total_visits' as value, unnest(m.visit_cuts)::numeric as cut
      union all select 'c.total_spend', unnest(m.spend_cuts)) as f));
  v_recent := format('c.sort_visit > %L::timestamptz',
    p_scope.at - make_interval(days => m.recency_cuts[1] + 1));
  v_long_ago := format('c.sort_visit <= %L::timestamptz',
    p_scope.at - make_interval(days => m.recency_cuts[2] + 1));
  return 'c.total_visits > 0 and (' || (select string_agg(format('(%s and %s)',
    case when class in ('champions', 'promising') then v_recent when class in ('slipping', 'dormant')
      then v_long_ago
      else format('not (%s) and not (%s)', v_recent, v_long_ago) end,
    case when class in ('champions', 'loyal', 'slipping') then v_valuable
      else format('not (%s)', v_valuable) end), ' or ')
    from unnest(v_classes) as class) || ')';
end
$$;
comment on function private.segment_rfm(jsonb, private.segment_scope) is
  'Whether a guest is in one of the RFM classes: by fifths of the group, how recently they came, and how often and for how much (one score). Nobody is before the first nightly job.';

create or replace function private.segment_facts(p_node jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_codes text[] := private.segment_list(p_node, 'codes', 50);
  v_found text := format(
    'from public.customer_facts f where f.customer_id = c.id and f.code = any(%L::text[])',
    v_codes);
begin
  return case p_node ->> 'is'
    when 'any' then 'exists (select ' || v_found || ')'
    when 'all' then '(select count(*) ' || v_found || ') = '
      || (select count(distinct code) from unnest(v_codes) as code)
    when 'none' then 'not exists (select ' || v_found || ')' end;
end
$$;
comment on function private.segment_facts(jsonb) is
  'Whether any, all or none of the codes are recorded as facts of a customer; null for another word.';

create or replace function private.segment_patterns(p_text text) returns text[]
language plpgsql immutable set search_path = ''
as $$
declare
  v_text text := private.fold(left(p_text, 200));
  v_phone text := substring(v_text from
    '^(?:(?:tel|telefono|tf|tfno|tlf|mov|movil|phone|mobile)\M[.:]* ?)?([(+0-9][0-9 ()./+-]{3,})$');
  v_digits text := regexp_replace(regexp_replace(v_phone, '\( ?0 ?\)', ''), '[^0-9]', '', 'g');
begin
  return array(
    select '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%'
    from unnest(case when v_phone is not null
      then array[coalesce(nullif(regexp_replace(v_digits, '^0{1,2}', ''), ''), v_digits)]
      else regexp_split_to_array(regexp_replace(v_text, 'l·(?= |$)', 'l', 'g'), ' ') end) as term
    where term <> '');
end
$$;
comment on function private.segment_patterns(text) is 'The LIKE patterns of a search, as searchPatterns in lib/search.ts makes them.';

create or replace function private.segment_joins(p_node jsonb, p_scope private.segment_scope, out joins jsonb,
  out column_name text)
language plpgsql stable set search_path = ''
as $$
declare
  v_days record;
  v_locations uuid[];
begin
  joins := '{}';
  -- Counts over reservations are joined as one grouped read (segment_query): a look-up for each of a million
  -- customers takes longer, and so does a read for each condition.
  if p_node ->> 'field' in ('visits', 'spend') and (p_node ? 'period' or p_node ? 'locations') then
    select * into v_days from private.segment_days(p_node -> 'period', p_scope);
    column_name := case p_node ->> 'field' when 'visits' then 'n_' else 'a_' end
      || left(md5(private.segment_reservations(p_node, p_scope)), 12);
    v_locations := case when p_node ? 'locations'
      then private.segment_list(p_node, 'locations', 50)::uuid[] end;
    joins := jsonb_build_object('v_' || column_name, jsonb_build_object(
      'locations', case when not p_scope.locations <@ v_locations then v_locations::text end,
      'first', coalesce(v_days.first, '1900-01-01'), 'last', coalesce(v_days.last, '2199-12-31')));
  elsif p_node ->> 'field' in ('no_shows', 'no_show_rate') then
    joins := '{"no_shows": {}}';
    if p_scope.bound and p_node ->> 'field' = 'no_show_rate' then
      -- Both counts of the own locations: the kept one is the group's.
      column_name := 'n_' || left(md5(private.segment_reservations('{}', p_scope)), 12);
      joins := joins || jsonb_build_object('v_' || column_name, jsonb_build_object(
        'locations', null, 'first', '1900-01-01', 'last', '2199-12-31'));
    end if;
    if p_node ->> 'field' = 'no_show_rate' then
      joins := joins || '{"undecided": {}}';
    end if;
  elsif p_node ->> 'field' = 'rhythm' then
    joins := '{"rhythm": {}}';
  end if;
end
$$;
comment on function private.segment_joins(jsonb, private.segment_scope) is
  'What segment_query must join for a condition: no_shows, undecided, rhythm, or a count or sum of visits (v_n_… or v_a_…: {locations or null, first, last}); column_name is that of the last, in v.';

-- Everything a person gives enters the query as a literal (%L) of a checked type, or chooses among texts of
-- ours.
create or replace function private.segment_leaf(p_node jsonb, p_scope private.segment_scope,
  out condition text, out joins jsonb, out known boolean)
language plpgsql stable set search_path = ''
as $$
declare
  v_is text := p_node ->> 'is';
  v_column text;
begin
  select j.joins, j.column_name into joins, v_column from private.segment_joins(p_node, p_scope) as j;
  condition := case p_node ->> 'field'
    when 'search' then (select string_agg(format('c.search_text like %L', pattern), ' and ')
      from unnest(private.segment_patterns(p_node ->> 'text')) as pattern)
    when 'tags' then format(case v_is when 'any' then 'c.tags && %L::text[]'
      when 'all' then 'c.tags @> %L::text[]'
      when 'none' then 'not c.tags && %L::text[]' end, private.segment_list(p_node, 'tags', 50))
    when 'tier' then format('c.loyalty_tier_id = any(%L::uuid[])',
      private.segment_list(p_node, 'tiers', 50)::uuid[])
    when 'location' then format('c.location_id = any(%L::uuid[])',
      private.segment_list(p_node, 'locations', 50)::uuid[])
    when 'source' then format('c.source = any(%L::text[])', private.segment_list(p_node, 'sources', 50))
    when 'consent' then 'true'
      || private.consent_condition(private.segment_needed(p_node ->> 'channel') || ':' ||
      private.segment_needed(p_node ->> 'state'))
    when 'points' then private.segment_range('c.points', p_node, 9000000000000000)
    when 'visits' then private.segment_range(coalesce('v.' || v_column, 'c.total_visits'), p_node, 1000000000)
    when 'spend' then private.segment_range(coalesce('v.' || v_column, 'c.total_spend'), p_node,
      9999999999.99)
    when 'last_visit' then case when v_is = 'between' then private.segment_visit_days(p_node, p_scope)
      else private.segment_instants('c.sort_visit', p_node, p_scope) end
    when 'created' then private.segment_instants('c.created_at', p_node, p_scope)
    when 'birthday' then private.segment_birthday(p_node, p_scope)
    when 'facts' then private.segment_facts(p_node)
    when 'booking' then private.segment_booking(p_node, p_scope)
    when 'no_shows' then private.segment_range('no_shows.n', p_node, 1000000)
    when 'no_show_rate'
      then private.segment_rate(p_node, coalesce('coalesce(v.' || v_column || ', 0)', 'c.total_visits'))
    when 'rhythm' then private.rhythm_state(v_is, 'rhythm', p_scope.today)
    when 'rfm' then private.segment_rfm(p_node, p_scope)
  end;
  perform private.segment_needed(condition);
  known := p_node ->> 'field' in ('facts', 'booking') or p_node ->> 'field' = 'consent'
    and p_node ->> 'state' = 'opted_out';
end
$$;
comment on function private.segment_leaf(jsonb, private.segment_scope) is
  'One condition as SQL about customers c ($1: the organization), whether it is never null (known), and what segment_query must join (see segment_joins).';
-- << supabase/logic/segments/conditions.sql

-- >> supabase/logic/segments/members.sql
-- Whom a segment matches: for lists, for automations, and for the preview of a change.

create or replace function private.readable_segment(p_id uuid) returns public.segments
language sql stable security definer set search_path = ''
as $$
  select s from public.segments s
  where s.id = p_id and s.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and (s.shared or s.owner_id = (select private.caller()))
$$;
comment on function private.readable_segment(uuid) is 'The segment, if the caller may read it.';

create or replace function private.segment_source(p_organization uuid, p_segment uuid, p_now timestamptz)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_definition jsonb := (private.readable_segment(p_segment)).definition;
begin
  return private.stored_segment_query(v_definition, private.segment_scope_of(p_organization, p_now, true));
end
$$;
comment on function private.segment_source(uuid, uuid, timestamptz) is
  'The query of the customers (id, sort_visit) of a segment that the caller may read; of another one nobody.';

create or replace function private.segment_members(p_organization uuid, p_segment uuid, p_now timestamptz,
  p_after uuid default null, p_until uuid default null, p_locations uuid[] default null) returns setof uuid
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_definition jsonb := (select s.definition from public.segments s
    where s.id = p_segment and s.organization_id = p_organization and s.shared);
  v_scope private.segment_scope := private.segment_scope_of(p_organization, p_now, false);
begin
  if p_locations is not null then
    v_scope.bound := true;
    v_scope.locations := array(select l from unnest(v_scope.locations) as l where l = any(p_locations));
  end if;
  if v_definition is not null then
    return query execute format('select found.id from (%s) as found where true%s%s',
      private.stored_segment_query(v_definition, v_scope),
      case when p_after is not null then ' and found.id > $2' end,
      case when p_until is not null then ' and found.id <= $3' end)
      using p_organization, p_after, p_until;
  end if;
end
$$;
comment on function private.segment_members(uuid, uuid, timestamptz, uuid, uuid, uuid[]) is
  'The customers of a shared segment in the whole organization, for automations; nobody when there is none. p_after, p_until: only those in this range of ids. p_locations: as someone bound to these sees it.';
grant execute on function private.segment_members(uuid, uuid, timestamptz, uuid, uuid, uuid[])
  to service_role;

create or replace function private.segment_page(p_ids uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name',
    nullif(concat_ws(' ', c.first_name, c.last_name), ''),
    'email', c.email, 'phone', c.phone, 'tier', t.name, 'total_visits', c.total_visits, 'total_spend',
    c.total_spend,
    'last_visit_at', c.last_visit_at, 'last_visit_on', c.last_visit_on)
    order by c.sort_visit desc, c.id desc), '[]')
  from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id where c.id = any(p_ids)
$$;
comment on function private.segment_page(uuid[]) is 'What a preview shows of customers, who came last first.';

-- Counts of visits by guest fit into this memory, and are not sorted on disk. An index has visits in the
-- order of guests; a hash of a million guests would cost more, which the planner does not expect. A person
-- waits: two processes may count.
create or replace function public.preview_segment(p_definition jsonb, p_id uuid default null,
  p_limit integer default 20, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_scope private.segment_scope := private.segment_scope_of(v_organization, private.clock(p_now), true);
  v_former jsonb := (private.readable_segment(p_id)).definition;
  v_limit integer := least(greatest(p_limit, 0), 100);
  v_after record;
  v_changes record;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  elsif p_id is not null and v_former is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_former is null or v_former = p_definition then
    execute format('with found as materialized (%s) select (select count(*) from found) as n,
        array(select f.id from found f order by f.sort_visit desc, f.id desc limit $2) as ids',
      private.segment_query(p_definition, v_scope)) into v_after using v_organization, v_limit;
  else
    -- Everyone in one of the two, and in which: one statement, so that both are of the same moment.
    execute format('with was as (%s), found as (%s), each as materialized (
          select id, coalesce(f.sort_visit, w.sort_visit) as sort_visit,
            w.sort_visit is not null as was, f.sort_visit is not null as now
          from was w full join found f using (id))
        select count(*) filter (where now) as n,
          count(*) filter (where now and not was) as n_added,
          count(*) filter (where was and not now) as n_dropped,
          array(select e.id from each e where e.now
            order by e.sort_visit desc, e.id desc limit $2) as ids,
          array(select e.id from each e where e.now and not e.was
            order by e.sort_visit desc, e.id desc limit $2) as added,
          array(select e.id from each e where e.was and not e.now
            order by e.sort_visit desc, e.id desc limit $2) as dropped
        from each', private.stored_segment_query(v_former, v_scope), private.segment_query(p_definition, v_scope))
      into v_changes using v_organization, v_limit;
    return jsonb_build_object('outcome', 'found', 'customers', v_changes.n, 'first',
      private.segment_page(v_changes.ids),
      'added', jsonb_build_object('customers', v_changes.n_added, 'first',
        private.segment_page(v_changes.added)),
      'dropped', jsonb_build_object('customers', v_changes.n_dropped, 'first',
        private.segment_page(v_changes.dropped)));
  end if;
  return jsonb_build_object('outcome', 'found', 'customers', v_after.n, 'first',
    private.segment_page(v_after.ids))
    || case when p_id is null then '{}'::jsonb
      else '{"added": {"customers": 0, "first": []}, "dropped": {"customers": 0, "first": []}}' end;
end
$$;
comment on function public.preview_segment(jsonb, uuid, integer, timestamptz) is
  'How many customers of the caller a definition matches, and the first of them; with the id of a segment also whom the definition would add to it and drop. forbidden and not_found likewise as outcome.';
grant execute on function public.preview_segment(jsonb, uuid, integer, timestamptz) to authenticated;
-- << supabase/logic/segments/members.sql

-- >> supabase/logic/segments/query.sql
-- A segment's definition, a tree of and, or, not over conditions, as one query of the customers that match.
-- lib/segments/schema.ts says what a definition looks like.

create or replace function private.segment_scope_of(p_organization uuid, p_now timestamptz,
  p_for_caller boolean)
returns private.segment_scope
language plpgsql stable set search_path = ''
as $$
declare
  s private.segment_scope;
begin
  s.organization_id := p_organization;
  s.at := p_now;
  s.timezone := private.zone_of(p_organization);
  s.today := (p_now at time zone s.timezone)::date;
  s.bound := p_for_caller and not private.works_everywhere();
  s.locations := array(select l.id from public.locations l
    where l.organization_id = p_organization
      and (not s.bound or l.id = any(array(select private.my_locations()))));
  return s;
end
$$;
comment on function private.segment_scope_of(uuid, timestamptz, boolean) is
  'For the caller: someone bound to locations sees the guests and reservations of these alone. Else for the whole organization.';

create or replace function private.segment_tree(p_node jsonb, p_scope private.segment_scope, p_depth integer,
  out condition text, out joins jsonb, out size integer, out known boolean)
language plpgsql stable set search_path = ''
as $$
declare
  v_kind text := case when p_node ? 'and' then 'and' when p_node ? 'or' then 'or'
    when p_node ? 'not' then 'not' end;
  v_child jsonb;
  v_part record;
  v_parts text[] := '{}';
begin
  joins := '{}';
  size := 0;
  known := false;
  if jsonb_typeof(p_node) is distinct from 'object' or v_kind is not null and p_depth > 5 then
    raise exception 'segment: not a definition, or too deep' using errcode = '22023';
  elsif v_kind is null then
    select leaf.condition, leaf.joins, 1, leaf.known into condition, joins, size, known
    from private.segment_leaf(p_node, p_scope) as leaf;
    condition := '(' || condition || ')';
    return;
  end if;
  if v_kind <> 'not'
    and (jsonb_typeof(p_node -> v_kind) <> 'array'
    or jsonb_array_length(p_node -> v_kind) not between 1 and 50) then
    raise exception 'segment: a group has 1 to 50 parts' using errcode = '22023';
  end if;
  for v_child in
    select e.value from jsonb_array_elements(case v_kind when 'not' then jsonb_build_array(p_node -> 'not')
      else p_node -> v_kind end)
      with ordinality as e (value, place) order by e.place
  loop
    select * into v_part from private.segment_tree(v_child, p_scope, p_depth + 1);
    v_parts := v_parts || v_part.condition;
    joins := joins || v_part.joins;
    size := size + v_part.size;
    if size > 50 then
      raise exception 'segment: more than 50 conditions' using errcode = '22023';
    end if;
  end loop;
  -- A condition on what is not known (null) does not hold, and its contrary does. Postgres makes a join of
  -- "not exists".
  condition := case v_kind
    when 'not' then format(case when v_part.known then '(not %s)' else '(%s is not true)' end, v_parts[1])
    else '(' || array_to_string(v_parts, ' ' || v_kind || ' ') || ')' end;
end
$$;
comment on function private.segment_tree(jsonb, private.segment_scope, integer) is
  'A definition as SQL: the condition on customers c, its joins by alias, how many conditions it has, and whether it is one that is never null. At most 50, five groups deep.';

create or replace function private.visits_join(p_joins jsonb, p_scope private.segment_scope) returns text
language sql stable set search_path = ''
as $$
  -- offset 0: a condition within the groups would be guessed to leave few of them, and customers looked up
  -- one by one. Both groups are in the order of an index that has all they need; the join keeps to the
  -- organization's customers.
  select format(' left join (select r.customer_id%s
      from public.reservations r join public.locations l on l.id = r.location_id
      where r.location_id = any(%L::uuid[]) and r.service_date between %L::date and %L::date
        and r.visited and r.customer_id is not null
      group by r.customer_id offset 0) v on v.customer_id = c.id',
    string_agg(format(case when j.column_name like 'n%%' then ', count(*)%s as %s'
      else ', sum(coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0))%s as %s' end,
      ' filter (where ' || nullif(concat_ws(' and ',
        case when j.locations is not null then format('r.location_id = any(%L::uuid[])', j.locations) end,
        case when j.first > j.all_first then format('r.service_date >= %L::date', j.first) end,
        case when j.last < j.all_last then format('r.service_date <= %L::date', j.last) end), '') || ')',
      j.column_name), '' order by j.column_name),
    (p_scope).locations, min(j.first), max(j.last))
  from (
    select substr(v.key, 3) as column_name, v.value ->> 'locations' as locations,
      v.value ->> 'first' as first,
      v.value ->> 'last' as last, min(v.value ->> 'first') over () as all_first,
      max(v.value ->> 'last') over () as all_last
    from jsonb_each(p_joins) as v where v.key like 'v\_%') as j
  having count(*) > 0
$$;
comment on function private.visits_join(jsonb, private.segment_scope) is
  'The join (v, by customer) of the counts and sums of visits among the joins of a definition, as one grouped read; null without any.';

create or replace function private.segment_query(p_definition jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_tree record;
begin
  if length(p_definition::text) > 100000 then
    raise exception 'segment: too long' using errcode = '22023';
  end if;
  select * into v_tree from private.segment_tree(p_definition, p_scope, 1);
  return format('select c.id, c.sort_visit from public.customers c%s%s%s%s where c.organization_id = $1%s and %s',
    private.visits_join(v_tree.joins, p_scope),
    case when v_tree.joins ? 'no_shows'
      then ' left join (select r.customer_id, count(*) as n from public.reservations r
      where r.status = ''no_show'' and r.source <> ''import'' and r.customer_id is not null'
      || case when p_scope.bound then format(' and r.location_id = any(%L::uuid[])', p_scope.locations)
        else '' end || '
      group by r.customer_id offset 0) no_shows on no_shows.customer_id = c.id' end,
    case when v_tree.joins ? 'undecided'
      then format(' left join (select r.customer_id, count(*) filter (where r.visited) as visits,
        count(*) filter (where r.status = ''no_show'') as no_shows
      from public.reservations r
      where r.location_id = any(%L::uuid[]) and not r.service_over and r.source <> ''import''
        and (r.visited or r.status = ''no_show'') and r.customer_id is not null
      group by r.customer_id offset 0) undecided on undecided.customer_id = c.id', p_scope.locations) end,
    case when v_tree.joins ? 'rhythm'
      then ' left join public.customer_rhythms rhythm on rhythm.customer_id = c.id' end,
    case when p_scope.bound then format(' and c.location_id = any(%L::uuid[])', p_scope.locations) end,
    v_tree.condition);
end
$$;
comment on function private.segment_query(jsonb, private.segment_scope) is
  'The query of the customers (id, sort_visit) whom a definition matches; $1 is the organization.';

create or replace function private.stored_segment_query(p_definition jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
begin
  return private.segment_query(p_definition, p_scope);
exception when data_exception then
  return 'select c.id, c.sort_visit from public.customers c where false';
end
$$;
comment on function private.stored_segment_query(jsonb, private.segment_scope) is
  'segment_query of a stored definition: nobody when it is null or cannot be read any more, so that no list fails for it.';
-- << supabase/logic/segments/query.sql

-- >> supabase/logic/segments/values.sql
-- The values of a segment's conditions, checked: lists, numbers, ranges, days and instants. What cannot be
-- read raises an exception; lib/segments/schema.ts refuses it in words.

-- Stable although they read nothing: what is immutable Postgres may work out in a branch that is not taken,
-- and it would raise.
create or replace function private.segment_list(p_node jsonb, p_key text, p_most integer) returns text[]
language plpgsql stable set search_path = ''
as $$
begin
  if jsonb_typeof(p_node -> p_key) is distinct
    from 'array' or jsonb_array_length(p_node -> p_key) not between 1 and p_most
    or exists (select from jsonb_array_elements(p_node -> p_key) as e where jsonb_typeof(e.value) <> 'string')
      then
    raise exception 'segment: % needs 1 to % texts', p_key, p_most using errcode = '22023';
  end if;
  return array(select jsonb_array_elements_text(p_node -> p_key));
end
$$;
comment on function private.segment_list(jsonb, text, integer) is 'A list of a condition; an exception where it is none, empty or too long.';

create or replace function private.segment_number(p_node jsonb, p_key text, p_least numeric, p_most numeric)
  returns numeric
language plpgsql stable set search_path = ''
as $$
declare
  v_number numeric := (p_node ->> p_key)::numeric;
begin
  -- NaN is above every number.
  if v_number < p_least or v_number > p_most then
    raise exception 'segment: % out of range', p_key using errcode = '22003';
  end if;
  return v_number;
end
$$;
comment on function private.segment_number(jsonb, text, numeric, numeric) is 'A number of a condition within its limits; null where it is absent.';

create or replace function private.segment_needed(p_value anyelement) returns anyelement
language plpgsql stable set search_path = ''
as $$
begin
  if p_value is null then
    raise exception 'segment: a condition lacks a value' using errcode = '22023';
  end if;
  return p_value;
end
$$;
comment on function private.segment_needed(anyelement) is 'The value; an exception for null.';

create or replace function private.segment_range(p_value text, p_node jsonb, p_most numeric) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_min numeric := private.segment_number(p_node, 'min', 0, p_most);
  v_max numeric := private.segment_number(p_node, 'max', 0, p_most);
begin
  perform private.segment_needed(coalesce(v_min, v_max));
  -- A count is compared with whole numbers: the query would fail for who uses the segment, not for who saves
  -- it.
  if p_value <> 'c.total_spend' and p_value not like 'v.a\_%'
    and (v_min <> trunc(v_min) or v_max <> trunc(v_max)) then
    raise exception 'segment: a count is a whole number' using errcode = '22023';
  end if;
  -- Without a row there is nothing: 0. Asked for more than that, the comparison alone says so, and a join can
  -- begin there.
  return concat_ws(' and ',
    -- As >=, which the planner would guess to leave few of the counted: it would look customers up one by
    -- one.
    case when v_min > 0 and p_value like 'v.%' then format('div(%s, %L) <> 0', p_value, trim_scale(v_min))
      when v_min > 0 then format('%s >= %L', p_value, trim_scale(v_min))
      when v_min = 0 then format('coalesce(%s, 0) >= 0', p_value) end,
    case when v_min > 0 and v_max is not null then format('%s <= %L', p_value, trim_scale(v_max))
      when v_max is not null then format('coalesce(%s, 0) <= %L', p_value, trim_scale(v_max)) end);
end
$$;
comment on function private.segment_range(text, jsonb, numeric) is
  'Whether a count or sum (an expression of ours, null for none) lies between min and max of the condition, both included; one may be absent.';

create or replace function private.segment_days(p_node jsonb, p_scope private.segment_scope, out first date,
  out last date)
language plpgsql stable set search_path = ''
as $$
declare
  v_days integer := private.segment_number(p_node, 'days', 0, 3650);
begin
  first := case when v_days is null then (p_node ->> 'from')::date else p_scope.today - v_days end;
  last := case when v_days is null then (p_node ->> 'to')::date else p_scope.today end;
  if first not between '1900-01-01' and '2199-12-31' or last not between '1900-01-01' and '2199-12-31' then
    raise exception 'segment: a date out of range' using errcode = '22003';
  end if;
end
$$;
comment on function private.segment_days(jsonb, private.segment_scope) is
  'The days of a period {days} (the last so many, and today) or {from, to}; null where it is open.';

create or replace function private.segment_instants(p_column text, p_node jsonb,
  p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_days integer := private.segment_number(p_node, 'days', 1, 3650);
  v_first date := (p_node ->> 'from')::date;
  v_last date := (p_node ->> 'to')::date;
begin
  if least(v_first, v_last) < '1900-01-01' or greatest(v_first, v_last) > '2199-12-31' then
    raise exception 'segment: a date out of range' using errcode = '22003';
  end if;
  return case p_node ->> 'is'
    when 'within' then format('%s >= %L::timestamptz', p_column,
      private.segment_needed(p_scope.at - make_interval(days => v_days)))
    when 'before' then format('%1$s < %2$L::timestamptz and %1$s > ''-infinity''', p_column,
      private.segment_needed(p_scope.at - make_interval(days => v_days)))
    when 'between' then concat_ws(' and ', format('%s > ''-infinity''', p_column),
      format('%s >= %L::timestamptz', p_column,
        private.segment_needed(coalesce(v_first, '1900-01-01')::timestamp at time zone p_scope.timezone)),
      format('%s < %L::timestamptz', p_column,
        (coalesce(v_last, '2199-12-31') + 1)::timestamp at time zone p_scope.timezone))
    when 'never' then format('%s = ''-infinity''', p_column)
    else private.segment_needed(null::text) end;
end
$$;
comment on function private.segment_instants(text, jsonb, private.segment_scope) is
  'Whether an instant lies within the last days, before them, between two days of the group''s clock, or (-infinity) is none.';

create or replace function private.segment_visit_days(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_days record;
begin
  select * into v_days from private.segment_days(p_node - 'days', p_scope);
  -- The moments are for the index: a service day lies within two days of its date everywhere.
  return format('c.last_visit_on between %L::date and %L::date and c.sort_visit >= %L::timestamptz
      and c.sort_visit < %L::timestamptz', coalesce(v_days.first, '1899-12-31'),
    coalesce(v_days.last, '2200-01-01'), coalesce(v_days.first, '1900-01-01') - 2 || ' UTC',
    coalesce(v_days.last, '2199-12-31') + 3 || ' UTC');
end
$$;
comment on function private.segment_visit_days(jsonb, private.segment_scope) is
  'Whether the service day of the last visit lies between two days, both included; one may be absent.';
-- << supabase/logic/segments/values.sql

-- >> supabase/logic/service/board.sql
-- Tonight, as the host sees it: the parties of a service day with what to know about each, and what staff tap
-- (arrived, seated, table assigned, no-show, cancelled, finished, set back, walk-in, undo). Telephones lose
-- their connection, so a tap has a key: sent twice, it counts once.

create or replace function private.tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('status', p_reservation.status, 'table_name', p_reservation.table_name,
    'arrived_at', p_reservation.arrived_at, 'seated_at', p_reservation.seated_at,
    'finished_at', p_reservation.finished_at)
$$;
comment on function private.tapped_fields(public.reservations) is 'The fields of a reservation that taps change.';

create or replace function private.refused_tap(p_key uuid, p_reservation uuid, p_saved jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(f.key, f.value)
  from jsonb_each(jsonb_build_object('key', p_key, 'reservation_id', p_reservation,
    'outcome', coalesce(lower(p_saved ->> 'code'), p_saved ->> 'outcome'), 'code', p_saved -> 'code',
    'questions', p_saved -> 'questions', 'current', p_saved -> 'current')) as f
  where f.value <> 'null'
$$;
comment on function private.refused_tap(uuid, uuid, jsonb) is
  'The answer to a tap that save_reservation did not save: its outcome, or what it asks first, in lower case, with all questions and the party at the table.';

create or replace function private.seat_walk_in(p_location uuid, p_tap jsonb, p_at timestamptz,
  p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_place public.locations;
  v_next public.reservations;
  v_saved jsonb;
begin
  select * into v_place from public.locations where id = p_location;
  v_saved := public.save_reservation(jsonb_build_object('location_id', p_location,
    'customer_name', p_tap -> 'customer_name', 'party_size', p_tap -> 'party_size', 'status', 'seated',
    'table_name', p_tap -> 'table_name', 'reservation_date', (p_at at time zone v_place.timezone)::date,
    'reservation_time', to_char(p_at at time zone v_place.timezone, 'HH24:MI'),
    -- Who has come is asked about tables only.
    'confirm', coalesce(p_tap -> 'confirm', '[]') || '["service_over", "closed", "outside_hours"]'),
    null, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, null, v_saved || case when v_saved ? 'questions'
      then jsonb_build_object('questions',
        (v_saved -> 'questions') - '{SERVICE_OVER,CLOSED,OUTSIDE_HOURS}'::text[])
      else '{}' end);
  end if;
  update public.reservations set walk_in = true, arrived_at = p_at, seated_at = p_at
  where id = (v_saved #>> '{reservation,id}')::uuid returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  values (v_key, v_next.organization_id, v_next.id, 'walk_in', '{}', private.tapped_fields(v_next), p_now);
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_next.id);
end
$$;
comment on function private.seat_walk_in(uuid, jsonb, timestamptz, timestamptz) is
  'Books and seats at p_at the party of a tap that came without a booking: as take_tap.';

create or replace function private.fields_after(p_old public.reservations, p_tap jsonb, p_at timestamptz)
  returns jsonb
language sql stable set search_path = ''
as $$
  select private.tapped_fields(p_old) || case p_tap ->> 'action'
    when 'arrive' then jsonb_build_object('arrived_at', p_at,
      'status', case when p_old.status in ('pending', 'no_show', 'cancelled') then 'confirmed'
        else p_old.status end)
    when 'seat' then jsonb_build_object('arrived_at', coalesce(p_old.arrived_at, p_at), 'seated_at', p_at,
      'finished_at', null, 'status', 'seated', 'table_name',
      coalesce(p_tap ->> 'table_name', p_old.table_name))
    when 'assign' then jsonb_build_object('table_name', p_tap -> 'table_name')
    when 'no_show' then '{"status": "no_show", "arrived_at": null, "seated_at": null}'
    when 'cancel' then '{"status": "cancelled", "arrived_at": null, "seated_at": null, "finished_at": null}'
    when 'finish' then jsonb_build_object('status', 'completed', 'finished_at', p_at)
    when 'set_back' then jsonb '{"finished_at": null}' || case p_tap ->> 'to'
      -- Since when the party sits is what it was before.
      when 'seated' then '{"status": "seated"}'
      when 'arrived' then jsonb_build_object('status', 'confirmed', 'seated_at', null,
        'arrived_at', coalesce(p_old.arrived_at, p_at))
      else '{"status": "confirmed", "arrived_at": null, "seated_at": null}' end
    end
$$;
comment on function private.fields_after(public.reservations, jsonb, timestamptz) is
  'What a reservation has of tapped_fields after a tap at p_at: arrive, seat, assign, no_show, cancel, finish, or set_back to expected, arrived or seated.';

create or replace function private.take_tap(p_location uuid, p_tap jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  -- A walk-in that was tapped without a connection has no id yet: later taps name its key.
  v_id uuid := coalesce((p_tap ->> 'reservation_id')::uuid, (
    select t.reservation_id from private.service_taps t where t.key = (p_tap ->> 'of')::uuid));
  -- A telephone without a connection sends what was tapped earlier, within the day.
  v_at timestamptz := greatest(least(coalesce((p_tap ->> 'at')::timestamptz, p_now), p_now),
    p_now - interval '1 day');
  v_old public.reservations;
  v_next public.reservations;
  v_undone private.service_taps;
  v_fields jsonb;
  v_saved jsonb;
begin
  if exists (select from private.service_taps t where t.key = v_key) then
    return jsonb_build_object('key', v_key, 'outcome', 'repeated');
  end if;
  if v_action = 'walk_in' then
    return private.seat_walk_in(p_location, p_tap, v_at, p_now);
  end if;

  -- First this lock and then the reservation, as save_reservation and the sync do: the other way round a tap
  -- and a sync would wait for each other, and one of them would fail.
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  select * into v_old from public.reservations r
  where r.id = v_id and r.location_id = p_location and r.source <> 'import' for update;
  if v_old.id is null then
    return jsonb_build_object('key', v_key, 'outcome', 'not_found');
  end if;
  if v_action = 'undo' then
    select * into v_undone from private.service_taps t
    where t.key = (p_tap ->> 'undoes')::uuid and t.reservation_id = v_old.id;
    if v_undone.key is null then
      return jsonb_build_object('key', v_key, 'outcome', 'not_found');
    elsif private.tapped_fields(v_old) <> v_undone.after then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    -- An undone walk-in never came.
    v_fields := case v_undone.action when 'walk_in'
      then private.tapped_fields(v_old) || '{"status": "cancelled", "seated_at": null, "arrived_at": null}'
      else v_undone.before end;
  else
    -- Another person or the PMS was faster: the state that this person saw is outdated.
    if v_old.status <> coalesce(p_tap ->> 'seen', v_old.status) then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    v_fields := private.fields_after(v_old, p_tap, v_at);
  end if;
  v_saved := public.save_reservation(jsonb_build_object('status', v_fields -> 'status',
    'table_name', v_fields -> 'table_name', 'confirm', p_tap -> 'confirm'), v_old.id, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, v_old.id, v_saved);
  end if;
  update public.reservations r set arrived_at = (v_fields ->> 'arrived_at')::timestamptz,
    seated_at = (v_fields ->> 'seated_at')::timestamptz,
    finished_at = (v_fields ->> 'finished_at')::timestamptz
  where r.id = v_old.id returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  values (v_key, v_old.organization_id, v_old.id, v_action, private.tapped_fields(v_old),
    private.tapped_fields(v_next), p_now);
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_old.id);
end
$$;
comment on function private.take_tap(uuid, jsonb, timestamptz) is
  'Applies one tap, once: saved, repeated, conflict (the reservation has changed since the person saw it; nothing changes), not_found, or refused_tap. Its confirm answers the questions of save_reservation.';

create or replace function public.take_taps(p_location uuid, p_taps jsonb, p_now timestamptz default now())
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_tap jsonb;
  v_answers jsonb := '[]';
begin
  p_now := private.clock(p_now);
  if p_location is null or p_location <> all(array(select private.my_locations('canAccessOperaciones'))) then
    return null;
  end if;
  -- In the order in which they were tapped: one may build on another. A queue is short.
  for v_tap in select value from jsonb_array_elements(p_taps) limit 50 loop
    v_answers := v_answers || private.take_tap(p_location, v_tap, p_now);
  end loop;
  return v_answers;
end
$$;
comment on function public.take_taps(uuid, jsonb, timestamptz) is
  'Taps of the service of a location, at most 50, in order: one answer each {key, outcome, reservation_id}. Null without the right. See private.take_tap.';

create or replace function public.service_list(p_location uuid, p_day date default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with place as materialized (
    select l.*, coalesce(p_day, private.current_service(l.timezone, (select private.clock(p_now)))) as day
    from public.locations l
    where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
  ), bound as materialized (
    select private.bound_to() as locations
  ), birthdays as materialized (
    select n as days, unnest(private.birth_days(p.day + n, 0)) as birth_day
    from place p cross join generate_series(-3, 3) as n
  ), parties as (
    select r.service_order, r.id,
      jsonb_build_object('id', r.id, 'time', to_char(r.reservation_time, 'HH24:MI'),
      'shift_id', private.shift_at(r.location_id, r.service_date, r.reservation_time),
      'name', coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')),
      'phone', coalesce(r.customer_phone, c.phone), 'party_size', r.party_size, 'status', r.status,
      'table_name', r.table_name, 'zone_name', r.zone_name,
      'arrived_at', r.arrived_at, 'seated_at', r.seated_at, 'finished_at', r.finished_at, 'walk_in',
      r.walk_in,
      'notes', nullif(btrim(r.notes), ''), 'customer_id', c.id, 'customer_notes', nullif(btrim(c.notes), ''),
      'tags', coalesce(to_jsonb(c.tags), '[]'), 'tier', t.name,
      'vip', coalesce(t.rank >= (
        select coalesce(min(o.rank) filter (where o.name = 'Oro'), 3) from public.loyalty_tiers o
        where o.organization_id = c.organization_id), false),
      'birthday_in', b.days, 'first_visit', coalesce(c.total_visits = 0, false),
      'facts', coalesce((
        select jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note)
          order by f.kind, f.code)
        from public.customer_facts f where f.customer_id = c.id), '[]'),
      'allergies', coalesce(a.codes, '[]'),
      'no_shows', coalesce((
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.status = 'no_show' and o.source <> 'import' and o.id <> r.id
          and (w.locations is null or o.location_id = any(w.locations))), 0)) as party
    from place p cross join bound w
    join public.reservations r on r.location_id = p.id and r.service_date = p.day and r.source <> 'import'
    left join public.customers c on c.id = r.customer_id
      and c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    left join birthdays b on b.birth_day = c.birth_day
    -- Whoever sees the booking sees them, also without the right to cards.
    left join private.allergy_codes(array(select o.customer_id from place q join public.reservations o
      on o.location_id = q.id and o.service_date = q.day)) as a on a.customer_id = r.customer_id
  )
  select jsonb_build_object('location',
    jsonb_build_object('id', p.id, 'name', p.name, 'timezone', p.timezone, 'stay_minutes', p.stay_minutes),
    'day', p.day, 'at', (select private.clock(p_now)), 'closed', (
      select jsonb_build_object('name', d.name) from public.closed_days d where d.location_id = p.id
        and d.day = p.day and num_nonnulls(d.shift, d.zone) = 0),
    'closings', coalesce((
      select jsonb_agg(private.closing_json(d) order by d.shift nulls first, d.zone nulls first, d.id)
      from public.closed_days d where d.location_id = p.id and d.day = p.day), '[]'),
    'shifts', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'opens', to_char(s.opens, 'HH24:MI'),
        'closes', to_char(s.closes, 'HH24:MI'), 'capacity', s.capacity) order by s.opens_at)
      from public.shifts s
      where s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)), '[]'),
    'tables', coalesce((
      select jsonb_agg(jsonb_build_object('name', d.name, 'zone', d.zone, 'capacity', d.capacity)
        -- As people count: 2 before 10.
        order by d.zone nulls last, substring(d.name from '^\D*'),
          substring(d.name from '\d+')::numeric nulls first, d.name)
      from public.dining_tables d where d.location_id = p.id and d.is_active), '[]'),
    'waiting', public.list_waiting(p.id),
    'parties', coalesce((select jsonb_agg(x.party order by x.service_order, x.id) from parties x), '[]'))
  from place p
$$;
comment on function public.service_list(uuid, date, timestamptz) is
  'A service day of a location, by default the current one: its closings, shifts, tables, waitlist, and parties by time with facts and notes of each. Null without the right.';

create or replace function public.services(p_day date, p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(public.service_list(l.id, p_day, (select private.clock(p_now)))
    order by l.name, l.id), '[]')
  from public.locations l
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and case when p_location is null then l.is_active else l.id = p_location end
$$;
comment on function public.services(date, uuid, timestamptz) is
  'A day''s services of the caller''s active locations, or of one: see service_list.';

-- Figures without names, as in service_summary: everyone's, each in their locations.
create or replace function public.shift_occupancy(p_location uuid default null, p_date date default null,
  p_now timestamptz default now())
returns table (location_id uuid, shift_id uuid, name text, capacity integer, covers bigint)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id, d.day from public.locations l
    cross join lateral (
      select coalesce(p_date, private.current_service(l.timezone, (select private.clock(p_now)))) as day) as d
    where l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
      and exists (select from public.shifts s where s.location_id = l.id and s.capacity is not null)
      and not exists (select from public.closed_days c where c.location_id = l.id and c.day = d.day
        and num_nonnulls(c.shift, c.zone) = 0)
  ), taken as materialized (
    -- A shift is looked up for each time, not for each reservation.
    select private.shift_at(t.id, t.day, t.reservation_time) as shift_id, sum(t.covers)::bigint as covers
    from (
      select p.id, p.day, r.reservation_time, sum(r.party_size) as covers
      from places p join public.reservations r on r.location_id = p.id and r.service_date = p.day
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
      group by p.id, p.day, r.reservation_time) as t
    group by 1
  )
  select s.location_id, s.id, s.name, s.capacity, coalesce(t.covers, 0)
  from places p
  join public.shifts s on s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)
  left join taken t on t.shift_id = s.id
  where s.capacity is not null
  order by s.location_id, s.opens_at
$$;
comment on function public.shift_occupancy(uuid, date, timestamptz) is
  'The covers and capacity of a date''s shifts, else of the current service''s; without shifts of unknown capacity and closed days.';
grant execute on function public.take_taps(uuid, jsonb, timestamptz),
  public.service_list(uuid, date, timestamptz), public.services(date, uuid, timestamptz),
  public.shift_occupancy(uuid, date, timestamptz) to authenticated;
-- << supabase/logic/service/board.sql

-- >> supabase/logic/statistics/reports.sql
-- Reports: whether new guests come again, and revenue by tier. private.report_period keeps them to the
-- caller's locations; under RLS every visit would be read from the table, for a column that the index does
-- not have.

create or replace function private.report_period(p_months integer, p_location uuid, p_now timestamptz,
  out locations uuid[], out first_day date, out today date, out closed_until date, out data_from date)
language sql stable set search_path = ''
as $$
  with places as (
    select l.id, private.current_service(l.timezone, p_now) as day, (
      select r.service_date from public.reservations r where r.location_id = l.id and r.visited
      order by r.service_date limit 1) as since
    from public.locations l
    where l.id = any(array(select private.my_locations('canReadReports')))
      and exists (select from private.my_organizations('canAccessClientes'))
      and (p_location is null or l.id = p_location)
  ), days as (
    select coalesce(array_agg(p.id), '{}') as ids, coalesce(max(p.day), p_now::date) as latest,
      coalesce(min(p.day), p_now::date) - 1 as closed, min(p.since) as since
    from places p
  )
  select d.ids, (date_trunc('month', d.latest)
    - make_interval(months => greatest(least(p_months, 36), 1) - 1))::date, d.latest, d.closed, d.since
  from days d
$$;
comment on function private.report_period(integer, uuid, timestamptz) is
  'The locations of the caller''s report (all of theirs without p_location) and its service days: p_months calendar months up to today, the current one included. Services are over everywhere up to closed_until; visits are known from data_from on.';

create or replace function public.report_cohorts(p_months integer default 12, p_location uuid default null,
  p_split text default null, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '32MB'
as $$
declare
  v_period record := private.report_period(p_months, p_location, private.clock(p_now));
  v_locations uuid[] := v_period.locations;
  v_first date := v_period.first_day;
  v_last date := v_period.today;
  v_closed date := v_period.closed_until;
begin
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return (
    with first_visits as (
      select distinct on (r.customer_id) r.customer_id, r.service_order, r.location_id, r.walk_in, r.source
      from public.reservations r
      where r.visited and r.customer_id is not null and r.location_id = any(v_locations)
      order by r.customer_id, r.service_order, r.location_id, r.walk_in, r.source
    ), newcomers as materialized (
      select f.customer_id, f.location_id, f.walk_in, f.source,
        (f.service_order - interval '6 hours')::date as day
      from first_visits f
      where f.service_order >= v_first + time '06:00' and f.service_order < v_last + 1 + time '06:00'
    ), cells as materialized (
      select date_trunc('month', n.day)::date as month,
        case p_split when 'location' then n.location_id::text
          when 'channel' then case when n.walk_in then 'walk_in' else n.source end
          when 'source' then nullif(btrim(c.source), '') end as key,
        (again.days + 29) / 30 as step, count(*) as guests
      from newcomers n
      left join public.customers c on p_split = 'source' and c.id = n.customer_id
      left join lateral (
        select (r.service_order - interval '6 hours')::date - n.day as days
        from public.reservations r
        where r.customer_id = n.customer_id and r.visited and r.location_id = any(v_locations)
          and r.service_order >= n.day + 1 + time '06:00'
        order by r.service_order limit 1) as again on true
      group by 1, 2, 3
    ), ranked as (
      select key, key is not null and p_split = 'source'
        and row_number() over (order by key is null, sum(guests) desc, key) > 12 as rest
      from cells group by key
    ), folded as (
      select case when not k.rest then k.key end as key, k.rest, c.month, c.step,
        sum(c.guests)::integer as guests
      from cells c join ranked k on k.key is not distinct from c.key
      group by 1, 2, 3, 4
    ), steps as (
      select f.key, f.rest, f.month, s.step, sum(f.guests) as guests,
        case when (f.month + interval '1 month')::date - 1 + 30 * s.step <= v_closed
          then coalesce(sum(f.guests) filter (where f.step <= s.step), 0) end as returned
      from folded f cross join generate_series(1, 12) as s (step)
      group by f.key, f.rest, f.month, s.step
    ), cohorts as (
      select key, rest, month, guests, jsonb_agg(returned order by step) as returned
      from steps group by key, rest, month, guests
    ), grouped as (
      select c.key, c.rest, sum(c.guests) as guests, jsonb_agg(jsonb_build_object(
        'month', c.month, 'guests', c.guests, 'returned', c.returned) order by c.month) as cohorts
      from cohorts c group by c.key, c.rest
    )
    select jsonb_build_object('from', v_period.first_day, 'to', v_period.today,
      'closed_until', v_period.closed_until, 'data_from', v_period.data_from,
      'groups', coalesce(jsonb_agg(jsonb_build_object('key', g.key, 'rest', g.rest,
        'name', case p_split when 'location' then (select l.name from public.locations l
          where l.id = g.key::uuid)
          when 'source' then g.key end,
        'cohorts', g.cohorts) order by g.rest, g.key is null, g.guests desc, g.key), '[]'))
    from grouped g
  );
end
$$;
comment on function public.report_cohorts(integer, uuid, text, timestamptz) is
  'New guests by month of their first visit in the locations, and how many of them had come on a later day within 30, 60, … 360 days: null while a month''s last day is not that long ago. By p_split: location or channel of the first visit (pms, manual, walk_in), or source (the 12 largest and the rest). Null: an unknown location.';

create or replace function public.report_tiers(p_months integer default 12, p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '32MB'
as $$
declare
  v_period record := private.report_period(p_months, p_location, private.clock(p_now));
  v_locations uuid[] := v_period.locations;
  v_first date := v_period.first_day;
  v_last date := v_period.today;
begin
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return (
    with places as (
      select l.id, coalesce(l.average_spend_per_guest * 100, 0)::integer as cents from public.locations l
    ), spent as (
      -- In cents: sums of integers need a third of the memory that sums of numeric need. The outer join is
      -- for the planner, which expects an inner one to lose most rows.
      select r.customer_id, count(*)::integer as visits, sum(r.party_size) as covers,
        sum(coalesce((r.total_amount * 100)::integer, r.party_size * p.cents)) as revenue,
        sum(case when r.total_amount is null then r.party_size * p.cents else 0 end) as estimated
      from public.reservations r left join places p on p.id = r.location_id
      where r.visited and r.location_id = any(v_locations)
        and r.service_order >= v_first + time '06:00' and r.service_order < v_last + 1 + time '06:00'
      group by r.customer_id
    ), held as (
      select s.customer_id is not null as known, c.loyalty_tier_id as tier, count(s.customer_id) as guests,
        sum(s.visits) as visits, sum(s.covers) as covers, sum(s.revenue) / 100 as revenue,
        sum(s.estimated) / 100 as estimated
      from spent s left join public.customers c on c.id = s.customer_id
      group by 1, 2
    ), named as (
      select t.id, t.name, t.rank, true as known from public.loyalty_tiers t
      where t.organization_id = any(array(select private.my_organizations('canReadReports')))
      union all select null, null, null, true
      union all select null, null, null, false
    )
    select jsonb_build_object('from', v_first, 'to', v_last, 'tiers', jsonb_agg(jsonb_build_object(
      'id', n.id, 'name', n.name, 'known', n.known, 'guests', coalesce(h.guests, 0), 'visits',
        coalesce(h.visits, 0),
      'covers', coalesce(h.covers, 0), 'revenue', coalesce(h.revenue, 0),
      'estimated_revenue', coalesce(h.estimated, 0)) order by n.known desc, n.rank desc nulls last))
    from named n left join held h on h.known = n.known and h.tier is not distinct from n.id
  );
end
$$;
comment on function public.report_tiers(integer, uuid, timestamptz) is
  'The visits and revenue (EUR) of a period by the tier that the guests have today, the highest first; then guests without a tier, then visits without a customer record (known: false). Null: an unknown location.';
create or replace function public.report_weeks(p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_now timestamptz := private.clock(p_now);
  v_period record := private.report_period(1, p_location, v_now);
  v_locations uuid[] := v_period.locations;
  v_monday date := date_trunc('week', v_period.today)::date;
begin
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return (
    with places as materialized (
      select l.*, private.current_service(l.timezone, v_now) as today
      from public.locations l where l.id = any(v_locations)
    ), weeks as (
      select f.location_id, date_trunc('week', f.service_date)::date as week,
        sum(f.reservations) filter (where f.service_date < p.today) as reservations,
        sum(f.covers) filter (where f.service_date < p.today) as covers,
        sum(f.visits) filter (where f.service_date < p.today) as visits,
        sum(f.no_shows) filter (where f.service_date < p.today) as no_shows,
        sum(f.cancelled) filter (where f.service_date < p.today) as cancelled,
        sum(f.known_revenue) filter (where f.service_date < p.today) as known,
        sum(f.unknown_covers * coalesce(p.average_spend_per_guest, 0))
          filter (where f.service_date < p.today) as estimated,
        sum(f.reservations) filter (where f.service_date >= p.today) as booked_reservations,
        sum(f.covers) filter (where f.service_date >= p.today) as booked_covers
      -- 52 weeks before a week has the same weekdays. The week before these shows whether data began in them.
      from private.figures_of(v_locations, v_monday - 7 * 14 - 364, v_monday + 13) as f
      join places p on p.id = f.location_id
      where f.service_date >= v_monday - 7 * 13 or f.service_date < v_monday + 14 - 364
      group by f.location_id, date_trunc('week', f.service_date)
    )
    select jsonb_build_object('monday', v_monday,
      'locations', (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name,
          'is_active', p.is_active, 'pms_id', p.pms_id, 'known_from', p.known_from,
          'known_until', p.known_until) order by p.name, p.id), '[]') from places p),
      'weeks', (select coalesce(jsonb_agg(jsonb_build_object('location_id', w.location_id, 'week', w.week,
          'reservations', coalesce(w.reservations, 0),
          'covers', coalesce(w.covers, 0), 'visits', coalesce(w.visits, 0),
          'no_shows', coalesce(w.no_shows, 0), 'cancelled', coalesce(w.cancelled, 0),
          'revenue', coalesce(w.known + w.estimated, 0), 'estimated_revenue', coalesce(w.estimated, 0),
          'booked_reservations', coalesce(w.booked_reservations, 0),
          'booked_covers', coalesce(w.booked_covers, 0)) order by w.week, w.location_id), '[]') from weeks w))
  );
end
$$;
comment on function public.report_weeks(uuid, timestamptz) is
  'The figures by week (from Monday) and location of the 13 weeks before this one, this one and the next, and of the same weeks 52 before and the one before these: what services that are over served, and what is booked from today on. Null: an unknown location.';
grant execute on function private.report_period(integer, uuid, timestamptz),
  public.report_cohorts(integer, uuid, text, timestamptz), public.report_tiers(integer, uuid, timestamptz),
  public.report_weeks(uuid, timestamptz)
  to authenticated;
-- << supabase/logic/statistics/reports.sql

-- >> supabase/logic/statistics/statistics.sql
-- Figures of the home page and the host's page, by service and location.

-- Figures without names are for everyone in the organization (home needs no permission), within their
-- locations; hence definer rights over private.my_locations().
create or replace function public.service_summary(p_location uuid default null, p_date date default null,
  p_now timestamptz default now(), p_source text default null, p_search text[] default null)
returns table (location_id uuid, service_date date, status text, hour integer, reservations bigint,
  covers bigint)
language sql stable security definer set search_path = ''
as $$
  select l.id, r.service_date, r.status, extract(hour from r.reservation_time)::integer,
    count(*), sum(r.party_size)
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = coalesce(p_date, private.current_service(l.timezone, (select private.clock(p_now))))
    and r.source <> 'import' and (p_source is null or r.source = p_source)
    and (p_search is null or r.search_name ilike all (p_search))
  where (p_search is null or l.id = any(array(select private.my_locations('canAccessOperaciones')))) and
     l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  group by l.id, r.service_date, r.status, extract(hour from r.reservation_time)
$$;
comment on function public.service_summary(uuid, date, timestamptz, text, text[]) is
  'Reservations and covers of a date''s service, else of the current one (it ends at 06:00 local), by location, status and hour 0–23. p_search (LIKE patterns of the name) is for those who may read reservations.';

-- Definer rights as well: under RLS the time zone arithmetic would keep Postgres from using the index of the
-- day.
create or replace function public.next_arrivals(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns setof public.reservations
language sql stable security definer set search_path = ''
as $$
  select r.*
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = private.current_service(l.timezone, (select private.clock(p_now)))
    and r.service_order >= (select private.clock(p_now)) at time zone l.timezone
    and r.status in ('pending', 'confirmed')
    and r.source <> 'import'
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and (p_location is null or l.id = p_location)
  order by r.service_order at time zone l.timezone, r.id
  limit least(p_limit, 50)
$$;
comment on function public.next_arrivals(uuid, integer, timestamptz) is
  'The next expected parties of the current service in the caller''s locations.';

-- Figures without names, as in service_summary: everyone's, each in their locations.
create or replace function public.daily_summary(p_from date, p_to date, p_location uuid default null,
  p_source text default null, p_search text[] default null)
returns table (location_id uuid, service_date date, reservations bigint, covers bigint, no_shows bigint,
  cancelled bigint)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id from public.locations l
    where (p_search is null or l.id = any(array(select private.my_locations('canAccessOperaciones')))) and
      l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  )
  select f.location_id, f.service_date, f.reservations, f.covers, f.no_shows, f.cancelled
  from private.figures_of(array(select p.id from places p), p_from, least(p_to, p_from + 61)) as f
  where p_source is null and p_search is null
  union all
  -- A source or a name is counted reservation by reservation.
  select r.location_id, r.service_date,
    count(*) filter (where r.status not in ('cancelled', 'no_show')),
    coalesce(sum(r.party_size) filter (where r.status not in ('cancelled', 'no_show')), 0),
    count(*) filter (where r.status = 'no_show'),
    count(*) filter (where r.status = 'cancelled')
  from places p
  join public.reservations r on r.location_id = p.id
    and r.service_date between p_from and least(p_to, p_from + 61) and r.source <> 'import'
    and (p_source is null or r.source = p_source)
    and (p_search is null or r.search_name ilike all (p_search))
  where p_source is not null or p_search is not null
  group by r.location_id, r.service_date
$$;
comment on function public.daily_summary(date, date, uuid, text, text[]) is
  'Reservations and covers of those who come, no-shows and cancellations, by location and service day (62 at most); p_search as in service_summary.';

create or replace function private.names_allergy(p_text text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return private.fold(p_text)
    ~ '(alerg|allerg|intoleran|celiac|coeliac|anafila|anaphyla|gluten|lactos)';
end
$$;
comment on function private.names_allergy(text) is 'Whether notes or tags seem to name an allergy or intolerance.';

-- Visits are the customer's in the whole group, no-shows those of the reader's locations, as on their page.
create or replace function private.guests_to_know(p_locations uuid[], p_organizations uuid[], p_date date,
  p_limit integer, p_now timestamptz, p_bound uuid[])
returns table (reservation_id uuid, location_id uuid, location_name text, customer_id uuid,
  customer_name text, reservation_time time, party_size integer, status text, tier text, vip boolean,
  birthday_in integer, allergy boolean, facts jsonb, notes text, first_visit boolean,
  last_visit_at timestamptz, away boolean, no_shows integer, found integer)
language sql stable set search_path = ''
as $$
  with places as materialized (
    select l.id, l.name, l.timezone, coalesce(p_date, private.current_service(l.timezone, p_now)) as day
    from public.locations l where l.id = any(p_locations)
  ), birthdays as materialized (
    select d.day, n as days, unnest(private.birth_days(d.day + n, 0)) as birth_day
    from (select distinct day from places) as d cross join generate_series(-3, 3) as n
  ), tiers as materialized (
    select t.id, t.name, t.rank >= coalesce(
      min(t.rank) filter (where t.name = 'Oro') over (partition by t.organization_id), 3) as vip
    from public.loyalty_tiers t where t.organization_id = any(p_organizations)
  ), booked as materialized (
    select r.id, r.service_order at time zone p.timezone as instant, r.reservation_time, r.party_size,
      r.status, p.id as place, p.name as place_name, p.day, r.customer_name, r.notes, c.id as customer,
      c.first_name, c.last_name, c.notes as own_notes, c.tags, c.birth_day, c.total_visits, c.last_visit_at,
      c.loyalty_tier_id
    from places p
    join public.reservations r on r.location_id = p.id and r.service_date = p.day
      and r.status in ('pending', 'confirmed', 'seated') and r.source <> 'import'
    join public.customers c on c.id = r.customer_id
      and c.organization_id = any(p_organizations)
  ), tagged as materialized (
    -- Many guests have the same tags, which are judged once (offset 0); no word of an allergy has a space.
    select d.tags from (select distinct b.tags from booked b where b.tags <> '{}' offset 0) as d
    where private.names_allergy(array_to_string(d.tags, ' '))
  ), allergic as materialized (
    select distinct k.customer_id from public.customer_facts k
    where k.kind = 'allergy' and k.customer_id = any(array(select b.customer from booked b))
  ), missed as materialized (
    select o.customer_id, count(*)::integer as no_shows from public.reservations o
    where o.customer_id = any(array(select b.customer from booked b))
      and o.status = 'no_show' and o.source <> 'import' and (p_bound is null or o.location_id = any(p_bound))
    group by o.customer_id
  ), expected as materialized (
    select b.*, coalesce(b.customer_name, nullif(concat_ws(' ', b.first_name, b.last_name), '')) as name,
      t.name as tier, coalesce(t.vip, false) as vip, d.days as birthday_in, b.total_visits = 0 as first_visit,
      coalesce(b.total_visits > 0 and b.last_visit_at < p_now - interval '180 days', false) as away,
      coalesce(m.no_shows, 0) as no_shows,
      nullif(concat_ws(' · ', nullif(btrim(b.notes), ''), nullif(btrim(b.own_notes), '')), '') as all_notes,
      g.tags is not null or a.customer_id is not null or case when coalesce(b.notes, b.own_notes) is not null
        then private.names_allergy(concat_ws(' ', b.notes, b.own_notes)) else false end as allergy
    from booked b
    left join tiers t on t.id = b.loyalty_tier_id
    left join birthdays d on d.day = b.day and d.birth_day = b.birth_day
    left join tagged g on g.tags = b.tags
    left join allergic a on a.customer_id = b.customer
    left join missed m on m.customer_id = b.customer
  ), known as (
    select e.*, count(*) over ()::integer as found,
      case when e.allergy then 32 else 0 end + case when e.birthday_in = 0 then 20
        when e.birthday_in is not null
        then 12 else 0 end + case when e.vip then 16 else 0 end + case when e.no_shows > 0 then 8 else 0 end
        + case when e.away then 8 else 0 end + case when e.first_visit then 4 else 0 end
        + case when e.all_notes is not null then 2 else 0 end as weight
    from expected e
    where e.allergy or e.vip or e.away or e.first_visit or e.birthday_in is not null or e.no_shows > 0
      or e.all_notes is not null
    order by weight desc, e.instant, e.id
    limit least(p_limit, 50)
  )
  select k.id, k.place, k.place_name, k.customer, k.name, k.reservation_time, k.party_size, k.status, k.tier,
    k.vip, k.birthday_in, k.allergy, f.facts, k.all_notes, k.first_visit, k.last_visit_at, k.away, k.no_shows,
    k.found
  from known k
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('code', o.code, 'kind', o.kind, 'note', o.note)
      order by o.kind, o.code), '[]') as facts
    from public.customer_facts o where o.customer_id = k.customer) as f
  order by k.instant, k.id
$$;
comment on function private.guests_to_know(uuid[], uuid[], date, integer, timestamptz, uuid[]) is
  'Of a day''s expected and seated guests (of the current service without a date) the most noteworthy, by time: allergy, birthday within 3 days, VIP tier, away for 180 days, first visit, no-shows, notes. found counts them all. p_bound: the reader''s locations (null: all), whose no-shows count.';

-- Definer rights as in next_arrivals, for the index of the day; names and notes only to who may read both
-- reservations and customers.
create or replace function public.customers_to_know(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns table (reservation_id uuid, location_id uuid, location_name text, customer_id uuid,
  customer_name text, reservation_time time, party_size integer, status text, tier text, vip boolean,
  birthday_in integer, allergy boolean, facts jsonb, notes text, first_visit boolean,
  last_visit_at timestamptz, away boolean, no_shows integer, found integer)
language sql stable security definer set search_path = ''
as $$
  select k.* from private.guests_to_know(
    array(select l.id from public.locations l
      where l.id = any(array(select private.my_locations('canAccessOperaciones')))
        and (p_location is null or l.id = p_location)),
    array(select private.my_organizations('canAccessClientes')), null, p_limit, (select private.clock(p_now)),
    private.bound_to()) as k
$$;
comment on function public.customers_to_know(uuid, integer, timestamptz) is
  'Of the current service''s guests those that staff should know, in the caller''s locations; see private.guests_to_know.';

-- Invoker rights: RLS keeps to the caller's locations. A customer has few reservations, found by their index.
create or replace function public.customer_habits(p_customer uuid, p_now timestamptz default now())
returns table (next_reservation uuid, next_location text, next_date date, next_time time,
  next_service_date date, next_location_id uuid, next_party_size integer, usual_location text,
  usual_table text, usual_table_location text, usual_weekday integer, first_date date, past integer,
  no_shows integer, usual_days real, rhythm text, return_probability double precision)
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select r.id, r.location_id, l.name as location, r.reservation_date, r.reservation_time, r.service_date,
      r.service_order, r.party_size, r.status, r.service_over, r.visited,
      nullif(btrim(r.table_name), '') as table_name,
      r.service_order < (select private.clock(p_now)) at time zone l.timezone as is_past
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.source <> 'import'
  ), upcoming as (
    select m.* from mine m where not m.is_past and m.status in ('pending', 'confirmed')
    order by m.service_order, m.id limit 1
  ), place as (
    select m.location from mine m where m.visited
    group by m.location_id, m.location having count(*) >= 2
    order by count(*) desc, max(m.service_order) desc, m.location_id limit 1
  ), seat as (
    select m.table_name, m.location from mine m where m.visited and m.table_name is not null
    group by m.location_id, m.location, m.table_name having count(*) >= 2
    order by count(*) desc, max(m.service_order) desc, m.location_id, m.table_name limit 1
  ), weekday as (
    select extract(isodow from m.service_date)::integer as day from mine m where m.visited
    group by 1 having count(*) >= 2
    order by count(*) desc, max(m.service_order) desc limit 1
  ), kept as (
    select count(*)::integer as past, count(*) filter (where m.status = 'no_show')::integer as no_shows
    from mine m where m.service_over and (m.visited or m.status = 'no_show')
  ), rhythm as (
    select g.usual_days,
      case when g.usual_days is null then 'unknown' when g.lost_on <= day.today then 'lost'
        when g.at_risk_on <= day.today then 'at_risk' else 'on_time' end as state,
      case when g.usual_days is not null
        then private.return_probability(p.r, p.alpha, p.a, p.b, g.visit_days - 1, g.last_day - g.first_day,
        day.today - g.first_day) end as probability
    from public.customer_rhythms g join public.organizations o on o.id = g.organization_id
    cross join lateral (select ((select private.clock(p_now)) at time zone o.timezone)::date) as day (today)
    cross join lateral private.rhythm_parameters(array[g.organization_id]) as p
    where g.customer_id = p_customer
  )
  select u.id, u.location, u.reservation_date, u.reservation_time, u.service_date, u.location_id,
    u.party_size, p.location, s.table_name, s.location, w.day,
    (select m.service_date from mine m order by m.service_order limit 1), k.past, k.no_shows,
    g.usual_days, g.state, g.probability
  from kept k left join upcoming u on true left join place p on true left join seat s on true
    left join weekday w on true left join rhythm g on true
$$;
comment on function public.customer_habits(uuid, timestamptz) is
  'A customer in the caller''s locations: the next booking; where, at which table and on which weekday (1 is Monday) they came at least twice; the service day of the first booking; no-shows and visits of past services, and the no-shows among them. And their rhythm, over all locations.';

-- With spend: the office's, each in their locations.
create or replace function public.stats_overview(p_from date default null, p_to date default null,
  p_location uuid default null, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_locations uuid[] := array(
    select mine from private.my_locations('canWorkInOffice') as mine
      where p_location is null or mine = p_location);
  v_to date;
  v_from date;
begin
  p_now := private.clock(p_now);
  if p_location is not null and cardinality(v_locations) = 0 then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  v_to := coalesce(p_to, (
    select max(private.current_service(l.timezone, p_now))
    from public.locations l where l.id = any(v_locations)), p_now::date);
  v_from := coalesce(p_from, v_to - 6);
  if v_to - v_from not between 0 and 365 then
    return jsonb_build_object('outcome', 'bad_period');
  end if;
  return (
    with daily as materialized (
      select f.location_id, f.service_date as day, f.service_date >= v_from as recent,
        f.booked, f.reservations, f.covers, f.completed, f.visits, f.cancelled, f.no_shows,
        f.known_revenue as known, f.unknown_covers * coalesce(l.average_spend_per_guest, 0) as estimated
      from private.figures_of(v_locations, v_from - (v_to - v_from + 1), v_to) as f
      join public.locations l on l.id = f.location_id
    ), figures as (
      select recent, day, location_id, sum(booked) as booked, sum(reservations) as reservations,
        sum(covers) as covers,
        sum(completed) as completed, sum(visits) as visits, sum(cancelled) as cancelled,
        sum(no_shows) as no_shows, sum(known + estimated) as revenue, sum(estimated) as estimated_revenue
      from daily group by grouping sets ((recent), (recent, day), (recent, location_id))
    ), held as (
      select value as tier, customers
      from private.counts_of(array(select private.my_organizations('canWorkInOffice')), 'tier')
    )
    select jsonb_build_object('outcome', 'ok', 'from', v_from, 'to', v_to,
      'figures', (
        select coalesce(jsonb_agg(to_jsonb(f) order by f.recent, f.day, f.location_id), '[]') from figures f
        where f.recent or (f.day is null and f.location_id is null)),
      'locations', (select coalesce(
        jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'is_active', l.is_active,
          'pms_id', l.pms_id, 'known_from', l.known_from, 'known_until', l.known_until)
            order by l.name, l.id), '[]')
        from public.locations l where l.id = any(v_locations)),
      'customers', (select coalesce(sum(customers), 0) from held),
      'by_tier', (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name,
          'customers', coalesce(h.customers, 0)) order by t.rank), '[]')
        from public.loyalty_tiers t left join held h on h.tier = t.id::text
        where t.organization_id = any(array(select private.my_organizations('canWorkInOffice'))))));
end
$$;
comment on function public.stats_overview(date, date, uuid, timestamptz) is
  'Figures of a period (default: the last 7 service days) and totals of the one before: ok, unknown_location or bad_period (over 366 days).';
grant execute on function public.service_summary(uuid, date, timestamptz, text, text[]),
  public.next_arrivals(uuid, integer, timestamptz), public.daily_summary(date, date, uuid, text, text[]),
  public.customers_to_know(uuid, integer, timestamptz), public.customer_habits(uuid, timestamptz),
  public.stats_overview(date, date, uuid, timestamptz)
  to authenticated;
-- << supabase/logic/statistics/statistics.sql

-- Rows

-- The triggers would tell the same of each guest once more, and that each was changed today.
alter table public.customers disable trigger user;
update public.customers c set last_visit_on = v.day
from (
  select r.customer_id, max(r.service_date) as day from public.reservations r
  where r.visited and r.customer_id is not null group by r.customer_id) as v
where v.customer_id = c.id;
alter table public.customers enable trigger user;
update public.loyalty_points p set amount_is_estimate = true
from public.reservations r
where r.id = p.reservation_id and p.amount is not null and r.total_amount is null;
-- A trigger brings the figures of their days along.
update public.reservations r set walk_in = true where r.pms_status = '9' and not r.walk_in;

reset check_function_bodies;
