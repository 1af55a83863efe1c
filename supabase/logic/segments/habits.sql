-- Conditions of segments on how guests come: on which days, in which parties, since when, and what they said.

create or replace function private.segment_weekdays(p_node jsonb) returns integer[]
language plpgsql stable set search_path = ''
as $$
begin
  if jsonb_typeof(p_node -> 'weekdays') is distinct
    from 'array' or jsonb_array_length(p_node -> 'weekdays') not between 1 and 7
    or exists (select from jsonb_array_elements(p_node -> 'weekdays') as e
      where e.value not in ('1', '2', '3', '4', '5', '6', '7')) then
    raise exception 'segment: weekdays are numbers from 1 to 7' using errcode = '22023';
  end if;
  return array(select e.value::integer from jsonb_array_elements(p_node -> 'weekdays') as e);
end
$$;
comment on function private.segment_weekdays(jsonb) is
  'The weekdays of a condition, 1 for Monday; an exception where they are none.';

create or replace function private.segment_visited_on(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_days numeric := private.segment_number(p_node, 'days', 0, 3650);
begin
  if p_node ? 'shift' and (p_node ->> 'shift' in ('lunch', 'dinner')) is not true then
    raise exception 'segment: an unknown shift' using errcode = '22023';
  end if;
  -- The time counts from the service day: what begins after midnight is its dinner.
  return format('exists (select from public.reservations r where r.customer_id = c.id and r.visited and %s
      and extract(isodow from r.service_date) = any(%L::numeric[])%s)',
    private.segment_reservations(case when v_days is null then '{}'
      else jsonb_build_object('period', jsonb_build_object('days', v_days)) end, p_scope),
    private.segment_weekdays(p_node),
    case p_node ->> 'shift' when 'lunch' then ' and r.service_order < r.service_date + time ''17:00'''
      when 'dinner' then ' and r.service_order >= r.service_date + time ''17:00''' end);
end
$$;
comment on function private.segment_visited_on(jsonb, private.segment_scope) is
  'Whether a guest came on one of the weekdays (of the service day): for lunch, which begins before 17:00, for dinner, or for either.';

create or replace function private.segment_first_visit(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_first date := (select d.first from private.segment_days(p_node -> 'period', p_scope) as d);
  v_visits constant text := 'exists (select from public.reservations r
      where r.customer_id = c.id and r.visited and %s%s)';
begin
  perform private.segment_needed(p_node -> 'period');
  return format(v_visits, private.segment_reservations(jsonb_build_object('period', p_node -> 'period'),
      p_scope), '')
    || case when v_first is not null then ' and not ' || format(v_visits,
      private.segment_reservations('{}', p_scope), format(' and r.service_date < %L::date', v_first))
      else '' end;
end
$$;
comment on function private.segment_first_visit(jsonb, private.segment_scope) is
  'Whether a guest''s first visit was in the period: one is in it, and none before.';

create or replace function private.segment_score(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_min numeric := private.segment_number(p_node, 'min', 1, 5);
  v_max numeric := private.segment_number(p_node, 'max', 1, 5);
  v_days integer := private.segment_number(p_node, 'days', 1, 3650);
begin
  perform private.segment_needed(coalesce(v_min, v_max));
  return format('exists (select from public.feedback f where f.customer_id = c.id
      and f.location_id = any(%L::uuid[]) and f.score >= %L::numeric and f.score <= %L::numeric%s)',
    p_scope.locations, coalesce(v_min, 1), coalesce(v_max, 5),
    case when v_days is not null then format(' and f.answered_at >= %L::timestamptz',
      p_scope.at - make_interval(days => v_days)) end);
end
$$;
comment on function private.segment_score(jsonb, private.segment_scope) is
  'Whether a guest ever answered, or in the last so many days, with a score from min to max; one may be absent.';

create or replace function private.segment_party(p_node jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_min numeric := private.segment_number(p_node, 'min', 1, 999);
  v_max numeric := private.segment_number(p_node, 'max', 1, 999);
begin
  perform private.segment_needed(coalesce(v_min, v_max));
  return format('party.usual between %L::numeric and %L::numeric', coalesce(v_min, 1), coalesce(v_max, 999));
end
$$;
comment on function private.segment_party(jsonb) is
  'Whether the usual party (see party_join) has from min to max guests; who never came has none.';

create or replace function private.party_join(p_scope private.segment_scope) returns text
language sql stable set search_path = ''
as $$
  -- A party has 999 guests at most: the greatest of both numbers in one is the most frequent, and of equals
  -- the larger.
  select format(' left join (select s.customer_id, max(s.n * 1000 + s.party_size) %% 1000 as usual
      from (select r.customer_id, r.party_size, count(*) as n from public.reservations r
        where r.location_id = any(%L::uuid[]) and r.visited and r.customer_id is not null
        group by r.customer_id, r.party_size) as s
      group by s.customer_id offset 0) party on party.customer_id = c.id', p_scope.locations)
$$;
comment on function private.party_join(private.segment_scope) is
  'The join (party, by customer) of the usual party: the size that most of the guest''s visits had.';

create or replace function private.segment_postal_code(p_node jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_prefixes text[] := array(select distinct upper(replace(p, ' ', ''))
    from unnest(private.segment_list(p_node, 'prefixes', 50)) as p);
begin
  if '' = any(v_prefixes) then
    raise exception 'segment: an empty postal code' using errcode = '22023';
  end if;
  -- One by one: of a list Postgres makes no ranges of the index.
  return '(' || (select string_agg(format('upper(replace(c.postal_code, '' '', '''')) like %L',
    regexp_replace(p, '([\\%_])', '\\\1', 'g') || '%'), ' or ' order by p)
    from unnest(v_prefixes) as p) || ')';
end
$$;
comment on function private.segment_postal_code(jsonb) is
  'Whether the postal code begins with one of the prefixes; spaces, and capitals or not, make no difference.';

create or replace function private.segment_city(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_cities text[] := array(select distinct private.fold(city)
    from unnest(private.segment_list(p_node, 'any', 50)) as city);
begin
  if '' = any(v_cities) then
    raise exception 'segment: an empty city' using errcode = '22023';
  end if;
  -- By the index also beside "or" and "not", where each guest's city would be folded again.
  return format('c.id in (select k.id from public.customers k where k.organization_id = %L::uuid
      and k.city is not null and private.fold(k.city) = any(%L::text[]))', p_scope.organization_id, v_cities);
end
$$;
comment on function private.segment_city(jsonb, private.segment_scope) is
  'Whether the city is one of these; accents, and capitals or not, make no difference.';

create or replace function private.segment_language(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_languages text[] := private.segment_list(p_node, 'any', 10);
begin
  if not v_languages <@ array['es', 'ca', 'eu', 'gl', 'en', 'fr', 'pt', 'it', 'de', 'nl'] then
    raise exception 'segment: an unknown language' using errcode = '22023';
  end if;
  return format('coalesce(c.language, %L) = any(%L::text[])',
    (select o.language from public.organizations o where o.id = p_scope.organization_id), v_languages);
end
$$;
comment on function private.segment_language(jsonb, private.segment_scope) is
  'Whether a guest is written to in one of the languages: in their own, else in the group''s.';

create or replace function private.segment_next_birthday(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
begin
  return private.segment_birthday(case p_node ->> 'field'
    when 'birthday_within' then jsonb_build_object('is', 'next_days', 'days', p_node -> 'days')
    else jsonb_build_object('is', 'month', 'month', case p_node ->> 'month'
      when 'next' then to_jsonb(extract(month from p_scope.today + interval '1 month'))
      else p_node -> 'month' end) end, p_scope);
end
$$;
comment on function private.segment_next_birthday(jsonb, private.segment_scope) is
  'birthday_within (so many days) and birthday_month (a month, or the one after the group''s day) as a condition birthday.';

create or replace function private.segment_habit(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
begin
  return case p_node ->> 'field'
    when 'visited_on' then private.segment_visited_on(p_node, p_scope)
    when 'first_visit' then private.segment_first_visit(p_node, p_scope)
    when 'survey_score' then private.segment_score(p_node, p_scope)
    when 'party_size' then private.segment_party(p_node)
    when 'postal_code' then private.segment_postal_code(p_node)
    when 'city' then private.segment_city(p_node, p_scope)
    when 'language' then private.segment_language(p_node, p_scope)
    when 'birthday_within' then private.segment_next_birthday(p_node, p_scope)
    when 'birthday_month' then private.segment_next_birthday(p_node, p_scope) end;
end
$$;
comment on function private.segment_habit(jsonb, private.segment_scope) is
  'A condition on how or when guests come, live or celebrate, or what they said, as SQL about customers c; null for another field.';
