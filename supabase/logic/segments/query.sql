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
  return format('select c.id, c.sort_visit from public.customers c%s%s%s%s%s where c.organization_id = $1%s and %s',
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
    case when v_tree.joins ? 'party' then private.party_join(p_scope) end,
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
