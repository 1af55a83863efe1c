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
      private.segment_needed(v_month) * 100 + 1, v_month * 100 + 31) end
    || format(' and c.birth_date > %L::date', private.born_after(p_scope.today));
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
  elsif p_node ->> 'field' = 'party_size' then
    joins := '{"party": {}}';
  end if;
end
$$;
comment on function private.segment_joins(jsonb, private.segment_scope) is
  'What segment_query must join for a condition: no_shows, undecided, rhythm, party, or a count or sum of visits (v_n_… or v_a_…: {locations or null, first, last}); column_name is that of the last, in v.';

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
    when 'search' then nullif('true' || private.guest_search(p_scope.organization_id,
      private.segment_patterns(p_node ->> 'text')), 'true')
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
    else coalesce(private.segment_written(p_node, p_scope), private.segment_habit(p_node, p_scope))
  end;
  perform private.segment_needed(condition);
  known := p_node ->> 'field' in ('facts', 'booking', 'received', 'opened', 'clicked', 'not_written',
    'survey_score', 'visited_on', 'first_visit', 'city', 'language') or p_node ->> 'field' = 'consent'
    and p_node ->> 'state' = 'opted_out';
end
$$;
comment on function private.segment_leaf(jsonb, private.segment_scope) is
  'One condition as SQL about customers c ($1: the organization), whether it is never null (known), and what segment_query must join (see segment_joins).';
