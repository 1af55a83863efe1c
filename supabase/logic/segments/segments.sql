-- Segments: conditions on customers under a name, kept as a tree of and, or, not, and evaluated as one
-- statement. lib/segments/schema.ts says what a definition looks like, and refuses in words what the
-- functions here refuse.

create or replace function private.forget_own_segments() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.segments s where s.owner_id = old.id and not s.shared;
  return old;
end
$$;
comment on function private.forget_own_segments() is 'Trigger: what a person did not share goes with them.';

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
  s.timezone := coalesce((select o.timezone from public.organizations o where o.id = p_organization),
    'Europe/Madrid');
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
begin
  perform private.segment_needed(coalesce(v_min, v_max));
  -- Without a division; most have no no-show, and are done with at once.
  return concat_ws(' and ', format('(%s > 0 or no_shows.n > 0)', p_visits),
    case when v_min > 0
      then format('no_shows.n * 100 >= %L::numeric * (no_shows.n + %s)', v_min, p_visits) end,
    case when v_max is not null
      then format('coalesce(no_shows.n * 100 <= %L::numeric * (no_shows.n + %s), true)', v_max,
      p_visits) end);
end
$$;
comment on function private.segment_rate(jsonb, text) is
  'Whether no-shows are so many per cent of the bookings whose outcome is known (p_visits: the SQL of the visits); nobody without such has a rate.';

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

-- Everything a person gives enters the query as a literal (%L) of a checked type, or chooses among texts of
-- ours.
create or replace function private.segment_leaf(p_node jsonb, p_scope private.segment_scope,
  out condition text, out joins jsonb, out known boolean)
language plpgsql stable set search_path = ''
as $$
declare
  v_is text := p_node ->> 'is';
  v_column text;
  v_days record;
  v_locations uuid[];
begin
  joins := '{}';
  -- Counts over reservations are joined as one grouped read (segment_query): a look-up for each of a million
  -- customers takes longer, and so does a read for each condition.
  if p_node ->> 'field' in ('visits', 'spend') and (p_node ? 'period' or p_node ? 'locations') then
    select * into v_days from private.segment_days(p_node -> 'period', p_scope);
    v_column := case p_node ->> 'field' when 'visits' then 'n_' else 'a_' end
      || left(md5(private.segment_reservations(p_node, p_scope)), 12);
    v_locations := case when p_node ? 'locations'
      then private.segment_list(p_node, 'locations', 50)::uuid[] end;
    joins := jsonb_build_object('v_' || v_column, jsonb_build_object(
      'locations', case when not p_scope.locations <@ v_locations then v_locations::text end,
      'first', coalesce(v_days.first, '1900-01-01'), 'last', coalesce(v_days.last, '2199-12-31')));
  elsif p_node ->> 'field' in ('no_shows', 'no_show_rate') then
    joins := '{"no_shows": {}}';
    if p_scope.bound and p_node ->> 'field' = 'no_show_rate' then
      -- Both counts of the own locations: the kept one is the group's.
      v_column := 'n_' || left(md5(private.segment_reservations('{}', p_scope)), 12);
      joins := joins || jsonb_build_object('v_' || v_column, jsonb_build_object(
        'locations', null, 'first', '1900-01-01', 'last', '2199-12-31'));
    end if;
  elsif p_node ->> 'field' = 'rhythm' then
    joins := '{"rhythm": {}}';
  end if;
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
    when 'last_visit' then private.segment_instants('c.sort_visit', p_node, p_scope)
    when 'created' then private.segment_instants('c.created_at', p_node, p_scope)
    when 'birthday' then private.segment_birthday(p_node, p_scope)
    when 'facts' then format(case v_is
        when 'any' then 'exists (select from public.customer_facts f where f.customer_id = c.id and f.code = any(%1$L::text[]))'
        when 'all' then '(select count(*) from public.customer_facts f where f.customer_id = c.id and f.code = any(%1$L::text[])) = %2$s'
        when 'none' then
          'not exists (select from public.customer_facts f where f.customer_id = c.id and f.code = any(%1$L::text[]))' end,
      private.segment_list(p_node, 'codes', 50),
      (select count(distinct code) from unnest(private.segment_list(p_node, 'codes', 50)) as code))
    when 'booking' then format('exists (select from public.reservations r where r.customer_id = c.id and %s
      and r.service_date between %L::date and %L::date and r.status in (''pending'', ''confirmed'') and not r.service_over
      and r.source <> ''import'')', private.segment_reservations(p_node - 'period', p_scope), p_scope.today,
      p_scope.today + private.segment_needed(private.segment_number(p_node, 'days', 0, 365))::integer)
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
  'One condition as SQL about customers c ($1: the organization), whether it is never null (known), and what segment_query must join: no_shows, rhythm, or a count or sum of visits (v_n_… or v_a_…: {locations or null, first, last}).';

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
comment on function private.segment_patterns(text) is 'The LIKE patterns of a search, as searchPatterns in lib/search.ts makes them; it alone knows trunk zeros behind a country''s code and domains in Unicode.';

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

create or replace function private.segment_query(p_definition jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_tree record;
  v_visits text;
begin
  if length(p_definition::text) > 100000 then
    raise exception 'segment: too long' using errcode = '22023';
  end if;
  select * into v_tree from private.segment_tree(p_definition, p_scope, 1);
  -- offset 0: a condition within the groups would be guessed to leave few of them, and customers looked up
  -- one by one. Both groups are in the order of an index that has all they need; the join keeps to the
  -- organization's customers.
  select format(' left join (select r.customer_id%s from public.reservations r join public.locations l on l.id = r.location_id
      where r.location_id = any(%L::uuid[]) and r.service_date between %L::date and %L::date and r.visited and r.customer_id is not null
      group by r.customer_id offset 0) v on v.customer_id = c.id',
    string_agg(format(case when j.column_name like 'n%%' then ', count(*)%s as %s'
      else ', sum(coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0))%s as %s' end,
      ' filter (where ' || nullif(concat_ws(' and ',
        case when j.locations is not null then format('r.location_id = any(%L::uuid[])', j.locations) end,
        case when j.first > j.all_first then format('r.service_date >= %L::date', j.first) end,
        case when j.last < j.all_last then format('r.service_date <= %L::date', j.last) end), '') || ')',
      j.column_name), '' order by j.column_name),
    p_scope.locations, min(j.first), max(j.last))
  into v_visits
  from (
    select substr(v.key, 3) as column_name, v.value ->> 'locations' as locations,
      v.value ->> 'first' as first,
      v.value ->> 'last' as last, min(v.value ->> 'first') over () as all_first,
      max(v.value ->> 'last') over () as all_last
    from jsonb_each(v_tree.joins) as v where v.key like 'v\_%') as j having count(*) > 0;
  return format('select c.id, c.sort_visit from public.customers c%s%s%s where c.organization_id = $1%s and %s',
    v_visits,
    case when v_tree.joins ? 'no_shows'
      then ' left join (select r.customer_id, count(*) as n from public.reservations r
      where r.status = ''no_show'' and r.source <> ''import'' and r.customer_id is not null'
      || case when p_scope.bound then format(' and r.location_id = any(%L::uuid[])', p_scope.locations)
        else '' end || '
      group by r.customer_id offset 0) no_shows on no_shows.customer_id = c.id' end,
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

create or replace function private.segment_page(p_ids uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name',
    nullif(concat_ws(' ', c.first_name, c.last_name), ''),
    'email', c.email, 'phone', c.phone, 'tier', t.name, 'total_visits', c.total_visits, 'total_spend',
    c.total_spend,
    'last_visit_at', c.last_visit_at) order by c.sort_visit desc, c.id desc), '[]')
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
          select id, coalesce(f.sort_visit, w.sort_visit) as sort_visit, w.sort_visit is not null as was, f.sort_visit is not null as now
          from was w full join found f using (id))
        select count(*) filter (where now) as n, count(*) filter (where now and not was) as n_added, count(*) filter (where was and not now) as n_dropped,
          array(select e.id from each e where e.now order by e.sort_visit desc, e.id desc limit $2) as ids,
          array(select e.id from each e where e.now and not e.was order by e.sort_visit desc, e.id desc limit $2) as added,
          array(select e.id from each e where e.was and not e.now order by e.sort_visit desc, e.id desc limit $2) as dropped
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

create or replace function private.may_change_segment(s public.segments) returns boolean
language sql stable set search_path = ''
as $$
  select s.owner_id = (select private.caller())
    or s.shared and (select private.works_everywhere())
      and s.organization_id = any(array(select private.my_organizations('canAccessMarketing')))
$$;
comment on function private.may_change_segment(public.segments) is
  'Its owner; of a shared one also who manages marketing everywhere.';

create or replace function private.segment_automations(s public.segments) returns setof public.automations
language sql stable set search_path = ''
as $$
  select a from public.automations a
  where a.organization_id = s.organization_id and a.deleted_at is null
    and a.criteria ->> 'segment_id' = s.id::text
$$;
comment on function private.segment_automations(public.segments) is 'The automations whose criteria name the segment.';

create or replace function private.segment_serves_others(s public.segments) returns boolean
-- The table is made later: an SQL function would need it now.
language plpgsql stable set search_path = ''
as $$
begin
  return exists (
    -- Launched, and not all of its guests are planned yet.
    select from public.campaigns c
    where c.segment_id = s.id and c.status in ('waiting_approval', 'scheduled', 'sending', 'paused')
      and c.rest_planned_at is null
      and not (private.covers(c.location_ids)
        and exists (select from private.my_organizations('canAccessMarketing'))));
end
$$;
comment on function private.segment_serves_others(public.segments) is
  'Whether a launched campaign takes guests from the segment that the caller could not change.';

create or replace function public.list_segments(p_id uuid default null) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'shared', s.shared,
    'owner_name', coalesce(nullif(btrim(p.full_name), ''), p.email), 'mine',
    coalesce(s.owner_id = (select private.caller()), false),
    'can_change', coalesce(private.may_change_segment(s), false), 'definition', s.definition, 'version',
    s.version,
    'created_at', s.created_at, 'updated_at', s.updated_at) order by private.fold(s.name), s.id),
      '[]')
  from public.segments s left join public.profiles p on p.id = s.owner_id
  where s.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and (s.shared or s.owner_id = (select private.caller())) and (p_id is null or s.id = p_id)
$$;
comment on function public.list_segments(uuid) is 'The segments the caller may read (or the one), by name, with who made each.';

create or replace function public.save_segment(p_fields jsonb, p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_editable constant text[] := array['name', 'shared', 'definition'];
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_old public.segments;
  v_next public.segments;
  v_edited jsonb;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  if p_id is null then
    v_next := jsonb_populate_record(null::public.segments, '{"shared": false}' || v_fields);
  else
    select * into v_old from public.segments s
      where s.id = p_id and s.id = (private.readable_segment(p_id)).id for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    elsif v_fields = '{}' then
      return jsonb_build_object('outcome', 'saved', 'segment', public.list_segments(p_id) -> 0);
    elsif not coalesce(private.may_change_segment(v_old), false) then
      return jsonb_build_object('outcome', 'forbidden');
    end if;
    v_next := jsonb_populate_record(v_old, v_fields);
    v_edited := private.edited_meanwhile(
      to_jsonb(jsonb_populate_record(v_old, coalesce(p_fields -> 'loaded', to_jsonb(v_old)))),
      to_jsonb(v_old), to_jsonb(v_next), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
    -- An automation that nobody can see the reason of would be left, and others' messages are not theirs to
    -- redirect.
    if not v_next.shared and exists (select from private.segment_automations(v_old)) then
      return jsonb_build_object('outcome', 'in_use');
    elsif v_next.definition <> v_old.definition and exists (
      select from private.segment_automations(v_old) a
      where not private.covers(a.location_ids)
        or not exists (select from private.my_organizations('canAccessMarketing'))) then
      return jsonb_build_object('outcome', 'forbidden');
    elsif (v_next.definition <> v_old.definition or v_old.shared and not v_next.shared)
      and private.segment_serves_others(v_old) then
      return jsonb_build_object('outcome', 'forbidden');
    end if;
  end if;
  if p_id is null or v_next.shared and not v_old.shared then
    -- One at a time, or two could pass the limit together. Of those that they see: nobody else could delete
    -- the others.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('segments:' || v_organization::text,
      0));
    if (select count(*) from public.segments s where s.organization_id = v_organization
        and (s.shared or s.owner_id = (select private.caller())) and s.id is distinct from p_id) >= 200 then
      return jsonb_build_object('outcome', 'too_many');
    end if;
  end if;
  -- What cannot be evaluated is not saved. A definition that is broken already does not keep anyone from
  -- renaming it.
  if p_id is null or v_next.definition <> v_old.definition then
    perform private.segment_query(v_next.definition, private.segment_scope_of(v_organization, now(), false));
  end if;
  if p_id is null then
    insert into public.segments (organization_id, name, shared, owner_id, definition)
    values (v_organization, v_next.name, v_next.shared, (select private.caller()), v_next.definition)
      returning id into p_id;
  elsif (v_next.name, v_next.shared, v_next.definition) is distinct
    from (v_old.name, v_old.shared, v_old.definition) then
    update public.segments set name = v_next.name, shared = v_next.shared, definition = v_next.definition,
      version = version + (v_next.definition <> v_old.definition)::integer
    where id = p_id;
  end if;
  return jsonb_build_object('outcome', 'saved', 'segment', public.list_segments(p_id) -> 0);
end
$$;
comment on function public.save_segment(jsonb, uuid) is
  'Makes a segment, or changes one: saved ({segment}), too_many (200 that the caller reads), forbidden, not_found, edited_meanwhile ({current}) or in_use (one that automations use stays shared).';

create or replace function public.delete_segment(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  s public.segments;
  v_using integer;
begin
  select * into s from public.segments k
    where k.id = p_id and k.id = (private.readable_segment(p_id)).id for update;
  if s.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif not coalesce(private.may_change_segment(s), false) or private.segment_serves_others(s) then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  v_using := (select count(*) from private.segment_automations(s));
  if v_using > 0 then
    return jsonb_build_object('outcome', 'in_use', 'total', v_using, 'automations', (
      select coalesce(jsonb_agg(jsonb_build_object('id', shown.id, 'name', shown.name) order by shown.name),
        '[]') from (
        select a.id, a.name from private.segment_automations(s) a
        where private.covers(a.location_ids)
          and exists (select from private.my_organizations('canAccessMarketing'))
        order by a.name limit 20) as shown));
  end if;
  delete from public.segments where id = s.id;
  return jsonb_build_object('outcome', 'deleted');
end
$$;
comment on function public.delete_segment(uuid) is
  'Deletes a segment: deleted, not_found, forbidden, or in_use with how many automations name it, and those the caller may see ({id, name}, 20 at most).';

-- Before: afterwards the foreign key has taken the owner away.
create or replace trigger profiles_forget_own_segments before delete on public.profiles
  for each row execute function private.forget_own_segments();
grant execute on function public.preview_segment(jsonb, uuid, integer, timestamptz),
  public.list_segments(uuid), public.save_segment(jsonb, uuid), public.delete_segment(uuid) to authenticated;
grant execute on function private.segment_members(uuid, uuid, timestamptz, uuid, uuid, uuid[])
  to service_role;
