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

create or replace function private.born_after(p_today date) returns date
language sql immutable
as $$
  select (p_today - interval '111 years')::date
$$;
comment on function private.born_after(date) is
  'Who was born then or before would be older than 110: the birth date stands for none, as 1900-01-01 does, and has no birthdays.';
grant execute on function private.born_after(date) to service_role;

create or replace function private.guest_search(p_organization uuid, p_patterns text[]) returns text
language plpgsql stable set search_path = ''
as $$
begin
  -- A search has at most 200 characters; each pattern is a condition to plan.
  if cardinality(p_patterns) > 100 then
    raise exception 'too many patterns' using errcode = '22023';
  end if;
  -- Few guests are named by their ids, for which an index beside that of the text is enough. Of more than a
  -- count counts all would take a second to read: each guest is asked, until the page is full. Without its
  -- offset Postgres would read all nevertheless.
  return coalesce((
    select string_agg(case
      when found.ids is null then format(' and c.search_text like %L', p.pattern)
      when cardinality(found.ids) <= 500
        then format(' and (c.search_text like %L or c.id = any(%L::uuid[]))', p.pattern, found.ids)
      when cardinality(found.ids) <= 5000
        then format(' and (c.search_text like %1$L or c.id in (select a.customer_id
          from public.customer_aliases a where a.organization_id = %2$L
            and (a.email is not null or a.phone is not null)
            and private.fold(coalesce(a.email, a.phone)) like %1$L))', p.pattern, p_organization)
      else format(' and (c.search_text like %1$L or exists (select from public.customer_aliases a
        where a.customer_id = c.id and (a.email is not null or a.phone is not null)
          and private.fold(coalesce(a.email, a.phone)) like %1$L offset 0))', p.pattern) end, '')
    from unnest(p_patterns) as p (pattern)
    -- Two letters stand in most addresses, and no index serves them.
    left join lateral (
      select nullif(array(
        select a.customer_id from public.customer_aliases a
        where length(p.pattern) >= 5 and a.organization_id = p_organization
          and (a.email is not null or a.phone is not null)
          and private.fold(coalesce(a.email, a.phone)) like p.pattern limit 5001), '{}')
      ) as found (ids) on true), '');
end
$$;
comment on function private.guest_search(uuid, text[]) is
  'The condition of a query of customers c for a search: each pattern of LIKE in name, company, an e-mail or a phone, further ones included.';

create or replace function private.customers_where(p_organization uuid, p_filters jsonb, p_now timestamptz)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_inactive_since timestamptz := p_now - make_interval(days => (p_filters ->> 'inactive_days')::integer);
  v_bound uuid[] := private.bound_to();
  v_rhythm text;
  v_today date := (p_now at time zone private.zone_of(p_organization))::date;
  v_where text := '';
begin
  -- Only conditions that apply enter the query, so that each one is planned for what it is.
  if p_filters -> 'ids' is not null then
    v_where := v_where || format(' and c.id = any(%L::uuid[])',
      array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid));
  end if;
  if p_filters ->> 'search' is not null then
    v_where := v_where || private.guest_search(p_organization, array(
      select jsonb_array_elements_text(p_filters -> 'search')));
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
        select t.id from public.loyalty_tiers t where t.organization_id = p_organization
          and t.rank >= private.vip_rank(p_organization)));
    when 'birthday' then
      v_where := v_where || format(' and c.birth_day = any(%L::smallint[]) and c.birth_date > %L::date',
        private.birth_days(v_today, 7), private.born_after(v_today));
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
    v_rhythm := private.rhythm_state(p_filters ->> 'rhythm', 'k', v_today);
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
    where m.customer_id = p_customer and m.purpose <> 'conversation_reply'
    union all
    select 'conversation', m.id, m.at, jsonb_build_object('conversation_id', k.id, 'channel', k.channel,
      'direction', m.direction, 'text', m.text, 'media', m.media, 'sent_by', m.sent_by)
    from public.conversations k join public.conversation_messages m on m.conversation_id = k.id
    where k.customer_id = p_customer
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
  -- Without a list, the kinds that the app of the first release knows.
  where case when p_kinds is null then e.kind <> 'conversation' else e.kind = any(p_kinds) end
    and (p_before is null or (e.at, e.id) < (p_before, p_before_id))
  order by e.at desc, e.id desc
  limit least(p_limit, 201)
$$;
comment on function public.customer_timeline(uuid, text[], timestamptz, uuid, integer) is
  'A keyset page of a customer''s timeline, the latest first: the kinds reservation, message, ticket, feedback, change and, when asked for, conversation that the caller may read.';

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

create or replace function public.customer_cities(p_begins text default '', p_limit integer default 20)
returns table (city text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_begins text := private.fold(left(p_begins, 120));
begin
  -- From city to city in the index, however many guests live in each.
  return query
  with recursive each (folded, city, n) as (
    select f.* from (
      select private.fold(k.city), k.city, 1 from public.customers k
      where k.organization_id = v_organization and k.city is not null
        and private.fold(k.city) operator(pg_catalog.~>=~) coalesce(nullif(v_begins, ''), ' ')
      order by private.fold(k.city) using operator(pg_catalog.~<~) limit 1) as f (folded, city, n)
    where starts_with(f.folded, v_begins)
    union all
    select f.* from each e cross join lateral (
      select private.fold(k.city), k.city, e.n + 1 from public.customers k
      where k.organization_id = v_organization and k.city is not null
        and private.fold(k.city) operator(pg_catalog.~>~) e.folded
      order by private.fold(k.city) using operator(pg_catalog.~<~) limit 1) as f (folded, city, n)
    where e.n < least(p_limit, 200) and starts_with(f.folded, v_begins)
  )
  select e.city from each e order by e.n;
end
$$;
comment on function public.customer_cities(text, integer) is
  'The cities of the caller''s customers that begin so, in alphabetical order; accents, and capitals or not, make no difference, and each has one of its spellings.';

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
  public.customer_tags(integer), public.customer_cities(text, integer),
  public.log_customers_export(jsonb) to authenticated;
