-- The customer list as one function. Under RLS Postgres may use no index for LIKE (it is not leakproof), so the
-- function checks the caller's right itself, once, and reads with its owner's.
create function public.list_customers(
  p_sort text default 'recent', p_limit integer default 50, p_patterns text[] default null, p_tier uuid default null,
  p_location uuid default null, p_inactive_since timestamptz default null, p_after_key text default null,
  p_after_id uuid default null)
returns setof public.customers
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_column text := case p_sort when 'recent' then 'sort_visit' when 'name' then 'sort_name'
    when 'spend' then 'total_spend' when 'visits' then 'total_visits' end;
  v_type text := case p_sort when 'recent' then 'timestamptz' when 'name' then 'text'
    when 'spend' then 'numeric' when 'visits' then 'integer' end;
  v_ascending boolean := p_sort = 'name';
  v_where text := '';
begin
  if v_column is null then
    raise exception 'unknown sort "%"', p_sort using errcode = '22023';
  end if;
  -- Only conditions that apply enter the query, so that each one is planned for what it is.
  -- One by one: the trigram index serves LIKE, not LIKE ALL.
  for n in 1 .. coalesce(cardinality(p_patterns), 0) loop
    v_where := v_where || format(' and c.search_text like ($2)[%s]', n);
  end loop;
  if p_tier is not null then v_where := v_where || ' and c.loyalty_tier_id = $3'; end if;
  if p_location is not null then v_where := v_where || ' and c.location_id = $4'; end if;
  if p_inactive_since is not null then
    v_where := v_where || ' and c.sort_visit < $5 and c.sort_visit > ''-infinity''';
  end if;
  if p_after_id is not null then
    v_where := v_where || format(' and (c.%I, c.id) %s ($6::%s, $7)',
      v_column, case when v_ascending then '>' else '<' end, v_type);
  end if;
  return query execute format(
    'select c.* from public.customers c where c.organization_id = $1 %s order by c.%I %3$s, c.id %3$s limit $8',
    v_where, v_column, case when v_ascending then 'asc' else 'desc' end)
  using v_organization, p_patterns, p_tier, p_location, p_inactive_since, p_after_key, p_after_id,
    least(p_limit, 201);
end
$$;
comment on function public.list_customers(text, integer, text[], uuid, uuid, timestamptz, text, uuid) is
  'A keyset page of the caller''s customers: sort recent, name, spend or visits; LIKE patterns that must all match.';
revoke execute on function public.list_customers(text, integer, text[], uuid, uuid, timestamptz, text, uuid)
  from public, anon;
grant execute on function public.list_customers(text, integer, text[], uuid, uuid, timestamptz, text, uuid)
  to authenticated;
