-- Schema 20261129110607. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

create index reservations_seated_idx on public.reservations (location_id, service_date)
  where status = 'seated' and not service_over;

-- >> supabase/logic/customers/search.sql
-- Finding and reading customers: the list with its filters, and what a customer's page shows.

create or replace function private.birth_days(p_from date, p_days integer) returns smallint[]
language sql stable set search_path = ''
as $$
  select array(
    select (extract(month from p_from + n) * 100 + extract(day from p_from + n))::smallint
    from generate_series(0, p_days) as n
    union
    -- In common years a birthday on 29 February is celebrated on the 28th.
    select 229::smallint from generate_series(0, p_days) as n
    where to_char(p_from + n, 'MMDD') = '0228' and to_char(p_from + n + 1, 'MMDD') = '0301')
$$;
comment on function private.birth_days(date, integer) is
  'The values of customers.birth_day from that date on, for so many days.';

create or replace function private.customers_where(p_organization uuid, p_filters jsonb, p_now timestamptz)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_inactive_since timestamptz := p_now - make_interval(days => (p_filters ->> 'inactive_days')::integer);
  v_bound uuid[] := private.bound_to();
  v_rhythm text;
  v_where text := '';
begin
  -- Only conditions that apply enter the query, so that each one is planned for what it is.
  if p_filters -> 'ids' is not null then
    v_where := v_where || format(' and c.id = any(%L::uuid[])',
      array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid));
  end if;
  if p_filters ->> 'search' is not null then
    v_where := v_where || private.search_condition('c.search_text', p_filters -> 'search');
  end if;
  if p_filters ->> 'tier' is not null then
    v_where := v_where || format(' and c.loyalty_tier_id = any(%L::uuid[])', array(
      select t.id from public.loyalty_tiers t
      where t.organization_id = p_organization and p_filters ->> 'tier' in (t.id::text, t.name)));
  end if;
  if p_filters ->> 'location_id' is not null then
    v_where := v_where || ' and c.location_id = ($2 ->> ''location_id'')::uuid';
  end if;
  if p_filters ->> 'tag' is not null
    then v_where := v_where || ' and c.tags @> array[$2 ->> ''tag'']'; end if;
  if p_filters ->> 'consent' is not null then
    v_where := v_where || private.consent_condition(p_filters ->> 'consent');
  end if;
  case p_filters ->> 'segment'
    when 'inactive' then
      v_inactive_since := least(v_inactive_since, p_now - interval '90 days');
    when 'new' then
      v_where := v_where || format(' and c.created_at >= %L::timestamptz', p_now - interval '30 days');
    when 'vip' then
      v_where := v_where || format(' and c.loyalty_tier_id = any(%L::uuid[])', array(
        select t.id from public.loyalty_tiers t where t.organization_id = p_organization and t.rank >=
          coalesce((select o.rank from public.loyalty_tiers o
            where o.organization_id = p_organization and o.name = 'Oro'), 3)));
    when 'birthday' then
      v_where := v_where || format(' and c.birth_day = any(%L::smallint[])', private.birth_days(
        (p_now at time zone private.zone_of(p_organization))::date, 7));
    when 'no_show' then
      v_where := v_where
        || format(' and exists (select 1 from public.reservations r where r.customer_id = c.id
        and r.status = ''no_show'' and r.source <> ''import''%s)', case when v_bound is not null then
        format(' and r.location_id = any(%L::uuid[])', v_bound) end);
    else
      if p_filters ->> 'segment' is not null then
        raise exception 'unknown segment "%"', p_filters ->> 'segment' using errcode = '22023';
      end if;
  end case;
  if p_filters ->> 'rhythm' is not null then
    v_rhythm := private.rhythm_state(p_filters ->> 'rhythm', 'k',
      (p_now at time zone private.zone_of(p_organization))::date);
    if v_rhythm is null then
      raise exception 'unknown rhythm "%"', p_filters ->> 'rhythm' using errcode = '22023';
    end if;
    v_where := v_where || format(' and c.id in (select k.customer_id from public.customer_rhythms k
      where k.organization_id = $1 and %s)', v_rhythm);
  end if;
  if p_filters ->> 'segment_id' is not null then
    v_where := v_where || format(' and c.id in (select found.id from (%s) as found)',
      private.segment_source(p_organization, (p_filters ->> 'segment_id')::uuid, p_now));
  end if;
  if v_inactive_since is not null then
    v_where := v_where || format(' and c.sort_visit < %L::timestamptz and c.sort_visit > ''-infinity''',
      v_inactive_since);
  end if;
  return v_where;
end
$$;
comment on function private.customers_where(uuid, jsonb, timestamptz) is
  'The condition of a query of customers c: $1 is the organization, $2 the object of the filters (customerFilters in lib/customers/filters.ts), to which a selection adds its ids.';

-- The customer list as one function. Under RLS Postgres cannot use an index for LIKE (it is not leakproof),
-- so the function checks the caller's right itself, once, and reads with its owner's.
create or replace function public.list_customers(
  p_filters jsonb default '{}', p_sort text default 'recent', p_after_key text default null,
  p_after_id uuid default null, p_limit integer default 50, p_now timestamptz default now())
returns table (customer jsonb, key text)
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_column text := case p_sort when 'recent' then 'sort_visit' when 'name' then 'sort_name'
    when 'spend' then 'total_spend' when 'visits' then 'total_visits' end;
  v_type text := case p_sort when 'recent' then 'timestamptz' when 'name' then 'text'
    when 'spend' then 'numeric' when 'visits' then 'integer' end;
  v_ascending boolean := p_sort = 'name';
  v_where text;
  v_page text;
  v_ids uuid[];
  v_source text;
  v_customers public.customers[];
begin
  p_now := private.clock(p_now);
  if v_column is null then
    raise exception 'unknown sort "%"', p_sort using errcode = '22023';
  end if;
  v_where := private.customers_where(v_organization, p_filters - 'segment_id', p_now);
  if p_filters ->> 'segment_id' is not null then
    -- A segment alone has what the usual order needs; otherwise its customers are looked up.
    v_source := case when v_where = '' and p_sort = 'recent' then 'found c'
      else 'found join public.customers c on c.id = found.id and c.organization_id = $1' end;
  end if;
  if p_after_id is not null then
    v_where := v_where || format(' and (c.%I, c.id) %s ($3::%s, $4)',
      v_column, case when v_ascending then '>' else '<' end, v_type);
  end if;
  v_page := format('%s order by c.%I %3$s, c.id %3$s limit $5',
    v_where, v_column, case when v_ascending then 'asc' else 'desc' end);
  if p_filters ->> 'segment_id' is null then
    execute format('select array(select c from public.customers c where c.organization_id = $1 %s)', v_page)
    into v_customers using v_organization, p_filters, p_after_key, p_after_id, least(p_limit, 201);
  else
    -- The ids of the page first: as a statement of its own it may be counted by two processes.
    execute format('with found as materialized (%s) select array(select c.id from %s where true %s)',
      private.segment_source(v_organization, (p_filters ->> 'segment_id')::uuid, p_now), v_source, v_page)
    into v_ids using v_organization, p_filters, p_after_key, p_after_id, least(p_limit, 201);
    v_customers := array(select c from unnest(v_ids) with ordinality as page (id, place)
      join public.customers c on c.id = page.id order by page.place);
  end if;
  return query
  select shown.customer, case p_sort when 'recent' then to_jsonb(c.sort_visit) #>> '{}'
    when 'name' then c.sort_name
    when 'spend' then c.total_spend::text else c.total_visits::text end
  from private.customers_json(v_customers) with ordinality as shown (customer, place)
  join unnest(v_customers) with ordinality as c on c.ordinality = shown.place
  order by shown.place;
end
$$;
comment on function public.list_customers(jsonb, text, text, uuid, integer, timestamptz) is
  'A keyset page of the caller''s customers as the API gives them, each with its key in the order: sort recent, name, spend or visits; filters as private.customers_where has them.';

create or replace function public.count_customers(
  p_filters jsonb default '{}', p_most integer default 5000, p_now timestamptz default now()) returns integer
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_count integer;
begin
  p_now := private.clock(p_now);
  execute format(
    'select count(*)::integer from (select 1 from public.customers c where c.organization_id = $1 %s limit $3) as found',
    private.customers_where(v_organization, p_filters, p_now))
  into v_count using v_organization, p_filters, least(p_most, 5000) + 1;
  return v_count;
end
$$;
comment on function public.count_customers(jsonb, integer, timestamptz) is
  'How many customers of the caller match the filters; it stops counting at one more than p_most.';

-- Runs with the caller's rights, so each kind of event appears only to those who may read its table.
create or replace function public.customer_timeline(p_customer uuid, p_kinds text[] default null,
  p_before timestamptz default null, p_before_id uuid default null, p_limit integer default 50)
returns table (kind text, id uuid, at timestamptz, details jsonb)
language sql stable set search_path = ''
as $$
  select e.kind, e.id, e.at, e.details
  from (
    select 'reservation' as kind, r.id,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as at,
      jsonb_build_object('date', r.reservation_date, 'time', to_char(r.reservation_time, 'HH24:MI'),
        'location', l.name, 'party_size', r.party_size, 'status', r.status, 'notes', r.notes,
        'zone_name', r.zone_name, 'table_name', r.table_name, 'total_amount', r.total_amount, 'visited',
        r.visited,
        'estimated_amount', case when r.visited and r.total_amount is null
          then r.party_size * l.average_spend_per_guest end) as details
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.source <> 'import'
    union all
    select 'message', m.id, coalesce(m.sent_at, m.created_at),
      jsonb_build_object('channel', m.channel, 'status', m.status, 'reason', m.reason, 'kind', m.kind,
        'simulated', m.simulated, 'automation', a.name, 'subject', m.content ->> 'subject',
        'opened_at', g.opened_at, 'clicked_at', g.clicked_at, 'suppression',
        coalesce(case m.kind when 'marketing' then m.detail -> 'opt_out' end, m.detail -> 'suppression'),
        'waits_until', case m.status when 'queued' then m.detail -> 'until' end,
        'filled_by', (
          select jsonb_build_object('name', u.name, 'at', coalesce(f.sent_at, f.created_at))
          from public.messages f left join public.automations u on u.id = f.automation_id
          where f.id = (m.detail ->> 'message')::uuid))
    from public.messages m left join public.automations a on a.id = m.automation_id
    left join lateral (
      select min(e.first_at) as opened_at, min(e.first_at) filter (where e.kind = 'click') as clicked_at
      from public.message_engagement e where e.message_id = m.id and e.actor = 'person'
    ) as g on true
    where m.customer_id = p_customer
    union all
    select 'ticket', t.id, t.created_at,
      jsonb_build_object('number', t.number, 'subject', t.subject, 'status', t.status, 'priority', t.priority)
    from public.tickets t where t.customer_id = p_customer
    union all
    select 'feedback', f.id, f.answered_at,
      jsonb_build_object('score', f.score, 'words', f.words, 'location', l.name, 'ticket_id', f.ticket_id)
    from public.feedback f join public.locations l on l.id = f.location_id
    where f.customer_id = p_customer
    union all
    select 'change', g.id, g.created_at,
      jsonb_build_object('action', g.action, 'fields', g.details -> 'fields',
        'before', g.details -> 'before', 'after', g.details -> 'after',
        'actor', private.actor_shown(g.actor, g.actor_id))
    from public.audit_log g
    where g.subject_id = p_customer and g.subject_type = 'customer'
  ) as e
  where (p_kinds is null or e.kind = any(p_kinds))
    and (p_before is null or (e.at, e.id) < (p_before, p_before_id))
  order by e.at desc, e.id desc
  limit least(p_limit, 201)
$$;
comment on function public.customer_timeline(uuid, text[], timestamptz, uuid, integer) is
  'A keyset page of a customer''s timeline, the latest first: the kinds reservation, message, ticket, feedback and change that the caller may read.';

-- With its owner's rights, because it counts what the role may not read; of the locations that the tables'
-- policies show.
create or replace function public.customer_belongings(p_ids uuid[])
returns table (customer_id uuid, reservations bigint, messages bigint, tickets bigint, calendar_events bigint)
language sql stable security definer set search_path = ''
as $$
  with bound as materialized (select private.bound_to() as locations)
  select c.id,
    (select count(*) from public.reservations r
      where r.customer_id = c.id and r.source <> 'import'
        and (b.locations is null or r.location_id = any(b.locations))),
    (select count(*) from public.messages m
      where m.customer_id = c.id and (b.locations is null or m.location_id = any(b.locations))),
    (select count(*) from public.tickets t
      where t.customer_id = c.id
        and (b.locations is null or t.location_id is null or t.location_id = any(b.locations))),
    (select count(*) from public.calendar_events e
      where e.customer_id = c.id
        and (b.locations is null or e.location_id is null or e.location_id = any(b.locations)))
  from public.customers c cross join bound b
  where c.id = any(p_ids)
    and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
$$;
comment on function public.customer_belongings(uuid[]) is
  'How much refers to each of the customers in the caller''s locations; empty for someone without customer access.';

create or replace function public.customer_tags(p_limit integer default 200)
returns table (tag text, customers bigint)
language sql stable security definer set search_path = ''
as $$
  select k.value, k.customers
  from private.counts_of(array(select private.my_organizations('canAccessClientes')), 'tag') as k
  order by k.customers desc, k.value limit least(p_limit, 200)
$$;
comment on function public.customer_tags(integer) is
  'The tags of the caller''s customers, the most used first, and how many have each.';

create or replace function public.log_customers_export(p_filters jsonb) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select private.start_export((select id from private.my_organizations('canAccessClientes') as id limit 1),
    'customers', p_filters)
$$;
comment on function public.log_customers_export(jsonb) is
  'Counts and logs that the caller starts to download the customers that match the filters; returns the id by which export_customers gives them and end_export ends it. Null when they may not.';
grant execute on function
  public.list_customers(jsonb, text, text, uuid, integer, timestamptz),
  public.count_customers(jsonb, integer, timestamptz),
  public.customer_timeline(uuid, text[], timestamptz, uuid, integer), public.customer_belongings(uuid[]),
  public.customer_tags(integer), public.log_customers_export(jsonb) to authenticated;
-- << supabase/logic/customers/search.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261129110607', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/reservations/find.sql
-- Searches the reservations of every day, for staff at the door or on the telephone.

create or replace function private.reservations_found(p_search jsonb, p_organization uuid,
  p_locations uuid[], p_since date, p_knows_guests boolean, p_uses_cards boolean) returns uuid[]
-- With its values each time: whether an index helps to find a guest depends on the words.
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_names text[] := array(select jsonb_array_elements_text(p_search -> 'names'));
  v_starts text[] := array(select jsonb_array_elements_text(p_search -> 'starts'));
  v_table text := nullif(replace(p_search ->> 'text', ' ', ''), '');
  v_phone text := nullif(p_search ->> 'phone', '');
  v_is_whole boolean := length(v_phone) >= 9;
  v_word text;
  v_named uuid[];
  v_called uuid[];
begin
  -- What takes Postgres long: repetition and references.
  if v_phone !~ '^[0-9]{4,20}$' or exists (
    select from unnest(v_names || v_starts) as t
    where regexp_replace(t, '\\(?:[^[:alnum:]]|W)', '', 'g') ~ '[\\*+{[]') then
    raise exception 'unknown pattern' using errcode = '22023';
  end if;
  v_word := (select t from unnest(v_names) as t order by length(t) desc limit 1);
  v_named := array(
    select c.id from public.customers c
    where c.organization_id = p_organization and p_uses_cards and v_phone is null
      and c.search_text ~ v_word and c.sort_name ~ all(v_names)
    order by c.sort_visit desc, c.id desc limit 200);
  -- Who may not see a guest's phone must type the whole of it: digit by digit it could be read.
  v_called := array(
    select c.id from public.customers c
    where c.organization_id = p_organization and c.search_text ~ v_phone
      and (v_is_whole and c.phone like '%' || v_phone
        or p_knows_guests and c.phone like '%' || v_phone || '%')
    order by c.sort_visit desc, c.id desc limit 200)
    || array(
      select a.customer_id from public.customer_aliases a
      where a.organization_id = p_organization and v_is_whole and a.phone like '%' || v_phone limit 200);
  return array(
    select r.id from public.reservations r
    where r.location_id = any(p_locations) and r.service_date >= p_since
      and (v_names <> '{}' and r.search_name ~ all(v_names)
        or v_starts <> '{}' and r.notes is not null
          and r.search_name || ' ' || private.fold(r.notes) ~ all(v_starts)
        or regexp_replace(r.customer_phone, '\D', '', 'g') like '%' || v_phone || '%'
        or replace(private.fold(r.table_name), ' ', '') = v_table
        or v_table = any(string_to_array(replace(private.fold(r.table_name), ' ', ''), '+')))
    union
    select r.id from public.reservations r
    where r.location_id = any(p_locations) and (r.customer_id = any(v_called)
      -- A booking under another name would tell whose guest it is.
      or r.customer_id = any(v_named)
        and (p_knows_guests or r.search_name = '' or r.search_name ~ all(v_names)))
    union
    select r.id from public.reservations r
    where r.organization_id = p_organization and r.location_id = any(p_locations)
      and r.external_id in (p_search ->> 'code', lower(p_search ->> 'code'), upper(p_search ->> 'code')));
end
$$;
comment on function private.reservations_found(jsonb, uuid, uuid[], date, boolean, boolean) is
  'The reservations in these locations that a search finds (PartySearch in lib/reservations/party-search.ts): from that day on by all they say, before it by guest or booking code. Guests are found by name for who uses their cards; by a part of their phone, and under another name, for who knows the guests.';

create or replace function public.find_reservations(p_search jsonb, p_location uuid default null,
  p_limit integer default 20, p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with mine as materialized (
    select array(select private.my_locations('canAccessOperaciones')) as locations,
      array(select private.my_organizations('canUseGuestCards')) as cards
  ), places as materialized (
    select l.*, private.current_service(l.timezone, (select private.clock(p_now))) as today
    from public.locations l
    where l.id = any((select locations from mine)::uuid[]) and (p_location is null or l.id = p_location)
  ), found as materialized (
    -- A week back: a guest who asks for what they left behind.
    select unnest(private.reservations_found(p_search, p.organization_id, array_agg(p.id), min(p.today) - 7,
      p.organization_id = any(array(select private.my_organizations('canAccessClientes'))),
      p.organization_id = any((select cards from mine)::uuid[]))) as id
    from places p group by p.organization_id
  ), page as materialized (
    select r.*, p.name as place, r.service_date - p.today as days
    from found f join public.reservations r on r.id = f.id join places p on p.id = r.location_id
    where r.source <> 'import'
    order by r.service_date < p.today, case when r.service_date >= p.today then r.service_order end,
      r.service_order desc, r.id
    limit least(p_limit, 50)
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'location_id', r.location_id,
    'location_name', r.place, 'service_date', r.service_date, 'days', r.days,
    'time', to_char(r.reservation_time, 'HH24:MI'),
    'name', coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')),
    'party_size', r.party_size, 'status', r.status, 'table_name', r.table_name,
    'allergies', coalesce(a.codes, '[]'))
    order by r.days < 0, case when r.days >= 0 then r.service_order end, r.service_order desc, r.id), '[]')
  from page r
  left join public.customers c on c.id = r.customer_id
    and c.organization_id = any((select cards from mine)::uuid[])
  left join private.allergy_codes(array(select customer_id from page)) as a on a.customer_id = r.customer_id
$$;
comment on function public.find_reservations(jsonb, uuid, integer, timestamptz) is
  'The caller''s reservations that a search finds (private.reservations_found), at most 50: today''s service by time, the days after it, then the past, the latest first. Without contacts.';
grant execute on function public.find_reservations(jsonb, uuid, integer, timestamptz) to authenticated;
-- << supabase/logic/reservations/find.sql

-- >> supabase/logic/reservations/no_show.sql
-- What the no-show risk of reservations is computed from; lib/reservations/no-show.ts computes it
-- (docs/no-show.md).

create or replace function private.no_show_kinds(p_lead_days integer, p_party_size integer,
  p_confirmed boolean) returns text[]
language sql immutable set search_path = ''
as $$
  select array_remove(array[
    case when p_lead_days < 1 then 'today' when p_lead_days <= 7 then 'week'
      when p_lead_days <= 30 then 'month'
      when p_lead_days is not null then 'long' end,
    case when p_party_size <= 2 then 'two' when p_party_size <= 6 then 'few' else 'many' end,
    case when p_confirmed then 'answered' else 'unanswered' end], null)
$$;
comment on function private.no_show_kinds(integer, integer, boolean) is
  'The kinds of a booking whose no-show rates may differ: lead time, party size, confirmed by the guest.';

create or replace function private.lead_days(r public.reservations) returns integer
language sql immutable set search_path = ''
as $$
  -- A row that came after its own day, as when a PMS is connected, says nothing about the time of booking.
  select case when r.created_at < (r.reservation_date + 1)::timestamp at time zone 'UTC'
    then greatest(0, r.reservation_date - (r.created_at at time zone 'UTC')::date) end
$$;
comment on function private.lead_days(public.reservations) is
  'Days from booking to the date of the reservation; null where the time of booking is not known.';

create or replace function private.count_no_shows(p_location uuid, p_day date) returns jsonb
language sql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
  with past as materialized (
    -- 90 days follow the season.
    select r.customer_id, r.status = 'no_show' as missed, private.lead_days(r) as lead_days, r.party_size,
      r.guest_answer is not distinct from 'confirmed' as confirmed
    from public.reservations r
    where r.location_id = p_location and r.service_date >= p_day - 90 and r.service_date < p_day
      and r.source <> 'import' and not r.walk_in and (r.status = 'no_show' or r.visited)
  ), guests as (
    select count(*) as n, count(*) filter (where p.missed) as missed
    from past p where p.customer_id is not null group by p.customer_id
  ), kinds as (
    select k.kind, sum(b.n) as bookings, sum(b.missed) as no_shows
    from (
      select p.lead_days, p.party_size, p.confirmed, count(*) as n, count(*) filter (where p.missed) as missed
      from past p group by 1, 2, 3) as b
    cross join lateral unnest(private.no_show_kinds(b.lead_days, b.party_size, b.confirmed)) as k (kind)
    group by k.kind
  )
  select jsonb_build_object('bookings', count(*), 'no_shows', count(*) filter (where past.missed),
    'pairs', (select coalesce(sum(g.n * (g.n - 1)), 0) from guests g),
    'missed_pairs', (select coalesce(sum(g.missed * (g.missed - 1)), 0) from guests g),
    'kinds', (select coalesce(jsonb_agg(to_jsonb(k) order by k.kind), '[]') from kinds k))
  from past
$$;
comment on function private.count_no_shows(uuid, date) is
  'The bookings and no-shows of a location in the 90 service days before p_day, in all and by kind {kind, bookings, no_shows}, and how often two bookings of one guest were both missed (missed_pairs of pairs). Walk-ins and imports do not count.';

create or replace function public.keep_no_show_rates(p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location uuid;
  v_day date;
  v_rates jsonb;
begin
  select l.id, l.day into v_location, v_day
  from (select p.id, private.current_service(p.timezone, p_now) as day from public.locations p
    where p.is_active) as l
  left join private.no_show_rates k on k.location_id = l.id
  where k.day is distinct from l.day or (k.bookings < 500 and k.counted_at < p_now - interval '10 minutes')
  order by k.counted_at nulls first, l.id limit 1;
  if v_location is null then
    return false;
  end if;
  v_rates := private.count_no_shows(v_location, v_day);
  insert into private.no_show_rates (location_id, day, bookings, rates, counted_at)
  values (v_location, v_day, (v_rates ->> 'bookings')::integer, v_rates, p_now)
  on conflict (location_id) do update set day = excluded.day, bookings = excluded.bookings,
    rates = excluded.rates, counted_at = excluded.counted_at;
  return true;
end
$$;
comment on function public.keep_no_show_rates(timestamptz) is
  'Counts the rates of one location that are not of its service day, or that had few bookings ten minutes ago (as before its first sync). Whether it found one: call it until it has not.';

create or replace function private.no_show_rates_of(p_location uuid, p_day date) returns jsonb
language sql stable set search_path = ''
as $$
  -- Few bookings are counted each time: quick, and what was marked shows at once.
  select coalesce((
    select k.rates from private.no_show_rates k
    where k.location_id = p_location and k.day between p_day - 1 and p_day and k.bookings >= 500),
    private.count_no_shows(p_location, p_day))
$$;
comment on function private.no_show_rates_of(uuid, date) is
  'private.count_no_shows of a location, as kept on this service day or the one before.';

create or replace function public.no_show_features(p_reservations uuid[], p_now timestamptz default now())
  returns jsonb
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
  with places as materialized (
    select l.id, private.current_service(l.timezone, (select private.clock(p_now))) as today
    from public.locations l where l.id = any(array(select private.my_locations('canAccessOperaciones')))
  ), asked as materialized (
    select r.*, p.today from public.reservations r join places p on p.id = r.location_id
    where r.id = any(p_reservations[1:500]) and r.status in ('pending', 'confirmed') and not r.walk_in
      and r.service_date >= p.today and r.source <> 'import'
  ), bound as materialized (
    -- Once, not for each reservation.
    select private.bound_to() as locations
  )
  select jsonb_build_object(
    'locations', coalesce((
      select jsonb_agg(jsonb_build_object('id', p.location_id)
        || private.no_show_rates_of(p.location_id, p.today)
        order by p.location_id)
      from (select distinct a.location_id, a.today from asked a) as p), '[]'),
    'reservations', coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id, 'location_id', a.location_id, 'bookings', own.bookings,
        'no_shows', own.no_shows, 'lead_days', private.lead_days(r), 'party_size', a.party_size,
        'confirmed', a.guest_answer is not distinct from 'confirmed') order by a.id)
      from asked a
      cross join bound w
      join public.reservations r on r.id = a.id
      cross join lateral (
        -- The last 50 of the guest: enough, and bounded for a guest who stands for a hotel.
        select count(*) as bookings, count(*) filter (where last.status = 'no_show') as no_shows
        from (
          select o.status from public.reservations o
          where o.customer_id = a.customer_id and o.service_order < a.service_order and o.source <> 'import'
            and not o.walk_in and (o.status = 'no_show' or o.visited)
            and o.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
            and (w.locations is null or o.location_id = any(w.locations))
          order by o.service_order desc, o.id desc limit 50) as last
      ) as own), '[]'))
$$;
comment on function public.no_show_features(uuid[], timestamptz) is
  'Of the given reservations that are ahead (at most 500, in the caller''s locations): the guest''s earlier bookings and no-shows (of the caller''s locations), lead time, party size, answer; and of their locations what private.no_show_rates_of knows. Walk-ins and imports do not count.';
grant execute on function public.no_show_features(uuid[], timestamptz) to authenticated;
grant execute on function public.keep_no_show_rates(timestamptz) to service_role;
-- << supabase/logic/reservations/no_show.sql

-- >> supabase/logic/reservations/questions.sql
-- What a reservation asks before it is saved: an answer of yes goes along with the request as `confirm`.

create or replace function private.closes(p_closing public.closed_days, p_shift uuid, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select (p_closing.shift is null or exists (
      select from public.shifts s
      where s.id = p_shift and private.fold(s.name) = private.fold(p_closing.shift)))
    and (p_closing.zone is null or private.fold(p_zone) = private.fold(p_closing.zone) or exists (
      select from public.dining_tables d
      where d.location_id = p_closing.location_id and d.name = any(private.table_names(p_table))
        and private.fold(d.zone) = private.fold(p_closing.zone)))
$$;
comment on function private.closes(public.closed_days, uuid, text, text) is
  'Whether a closing of its day concerns a reservation of that shift, in that zone or at those tables.';

create or replace function private.is_closed_at(p_location uuid, p_day date, p_time time, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.closed_days c where c.location_id = p_location and c.day = p_day
      and private.closes(c, private.shift_at(p_location, p_day, p_time), p_zone, p_table))
$$;
comment on function private.is_closed_at(uuid, date, time, text, text) is
  'Whether a closing of a service day of a location concerns a reservation of that local time, in that zone or at those tables.';

create or replace function private.is_open_at(p_location uuid, p_day date, p_time time) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (select from public.shifts s where s.location_id = p_location) or exists (
    select from public.shifts s
    cross join lateral (
      select (extract(hour from p_time)::integer + 18) % 24 * 60 + extract(minute from p_time)::integer)
        as clock (minute)
    where s.location_id = p_location and extract(isodow from p_day)::smallint = any(s.weekdays)
      and clock.minute >= s.opens_at and clock.minute < s.closes_at)
$$;
comment on function private.is_open_at(uuid, date, time) is
  'Whether a shift of that service day takes guests at a local time, its end excluded. A location without shifts has no hours: always.';

create or replace function private.is_skipped(p_local timestamp, p_timezone text) returns boolean
language sql stable set search_path = ''
as $$ select (p_local at time zone p_timezone) at time zone p_timezone <> p_local $$;
comment on function private.is_skipped(timestamp, text) is
  'Whether the clocks of a time zone go past this local time: it does not exist.';

create or replace function private.reservation_questions(p_old public.reservations,
  p_next public.reservations, p_location public.locations, p_confirmed jsonb, p_now timestamptz) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_today constant date := private.current_service(p_location.timezone, p_now);
  v_day constant date := private.service_day(p_next.reservation_date, p_next.reservation_time);
  v_is_new constant boolean := p_old.id is null;
  v_is_moved constant boolean := v_is_new or p_old.location_id <> p_next.location_id
    or (p_old.reservation_date, p_old.reservation_time) <> (p_next.reservation_date, p_next.reservation_time);
  v_changes_day constant boolean := v_is_new or p_old.location_id <> p_next.location_id
    or p_old.service_date <> v_day;
  v_comes constant boolean := p_next.status in ('pending', 'confirmed', 'seated') and v_day >= v_today;
  -- Whose table is asked: who gets one, sits down, comes again, or comes at another time or with more people.
  v_takes_table constant boolean := v_comes and p_next.table_name is not null and (v_is_moved
    or p_old.table_name is distinct from p_next.table_name or p_old.party_size < p_next.party_size
    or p_old.status <> 'seated' and p_next.status = 'seated'
    or p_old.status not in ('pending', 'confirmed', 'seated'));
  -- Whose table was asked before only hears of who still sits there.
  v_is_own constant boolean := not v_is_moved and p_old.table_name is not distinct from p_next.table_name
    and p_old.party_size >= p_next.party_size and p_old.status in ('pending', 'confirmed');
  v_tables constant text[] := private.table_names(p_next.table_name);
  v_questions text[] := '{}';
  v_taken_by jsonb;
  v_seats record;
begin
  if v_changes_day and least(v_day, p_old.service_date) < v_today
    or p_old.party_size <> p_next.party_size and v_day < v_today then
    v_questions := v_questions || 'SERVICE_OVER'::text;
  end if;
  if v_takes_table then
    select jsonb_build_object('reservation_id', k.id, 'customer_name', k.name,
      'from', to_char(k.starts_at at time zone p_location.timezone, 'HH24:MI'),
      'until', to_char(k.ends_at at time zone p_location.timezone, 'HH24:MI')) into v_taken_by
    from (values
      -- Who sits down does so now, also before the day of the booking. A time given with it is asked, too.
      (p_now, p_next.status = 'seated'),
      ((p_next.reservation_date + p_next.reservation_time) at time zone p_location.timezone,
        p_next.status <> 'seated' or v_is_moved and v_day > v_today)) as t (starts_at, is_asked)
    cross join lateral private.parties_at(p_next.location_id, v_tables, t.starts_at, p_next.party_size,
      p_now) as k
    where t.is_asked and k.id is distinct from p_old.id and (k.status = 'seated' or not v_is_own)
    order by k.starts_at, k.id limit 1;
    if v_taken_by is not null then
      v_questions := v_questions || 'TABLE_TAKEN'::text;
    end if;
    select count(*) as tables, count(d.capacity) as known, sum(d.capacity) as seats into v_seats
    from public.dining_tables d where d.location_id = p_next.location_id and d.name = any(v_tables);
    if v_seats.known = cardinality(v_tables) and v_seats.seats < p_next.party_size then
      v_questions := v_questions || 'TABLE_TOO_SMALL'::text;
    end if;
  end if;
  -- Who cancelled or did not come may find it closed meanwhile; who sits there is there.
  if v_comes and (v_is_moved or p_old.zone_name is distinct from p_next.zone_name
      or p_old.table_name is distinct from p_next.table_name
      or p_old.status in ('cancelled', 'no_show') and p_next.status <> 'seated')
    and private.is_closed_at(p_next.location_id, v_day, p_next.reservation_time, p_next.zone_name,
      p_next.table_name) then
    v_questions := v_questions || 'CLOSED'::text;
  end if;
  if v_comes and v_is_moved
    and not private.is_open_at(p_next.location_id, v_day, p_next.reservation_time) then
    v_questions := v_questions || 'OUTSIDE_HOURS'::text;
  end if;
  if p_next.total_amount is distinct from p_old.total_amount and p_next.total_amount > greatest(1000,
    10 * p_next.party_size * coalesce(p_location.average_spend_per_guest, 0)) then
    v_questions := v_questions || 'UNUSUAL_AMOUNT'::text;
  end if;
  return jsonb_build_object('questions', to_jsonb(v_questions), 'code', (
    select q.code from unnest(v_questions) with ordinality as q (code, place)
    where not coalesce(p_confirmed ? lower(q.code), false) order by q.place limit 1),
    'current', v_taken_by);
end
$$;
comment on function private.reservation_questions(public.reservations, public.reservations, public.locations, jsonb, timestamptz) is
  'What saving a reservation asks (p_old null: a new one): questions, the codes in order (SERVICE_OVER, TABLE_TAKEN, TABLE_TOO_SMALL, CLOSED, OUTSIDE_HOURS, UNUSUAL_AMOUNT); code, the first that p_confirmed, a list of codes in lower case, does not answer with yes; and current, the first party at its table {reservation_id, customer_name, from, until; HH:mm, local}. Call it under lock_identities: then no other writer gives the table away in between.';
-- << supabase/logic/reservations/questions.sql

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
      then array[regexp_replace(v_digits, '^0{1,2}(?=\d{6})', '')]
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

-- >> supabase/logic/service/board.sql
-- Tonight, as the host sees it: the parties of a service day with what to know about each, and what staff tap
-- (arrived, seated, table assigned, changed, no-show, cancelled, finished, set back, walk-in, undo).
-- Telephones lose their connection, so a tap has a key: sent twice, it counts once.

create or replace function private.tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('status', p_reservation.status, 'table_name', p_reservation.table_name,
    'arrived_at', p_reservation.arrived_at, 'seated_at', p_reservation.seated_at,
    'finished_at', p_reservation.finished_at)
$$;
comment on function private.tapped_fields(public.reservations) is
  'The fields of a reservation that the steps of the service change.';

create or replace function private.all_tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select private.tapped_fields(p_reservation) || jsonb_build_object('party_size', p_reservation.party_size,
    'reservation_time', to_char(p_reservation.reservation_time, 'HH24:MI'),
    'late_minutes', p_reservation.late_minutes, 'notes', p_reservation.notes)
$$;
comment on function private.all_tapped_fields(public.reservations) is
  'tapped_fields, and those that a tap with the action change may change: party_size, reservation_time, late_minutes and notes.';

create or replace function private.refused_tap(p_key uuid, p_reservation uuid, p_saved jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(f.key, f.value)
  from jsonb_each(jsonb_build_object('key', p_key, 'reservation_id', p_reservation,
    'outcome', coalesce(lower(p_saved ->> 'code'),
      case p_saved ->> 'outcome' when 'edited_meanwhile' then 'conflict' else p_saved ->> 'outcome' end), 'code', p_saved -> 'code',
    'questions', p_saved -> 'questions',
    'current', case when p_saved ? 'code' then p_saved -> 'current' end)) as f
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
  select case when p_tap ->> 'action' = 'change' then '{}' else private.tapped_fields(p_old) end
    || case p_tap ->> 'action'
    when 'arrive' then jsonb_build_object('arrived_at', p_at,
      'status', case when p_old.status in ('pending', 'no_show', 'cancelled') then 'confirmed'
        else p_old.status end)
    when 'seat' then jsonb_build_object('arrived_at', coalesce(p_old.arrived_at, p_at), 'seated_at', p_at,
      'finished_at', null, 'status', 'seated', 'table_name',
      coalesce(p_tap ->> 'table_name', p_old.table_name))
    when 'assign' then jsonb_build_object('table_name', p_tap -> 'table_name')
    when 'change' then jsonb_strip_nulls(jsonb_build_object('party_size', p_tap -> 'party_size',
        'reservation_time', p_tap -> 'time'))
      || case when p_tap ? 'notes' then jsonb_build_object('notes', p_tap -> 'notes') else '{}' end
      -- How late a party comes was said of its former time.
      || case when p_tap ? 'late_minutes' or p_tap ? 'time'
        then jsonb_build_object('late_minutes', p_tap -> 'late_minutes') else '{}' end
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
  'What a reservation has of tapped_fields after a tap at p_at: arrive, seat, assign, no_show, cancel, finish, or set_back to expected, arrived or seated; for change only what it changes.';

create or replace function private.take_tap(p_location uuid, p_tap jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  v_id uuid := (p_tap ->> 'reservation_id')::uuid;
  -- A telephone without a connection sends what was tapped earlier, within the day.
  v_at timestamptz := greatest(least(coalesce((p_tap ->> 'at')::timestamptz, p_now), p_now),
    p_now - interval '1 day');
  v_old public.reservations;
  v_next public.reservations;
  v_undone private.service_taps;
  v_fields jsonb;
  v_saved jsonb;
begin
  -- First this lock: a telephone that gave up waiting sends its taps again while they are being taken. And
  -- before the reservation, as save_reservation and the sync do: the other way round a tap and a sync would
  -- wait for each other, and one of them would fail.
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  if exists (select from private.service_taps t where t.key = v_key) then
    return jsonb_build_object('key', v_key, 'outcome', 'repeated');
  end if;
  if v_action = 'walk_in' then
    return private.seat_walk_in(p_location, p_tap, v_at, p_now);
  end if;

  -- A walk-in that was tapped without a connection has no id yet: later taps name its key.
  v_id := coalesce(v_id, (
    select t.reservation_id from private.service_taps t where t.key = (p_tap ->> 'of')::uuid));
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
    elsif not private.all_tapped_fields(v_old) @> v_undone.after then
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
  v_saved := public.save_reservation((
    select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(v_fields) as f
    where f.key = any('{status,table_name,party_size,reservation_time,notes}'))
    || case when v_action = 'change' and p_tap ? 'was'
      then jsonb_build_object('loaded', jsonb_build_object('notes', p_tap -> 'was')) else '{}' end
    || jsonb_build_object('by_tap', true, 'confirm', p_tap -> 'confirm'), v_old.id, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, v_old.id, v_saved);
  end if;
  update public.reservations r set (arrived_at, seated_at, finished_at, late_minutes) = (
    select n.arrived_at, n.seated_at, n.finished_at, n.late_minutes
    from jsonb_populate_record(r, v_fields) as n)
  where r.id = v_old.id returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  select v_key, v_old.organization_id, v_old.id, v_action,
    jsonb_object_agg(f.key, f.value), jsonb_object_agg(f.key, private.all_tapped_fields(v_next) -> f.key),
    p_now
  from jsonb_each(private.all_tapped_fields(v_old)) as f where v_fields ? f.key;
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
      'arrived_at', r.arrived_at, 'seated_at', r.seated_at, 'finished_at', r.finished_at,
      'late_minutes', r.late_minutes, 'walk_in', r.walk_in, 'from_pms', r.source = 'pms',
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
    -- Also for callers without the right to cards: allergies stand wherever the booking does.
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

-- >> supabase/logic/service/tables.sql
-- Which tables a party has, for how long, and who is in the way.

create or replace function private.stay_of(p_party_size integer, p_stays jsonb default null) returns interval
language sql immutable set search_path = ''
as $$
  select make_interval(mins => s.minutes::integer)
  from jsonb_each_text(coalesce(p_stays, '{"2": 90, "4": 120, "99": 150}')) as s (up_to, minutes)
  -- Who is more than the largest size stays as long as that one.
  order by s.up_to::integer < p_party_size,
    case when s.up_to::integer < p_party_size then -s.up_to::integer else s.up_to::integer end
  limit 1
$$;
comment on function private.stay_of(integer, jsonb) is
  'How long a party of that size usually stays: by locations.stay_minutes, minutes by the largest party size they are for. components/service/table-model.ts has the same.';

create or replace function private.table_names(p_table text) returns text[]
language sql immutable set search_path = ''
as $$ select array(select btrim(name) from unnest(string_to_array(p_table, '+')) as name
  where btrim(name) <> '') $$;
comment on function private.table_names(text) is 'The tables of a reservation: 4+5 are two joined ones.';

create or replace function private.tables_as_written(p_location uuid, p_table text) returns text
language sql stable set search_path = ''
as $$
  select string_agg(coalesce((
      select d.name from public.dining_tables d
      where d.location_id = p_location and private.fold(d.name) = private.fold(n.name)
      order by d.name <> n.name, d.name limit 1), n.name), '+' order by n.place)
  from unnest(private.table_names(p_table)) with ordinality as n (name, place)
$$;
comment on function private.tables_as_written(uuid, text) is
  'The tables of a reservation as the location writes their names: s4 + S5 is S4+S5. Null without any.';

create or replace function private.parties_at(p_location uuid, p_tables text[], p_from timestamptz,
  p_party_size integer, p_now timestamptz)
returns table (id uuid, name text, status text, starts_at timestamptz, ends_at timestamptz)
language sql stable set search_path = ''
as $$
  select r.id, r.customer_name, r.status, b.starts_at, b.ends_at
  from public.locations l
  join public.reservations r on r.location_id = l.id
  cross join lateral (
    select r.service_order at time zone l.timezone as booked, private.stay_of(r.party_size, l.stay_minutes)
      as stay) as s
  cross join lateral (
    select case r.status when 'seated' then least(coalesce(r.seated_at, s.booked), p_now) else s.booked end,
      case when r.status = 'seated'
        then greatest(coalesce(r.seated_at, s.booked) + s.stay, p_now + interval '15 minutes')
      when p_now - s.booked between interval '0'
        and make_interval(mins => greatest(60, r.late_minutes)) then p_now + s.stay
      else s.booked + s.stay end) as b (starts_at, ends_at)
  where l.id = p_location
    and (r.service_date between (p_from at time zone l.timezone)::date - 1
        and (p_from at time zone l.timezone)::date + 1
      -- Who sits there may have booked for a later day.
      or r.status = 'seated' and not r.service_over
        and r.service_date > (p_from at time zone l.timezone)::date + 1)
    and r.source <> 'import' and r.status in ('pending', 'confirmed', 'seated')
    -- A party that staff did not mark as gone left when the service ended.
    and (r.status <> 'seated' or r.service_date >= private.current_service(l.timezone, p_now))
    and private.table_names(r.table_name) && p_tables
    and tstzrange(b.starts_at, b.ends_at)
      && tstzrange(p_from, p_from + private.stay_of(p_party_size, l.stay_minutes))
$$;
comment on function private.parties_at(uuid, text[], timestamptz, integer, timestamptz) is
  'The parties that come to or sit at one of these tables during a usual stay from p_from, each with its own time there. One that is late is waited for an hour, or as long as it said, one that sits longer than usual is taken to leave in 15 minutes.';

create or replace function private.table_is_free(p_location uuid, p_table text, p_from timestamptz,
  p_party_size integer, p_now timestamptz, p_except uuid default null)
returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
      select from private.parties_at(p_location, private.table_names(p_table), p_from, p_party_size, p_now))
    and not exists (
      select from private.table_offers o
      where o.location_id = p_location and o.outcome is null and o.expires_at > p_now and o.id is distinct
        from p_except
        and private.table_names(o.table_name) && private.table_names(p_table))
    and not exists (
      select from public.locations l
      cross join lateral (select p_from at time zone l.timezone as local) as f
      where l.id = p_location and private.is_closed_at(l.id, private.service_day(f.local::date,
        f.local::time), f.local::time, null, p_table))
$$;
comment on function private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) is
  'Whether no party has one of these tables during a usual stay from p_from, none is offered it (but by the offer p_except), and it is not closed then.';
grant execute on function private.stay_of(integer, jsonb), private.table_names(text),
  private.is_closed_at(uuid, date, time, text, text), private.closes(public.closed_days, uuid, text, text),
  private.parties_at(uuid, text[], timestamptz, integer, timestamptz),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) to service_role;
-- << supabase/logic/service/tables.sql

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

create or replace function public.report_hours(p_months integer default 12, p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_now timestamptz := private.clock(p_now);
  v_period record := private.report_period(p_months, p_location, v_now);
  v_locations uuid[] := v_period.locations;
  v_first date := v_period.first_day;
begin
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return (
    with places as materialized (
      select l.id, l.name, private.current_service(l.timezone, v_now) as today
      from public.locations l where l.id = any(v_locations)
    ), open_days as materialized (
      -- A day without visits counts as closed: means leave it out.
      select f.location_id, f.service_date, extract(isodow from f.service_date)::integer as weekday
      from private.figures_of(v_locations, v_first, v_period.today) as f join places p on p.id = f.location_id
      where f.service_date < p.today and f.visits > 0
    ), days as (
      select d.location_id, d.weekday, count(*) as days from open_days d group by d.location_id, d.weekday
      union all
      select null, d.weekday, count(distinct d.service_date) from open_days d group by d.weekday
    ), counted as materialized (
      -- Reads the visits once, for both answers below, and from the index of the other reports.
      select r.location_id, extract(isodow from r.service_date)::integer as weekday,
        extract(hour from r.service_order)::integer as hour,
        case when r.walk_in then 'walk_in' else r.source end as channel,
        count(*) as visits, sum(r.party_size) as covers
      from public.reservations r left join places p on p.id = r.location_id
      where r.visited and r.location_id = any(v_locations) and r.service_date < p.today
        and r.service_order >= v_first + time '06:00' and r.service_order < v_period.today + time '06:00'
      group by 1, 2, 3, 4
    ), cells as (
      select c.location_id, c.weekday, c.hour, sum(c.covers) as covers
      from counted c group by c.location_id, c.weekday, c.hour
    ), channels as (
      select c.location_id, c.channel, sum(c.visits) as visits, sum(c.covers) as covers
      from counted c group by c.location_id, c.channel
    )
    select jsonb_build_object('from', v_first, 'to', v_period.closed_until,
      'locations', (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name)
        order by p.name, p.id), '[]') from places p),
      'days', (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from days d),
      'cells', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from cells c),
      'channels', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from channels c))
  );
end
$$;
comment on function public.report_hours(integer, uuid, timestamptz) is
  'The covers of the visits to services that are over, by location, weekday (ISO) of the service day and local hour; the days with visits of each weekday (location_id null: to any location); visits and covers by channel (pms, manual, walk_in). Of p_months calendar months. Null: an unknown location.';
grant execute on function private.report_period(integer, uuid, timestamptz),
  public.report_cohorts(integer, uuid, text, timestamptz), public.report_tiers(integer, uuid, timestamptz),
  public.report_weeks(uuid, timestamptz), public.report_hours(integer, uuid, timestamptz)
  to authenticated;
-- << supabase/logic/statistics/reports.sql

reset check_function_bodies;
