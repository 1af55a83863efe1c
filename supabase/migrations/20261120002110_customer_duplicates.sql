-- Finding customers who are likely one person. Two are alike by one of three rules (email, name_and_birth_date, phone),
-- unless someone said that they are different people; those who are alike in a chain (A~B, B~C) are one group.

-- Each rule walks one index in key order and stops where it has enough.
create function private.alike_keys(p_organization uuid, p_limit integer, p_after_reason text, p_after_key text,
  p_after_name text)
returns table (reason text, key text, name text, ids uuid[])
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_left integer := p_limit;
  v_found integer;
begin
  if coalesce(p_after_reason, 'email') = 'email' then
    return query
    select 'email', g.email_key, '', array(
      select c.id from public.customers c
      where c.organization_id = p_organization and c.email_key = g.email_key order by c.created_at, c.id limit 10)
    from (
      select c.email_key from public.customers c
      where c.organization_id = p_organization and c.email_key is not null
        and c.email_key > coalesce(p_after_key, '')
      group by c.email_key having count(*) > 1 order by c.email_key limit v_left
    ) as g order by g.email_key;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
  end if;

  if v_left > 0 and coalesce(p_after_reason, 'email') in ('email', 'name_and_birth_date') then
    return query
    select 'name_and_birth_date', g.birth_date::text, g.sort_name, array(
      select c.id from public.customers c
      where c.organization_id = p_organization and c.birth_date = g.birth_date and c.sort_name = g.sort_name
        and c.sort_name <> '' order by c.created_at, c.id limit 10)
    from (
      select c.birth_date, c.sort_name from public.customers c
      where c.organization_id = p_organization and c.birth_date is not null and c.sort_name <> ''
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
    select 'phone', g.phone, g.known_as, array(
      select c.id from public.customers c
      where c.organization_id = p_organization and c.phone = g.phone and (g.known_as = '' or c.sort_name = g.known_as)
      order by c.created_at, c.id limit 10)
    from (
      select p.phone, n.known_as
      from (
        select c.phone from public.customers c
        where c.organization_id = p_organization and c.phone is not null
          and c.phone >= case when p_after_reason = 'phone' then p_after_key else '' end
        group by c.phone having count(*) > 1 order by c.phone
      ) as p
      cross join lateral (
        select case when t.names <= 1 then '' else t.sort_name end as known_as
        from (
          select c.sort_name, count(*) as people, count(*) filter (where c.sort_name <> '') over () as names
          from public.customers c
          where c.organization_id = p_organization and c.phone = p.phone
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
comment on function private.alike_keys(uuid, integer, text, text, text) is
  'What several customers share, by rule and in its order from a place on, with the ten of them that were known first.';

create function private.one_name(p_organization uuid, p_phone text) returns boolean
language sql stable set search_path = ''
as $$
  select count(*) <= 1 from (
    select 1 from public.customers c
    where c.organization_id = p_organization and c.phone = p_phone and c.sort_name <> ''
    group by c.sort_name limit 2) as names
$$;
comment on function private.one_name(uuid, text) is 'Whether those who have the phone go by one name at most.';

create function private.group_of(p_organization uuid, p_start uuid) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_most constant integer := 10;
  v_group uuid[] := array[p_start];
  v_done integer := 0;
  v_person public.customers;
  v_next uuid;
begin
  -- One after another, because somebody may be like two who are different people: they stay with who was there first.
  while v_done < cardinality(v_group) loop
    v_done := v_done + 1;
    select * into v_person from public.customers where id = v_group[v_done];
    for v_next in
      select alike.id from (
        (select c.id, c.created_at from public.customers c
          where c.organization_id = p_organization and c.email_key = v_person.email_key
          order by c.created_at, c.id limit v_most + 1)
        union
        (select c.id, c.created_at from public.customers c
          where c.organization_id = p_organization and c.birth_date = v_person.birth_date
            and c.sort_name = v_person.sort_name and c.sort_name <> ''
          order by c.created_at, c.id limit v_most + 1)
        union
        (select c.id, c.created_at from public.customers c
          where c.organization_id = p_organization and c.phone = v_person.phone
            and (c.sort_name = v_person.sort_name and c.sort_name <> ''
              or private.one_name(p_organization, v_person.phone))
          order by c.created_at, c.id limit v_most + 1)
      ) as alike where alike.id <> all(v_group) order by alike.created_at, alike.id
    loop
      exit when cardinality(v_group) >= v_most;
      if not exists (
        select 1 from unnest(v_group) as member join public.customer_pairs k
          on k.first_id = least(member, v_next) and k.second_id = greatest(member, v_next)
        where k.verdict = 'different') then
        v_group := v_group || v_next;
      end if;
    end loop;
  end loop;
  return v_group;
end
$$;
comment on function private.group_of(uuid, uuid) is
  'The customer and those who are likely the same person, directly or by way of another, ten at most; nobody who is a different person than one of them.';

create function private.shared_keys(p_organization uuid, p_ids uuid[])
returns table (place integer, reason text, key text, name text)
language sql stable set search_path = ''
as $$
  select 1, 'email', c.email_key, '' from public.customers c
  where c.id = any(p_ids) and c.email_key is not null group by c.email_key having count(*) > 1
  union all
  select 2, 'name_and_birth_date', c.birth_date::text, c.sort_name from public.customers c
  where c.id = any(p_ids) and c.birth_date is not null and c.sort_name <> ''
  group by c.birth_date, c.sort_name having count(*) > 1
  union all
  select 3, 'phone', t.phone, t.known_as
  from (
    select c.phone, case when private.one_name(p_organization, c.phone) then '' else c.sort_name end as known_as,
      c.sort_name
    from public.customers c where c.id = any(p_ids) and c.phone is not null
  ) as t
  where t.known_as <> '' or private.one_name(p_organization, t.phone)
  group by t.phone, t.known_as having count(*) > 1
$$;
comment on function private.shared_keys(uuid, uuid[]) is
  'What some of the customers share, by rule: the keys of private.alike_keys under which they can be found.';

create function public.customer_duplicates(p_limit integer default 50, p_after_reason text default null,
  p_after_key text default null, p_after_name text default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_most constant integer := 400;
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_limit integer := least(p_limit, 200);
  v_groups jsonb[] := '{}';
  v_seen uuid[];
  v_group uuid[];
  v_id uuid;
  v_visited integer := 0;
  v_last jsonb;
  k record;
  v_shared record;
begin
  for k in select * from private.alike_keys(v_organization, v_most, p_after_reason, p_after_key, p_after_name) loop
    v_visited := v_visited + 1;
    v_seen := '{}';
    foreach v_id in array k.ids loop
      continue when v_id = any(v_seen);
      v_group := private.group_of(v_organization, v_id);
      v_seen := v_seen || v_group;
      -- A group has several keys; it is told once, under the first. A key has one group at a time.
      select s.reason = k.reason and s.key = k.key and s.name = k.name as is_first, s.reasons into v_shared
      from (
        select reason, key, name, array_agg(reason) over (order by place rows between unbounded preceding and unbounded following) as reasons
        from private.shared_keys(v_organization, v_group) order by place, key, name limit 1) as s;
      if cardinality(v_group) > 1 and v_shared.is_first then
        if cardinality(v_groups) = v_limit then
          return jsonb_build_object('groups', to_jsonb(v_groups), 'next', v_last);
        end if;
        v_groups := v_groups || jsonb_build_object('reason', k.reason,
          'reasons', (select jsonb_agg(distinct r) from unnest(v_shared.reasons) as r),
          'customers', (select jsonb_agg(private.customer_json(c) order by c.created_at, c.id)
            from public.customers c where c.id = any(v_group)));
        exit;
      end if;
    end loop;
    v_last := jsonb_build_array(k.reason, k.key, k.name);
  end loop;
  return jsonb_build_object('groups', to_jsonb(v_groups), 'next', case when v_visited = v_most then v_last end);
end
$$;
comment on function public.customer_duplicates(integer, text, text, text) is
  'Groups of customers who are likely one person, {groups: [{reason, reasons, customers}], next: [reason, key, name]}: a page by the first thing they share. After 400 of these it stops, however few groups it found.';

create function public.judge_duplicates(p_id uuid, p_others uuid[], p_different boolean) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_others uuid[] := array(select distinct o from unnest(p_others) as o where o <> p_id limit 50);
  v_changed uuid[];
begin
  -- Not while one of them is merged or erased.
  perform private.lock_identities(v_organization);
  if v_others = '{}' or cardinality(v_others) + 1 <> (
    select count(*) from public.customers c
    where c.organization_id = v_organization and c.id = any(v_others || p_id)) then
    return 'not_found';
  end if;
  if p_different then
    with added as (
      insert into public.customer_pairs (organization_id, first_id, second_id, verdict, author_id, author_name)
      select v_organization, least(p_id, o), greatest(p_id, o), 'different', (select private.caller()), private.my_name()
      from unnest(v_others) as o
      on conflict (first_id, second_id) do nothing
      returning case first_id when p_id then second_id else first_id end as other
    )
    select array_agg(other order by other) into v_changed from added;
  else
    with gone as (
      delete from public.customer_pairs k
      where (k.first_id, k.second_id) in (select least(p_id, o), greatest(p_id, o) from unnest(v_others) as o)
      returning case k.first_id when p_id then k.second_id else k.first_id end as other
    )
    select array_agg(other order by other) into v_changed from gone;
  end if;
  if v_changed is not null then
    perform private.audit(v_organization,
      case when p_different then 'customer.told_apart' else 'customer.told_apart_undone' end, p_id,
      jsonb_build_object('other_ids', to_jsonb(v_changed)));
  end if;
  return 'saved';
end
$$;
comment on function public.judge_duplicates(uuid, uuid[], boolean) is
  'Says that a customer is another person than each of the others, or takes that back: saved or not_found (one of them is not there).';

create function public.list_pairs(p_before timestamptz default null, p_before_id uuid default null, p_limit integer default 50)
returns table (id uuid, decided_at timestamptz, author_name text, customers jsonb)
language sql stable security definer set search_path = ''
as $$
  select k.id, k.decided_at, k.author_name, jsonb_build_array(private.customer_json(a), private.customer_json(b))
  from public.customer_pairs k
  join public.customers a on a.id = k.first_id
  join public.customers b on b.id = k.second_id
  where k.organization_id = (select o from private.my_organizations('canAccessClientes') as o limit 1)
    and k.verdict = 'different'
    and (p_before is null or (k.decided_at, k.id) < (p_before, p_before_id))
  order by k.decided_at desc, k.id desc
  limit least(p_limit, 201)
$$;
comment on function public.list_pairs(timestamptz, uuid, integer) is
  'A keyset page of the pairs of customers who are different people, the latest verdict first.';

revoke execute on function private.alike_keys(uuid, integer, text, text, text), private.one_name(uuid, text),
  private.group_of(uuid, uuid), private.shared_keys(uuid, uuid[]) from public;
revoke execute on function public.customer_duplicates(integer, text, text, text),
  public.judge_duplicates(uuid, uuid[], boolean), public.list_pairs(timestamptz, uuid, integer) from public, anon;
grant execute on function public.customer_duplicates(integer, text, text, text),
  public.judge_duplicates(uuid, uuid[], boolean), public.list_pairs(timestamptz, uuid, integer) to authenticated;
