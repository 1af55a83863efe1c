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
