-- Finding customers: likely duplicates, and the list with tags and segments.

create function private.same_person_json(p_ids uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(private.customer_json(c) order by c.created_at, c.id)
  from public.customers c where c.id = any(p_ids)
$$;
comment on function private.same_person_json(uuid[]) is 'The customers as the API gives them, the first known first.';

-- Each rule walks one index in key order and stops at the page's end; groups show ten people at most.
create function public.customer_duplicates(p_limit integer default 50, p_after_reason text default null,
  p_after_key text default null, p_after_name text default null)
returns table (reason text, key text, name text, customers jsonb)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_left integer := least(p_limit, 201);
  v_found integer;
begin
  if coalesce(p_after_reason, 'email') = 'email' then
    return query
    select 'email', g.email_key, '', private.same_person_json(array(
      select c.id from public.customers c
      where c.organization_id = v_organization and c.email_key = g.email_key order by c.created_at, c.id limit 10))
    from (
      select c.email_key from public.customers c
      where c.organization_id = v_organization and c.email_key is not null
        and c.email_key > coalesce(p_after_key, '')
      group by c.email_key having count(*) > 1 order by c.email_key limit v_left
    ) as g order by g.email_key;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
  end if;

  if v_left > 0 and coalesce(p_after_reason, 'email') in ('email', 'name_and_birth_date') then
    return query
    select 'name_and_birth_date', g.birth_date::text, g.sort_name, private.same_person_json(array(
      select c.id from public.customers c
      where c.organization_id = v_organization and c.birth_date = g.birth_date and c.sort_name = g.sort_name
        and c.sort_name <> '' order by c.created_at, c.id limit 10))
    from (
      select c.birth_date, c.sort_name from public.customers c
      where c.organization_id = v_organization and c.birth_date is not null and c.sort_name <> ''
        and (c.birth_date, c.sort_name) > (
          case when p_after_reason = 'name_and_birth_date' then p_after_key::date else '-infinity'::date end,
          case when p_after_reason = 'name_and_birth_date' then p_after_name else '' end)
      group by c.birth_date, c.sort_name having count(*) > 1
      order by c.birth_date, c.sort_name limit v_left
    ) as g order by g.birth_date, g.sort_name;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
  end if;

  -- One phone, one name: everyone with the phone, nameless ones included. Several names (a family, an office):
  -- only those of the same name.
  if v_left > 0 then
    return query
    select 'phone', g.phone, g.known_as, private.same_person_json(array(
      select c.id from public.customers c
      where c.organization_id = v_organization and c.phone = g.phone and (g.known_as = '' or c.sort_name = g.known_as)
      order by c.created_at, c.id limit 10))
    from (
      select p.phone, n.known_as
      from (
        select c.phone from public.customers c
        where c.organization_id = v_organization and c.phone is not null
          and c.phone >= case when p_after_reason = 'phone' then p_after_key else '' end
        group by c.phone having count(*) > 1 order by c.phone
      ) as p
      cross join lateral (
        select case when t.names <= 1 then '' else t.sort_name end as known_as
        from (
          select c.sort_name, count(*) as people, count(*) filter (where c.sort_name <> '') over () as names
          from public.customers c
          where c.organization_id = v_organization and c.phone = p.phone
          group by c.sort_name
        ) as t
        where t.names <= 1 or t.sort_name <> ''
        group by 1 having sum(t.people) > 1
      ) as n
      where p_after_reason is distinct from 'phone' or (p.phone, n.known_as) > (p_after_key, p_after_name)
      order by p.phone, n.known_as limit v_left
    ) as g order by g.phone, g.known_as;
  end if;
end
$$;
comment on function public.customer_duplicates(integer, text, text, text) is
  'Groups of customers who are likely one person, by reason (email, name_and_birth_date, phone); a keyset page by reason, key and name.';

create function private.birth_days(p_from date, p_days integer) returns smallint[]
language sql stable set search_path = ''
as $$
  select array(
    select (extract(month from p_from + n) * 100 + extract(day from p_from + n))::smallint
    from generate_series(0, p_days) as n
    union
    -- 29 February is kept on the 28th of common years.
    select 229::smallint from generate_series(0, p_days) as n
    where to_char(p_from + n, 'MMDD') = '0228' and to_char(p_from + n + 1, 'MMDD') = '0301')
$$;
comment on function private.birth_days(date, integer) is
  'customers.birth_day of everyone with a birthday from that date on, within so many days.';

-- The customer list as one function. Under RLS Postgres may use no index for LIKE (it is not leakproof), so the
-- function checks the caller's right itself, once, and reads with its owner's.
create function public.list_customers(
  p_sort text default 'recent', p_limit integer default 50, p_patterns text[] default null, p_tier uuid default null,
  p_location uuid default null, p_inactive_since timestamptz default null, p_after_key text default null,
  p_after_id uuid default null, p_tag text default null, p_segment text default null,
  p_now timestamptz default now(), p_consent text default null)
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
  v_inactive_since timestamptz := p_inactive_since;
  v_where text := '';
  v_vip uuid[];
  v_birth_days smallint[];
begin
  if v_column is null then
    raise exception 'unknown sort "%"', p_sort using errcode = '22023';
  end if;
  -- A search has at most 200 characters; each pattern is a condition to plan.
  if cardinality(p_patterns) > 100 then
    raise exception 'too many patterns' using errcode = '22023';
  end if;
  -- Only conditions that apply enter the query, so that each one is planned for what it is.
  -- One by one: the trigram index serves LIKE, not LIKE ALL.
  for n in 1 .. coalesce(cardinality(p_patterns), 0) loop
    v_where := v_where || format(' and c.search_text like ($2)[%s]', n);
  end loop;
  if p_tier is not null then v_where := v_where || ' and c.loyalty_tier_id = $3'; end if;
  if p_location is not null then v_where := v_where || ' and c.location_id = $4'; end if;
  if p_tag is not null then v_where := v_where || ' and c.tags @> array[$9]'; end if;
  if p_consent is not null then v_where := v_where || private.consent_condition(p_consent); end if;
  case p_segment
    when 'inactive' then
      v_inactive_since := least(p_inactive_since, p_now - interval '90 days');
    when 'new' then
      v_where := v_where || ' and c.created_at >= $10 - interval ''30 days''';
    when 'vip' then
      v_vip := array(select t.id from public.loyalty_tiers t where t.organization_id = v_organization and t.rank >=
        coalesce((select o.rank from public.loyalty_tiers o
          where o.organization_id = v_organization and o.name = 'Oro'), 3));
      v_where := v_where || ' and c.loyalty_tier_id = any($11)';
    when 'birthday' then
      v_birth_days := private.birth_days((p_now at time zone coalesce((select l.timezone from public.locations l
        where l.organization_id = v_organization order by l.name limit 1), 'Europe/Madrid'))::date, 7);
      v_where := v_where || ' and c.birth_day = any($12)';
    when 'no_show' then
      v_where := v_where || ' and exists (select 1 from public.reservations r where r.customer_id = c.id
        and r.status = ''no_show'' and r.source <> ''import'')';
    else
      if p_segment is not null then
        raise exception 'unknown segment "%"', p_segment using errcode = '22023';
      end if;
  end case;
  if v_inactive_since is not null then
    v_where := v_where || ' and c.sort_visit < $5 and c.sort_visit > ''-infinity''';
  end if;
  if p_after_id is not null then
    v_where := v_where || format(' and (c.%I, c.id) %s ($6::%s, $7)',
      v_column, case when v_ascending then '>' else '<' end, v_type);
  end if;
  return query execute format(
    'select c.* from public.customers c where c.organization_id = $1 %s order by c.%I %3$s, c.id %3$s limit $8',
    v_where, v_column, case when v_ascending then 'asc' else 'desc' end)
  using v_organization, p_patterns, p_tier, p_location, v_inactive_since, p_after_key, p_after_id,
    least(p_limit, 201), p_tag, p_now, v_vip, v_birth_days;
end
$$;
comment on function public.list_customers(text, integer, text[], uuid, uuid, timestamptz, text, uuid, text, text,
  timestamptz, text) is
  'A keyset page of the caller''s customers: sort recent, name, spend or visits; LIKE patterns that must all match; segment inactive, new, vip, birthday or no_show; p_consent as private.consent_condition takes it.';

revoke execute on function private.same_person_json(uuid[]), private.birth_days(date, integer) from public;
revoke execute on function public.customer_duplicates(integer, text, text, text),
  public.list_customers(text, integer, text[], uuid, uuid, timestamptz, text, uuid, text, text, timestamptz, text)
  from public, anon;
grant execute on function public.customer_duplicates(integer, text, text, text),
  public.list_customers(text, integer, text[], uuid, uuid, timestamptz, text, uuid, text, text, timestamptz, text)
  to authenticated;
