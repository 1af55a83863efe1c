-- Customers who are likely one person: the pairs that the model found (docs/identity.md) and those that share
-- something to the letter, in groups; and the verdict that two are different people.

create or replace function private.one_name(p_organization uuid, p_phone text) returns boolean
language sql stable set search_path = ''
as $$
  select count(*) <= 1 from (
    select 1 from public.customers c
    where c.organization_id = p_organization and c.phone = p_phone and c.sort_name <> ''
    group by c.sort_name limit 2) as names
$$;
comment on function private.one_name(uuid, text) is 'Whether the customers with the phone have at most one name.';

create or replace function private.exact_pairs(p_ids uuid[])
  returns table (customer_id uuid, other_id uuid, rules jsonb)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  select s.id, s.other, jsonb_agg(distinct s.rule)
  from (
    select c.id, o.id as other, 'email' as rule
    from public.customers c cross join lateral (
      select x.id from public.customers x
      where x.organization_id = c.organization_id and x.email_key = c.email_key and x.id <> c.id
        limit 20) as o
    where c.id = any(p_ids) and c.email_key is not null
    union all
    select c.id, o.id, 'name_and_birth_date'
    from public.customers c cross join lateral (
      select x.id from public.customers x
      where x.organization_id = c.organization_id and x.birth_date = c.birth_date
        and x.sort_name = c.sort_name
        and x.sort_name <> '' and x.id <> c.id limit 20) as o
    where c.id = any(p_ids) and c.birth_date is not null and c.sort_name <> ''
    union all
    -- One phone under several names is a family or an office: then the names must be equal.
    select c.id, o.id, 'phone'
    from public.customers c cross join lateral (
      select x.id, x.sort_name from public.customers x
      where x.organization_id = c.organization_id and x.phone = c.phone and x.id <> c.id limit 20) as o
    where c.id = any(p_ids) and c.phone is not null
      and (o.sort_name = c.sort_name and c.sort_name <> '' or private.one_name(c.organization_id, c.phone))
  ) as s
  group by s.id, s.other;
end
$$;
comment on function private.exact_pairs(uuid[]) is
  'With whom the customers share the mailbox (email), the phone and the name (phone), or the name and the birth date (name_and_birth_date); up to 20 by rule.';

create or replace function private.at_odds(p_ones uuid[], p_others uuid[]) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.customer_pairs k
    where k.verdict = 'different'
      and (k.first_id = any(p_ones) and k.second_id = any(p_others) or k.first_id = any(p_others)
        and k.second_id = any(p_ones)))
  or exists (
    select from private.customer_identity a join private.customer_identity b on b.customer_id = any(p_others)
    cross join lateral (select private.compare_identities(a, b, '{0,0,0,0,0}', false) as l) as c
    where a.customer_id = any(p_ones)
      and (c.l is null or c.l[1] = 1 or c.l[2] in (1, 3) or c.l[3] in (1, 5))
      and not exists (select from public.identity_pairs p
        where p.first_id = least(a.customer_id, b.customer_id)
          and p.second_id = greatest(a.customer_id, b.customer_id)))
$$;
comment on function private.at_odds(uuid[], uuid[]) is
  'Whether a customer of one group is marked as a different person from one of the other, or contradicts one by name or birth date.';

create or replace function private.group_of(p_first uuid, p_second uuid, p_above real, p_certain boolean)
  returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_most constant integer := 10;
  v_reach constant integer := 60;
  v_ids uuid[] := array[p_first, p_second];
  v_new uuid[] := v_ids;
  -- The group of each, by the place of the pair that began it.
  v_group integer[];
  v_place integer;
  v_one integer;
  v_other integer;
  v_ones uuid[];
  v_others uuid[];
  k record;
begin
  loop
    v_new := array(
      select p.second_id from public.identity_pairs p
      where p.first_id = any(v_new) and p.probability >= p_above and (p.certain or not p_certain)
        and p.second_id <> all(v_ids)
      union
      select p.first_id from public.identity_pairs p
      where p.second_id = any(v_new) and p.probability >= p_above and (p.certain or not p_certain)
        and p.first_id <> all(v_ids)
      order by 1 limit v_reach);
    exit when v_new = '{}';
    v_ids := v_ids || v_new;
    exit when cardinality(v_ids) >= v_reach;
  end loop;
  v_group := array_fill(0, array[cardinality(v_ids)]);
  -- The most certain pairs join first; customers that contradict the resulting group stay out.
  for k in
    select row_number() over (order by p.probability desc, p.first_id, p.second_id)::integer as place,
      p.first_id, p.second_id, array_position(v_ids, p.first_id) as one,
      array_position(v_ids, p.second_id) as other
    from public.identity_pairs p
    where p.first_id = any(v_ids) and p.second_id = any(v_ids) and p.probability >= p_above
      and (p.certain or not p_certain)
    order by 1
  loop
    if k.first_id = p_first and k.second_id = p_second then v_place := k.place; end if;
    v_one := v_group[k.one];
    v_other := v_group[k.other];
    continue when v_one <> 0 and v_one = v_other;
    v_ones := case v_one when 0 then array[k.first_id] else array(
      select m.id from unnest(v_ids, v_group) as m (id, g) where m.g = v_one) end;
    v_others := case v_other when 0 then array[k.second_id] else array(
      select m.id from unnest(v_ids, v_group) as m (id, g) where m.g = v_other) end;
    continue when cardinality(v_ones) + cardinality(v_others) > v_most or private.at_odds(v_ones, v_others);
    v_group := array(
      select case when m.id = any(v_ones || v_others)
        then least(nullif(v_one, 0), nullif(v_other, 0), k.place) else m.g end
      from unnest(v_ids, v_group) with ordinality as m (id, g, n) order by m.n);
  end loop;
  if v_group[1] is distinct from v_place then return null; end if;
  return array(select m.id from unnest(v_ids, v_group) as m (id, g) where m.g = v_group[1]);
end
$$;
comment on function private.group_of(uuid, uuid, real, boolean) is
  'The group that begins with a pair: the customers linked to it directly or through others, ten at most, without contradictions. Null when a more certain pair begins the group, or the two contradict each other. Only pairs of at least that probability, or only certain ones, link.';

create or replace function private.pairs_after(p_organization uuid, p_above real, p_certain boolean,
  p_limit integer, p_probability real, p_first uuid, p_second uuid)
returns table (probability real, first_id uuid, second_id uuid, certain boolean)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_found integer := 0;
begin
  -- Many pairs have one probability, so a place among them is found by the index, too.
  if p_probability is not null then
    return query select p.probability, p.first_id, p.second_id, p.certain from public.identity_pairs p
    where p.organization_id = p_organization and p.probability = p_probability and p.probability >= p_above
      and (p.certain or not p_certain) and (p.first_id, p.second_id) > (p_first, p_second)
    order by p.first_id, p.second_id limit p_limit;
    get diagnostics v_found = row_count;
  end if;
  return query select p.probability, p.first_id, p.second_id, p.certain from public.identity_pairs p
  where p.organization_id = p_organization and p.probability < coalesce(p_probability, 2)
    and p.probability >= p_above
    and (p.certain or not p_certain)
  order by p.probability desc, p.first_id, p.second_id limit p_limit - v_found;
end
$$;
comment on function private.pairs_after(uuid, real, boolean, integer, real, uuid, uuid) is
  'The next pairs of a group from a place on, the most certain first.';

create or replace function private.group_json(p_ids uuid[], p_probability real, p_certain boolean)
  returns jsonb
language sql stable set search_path = ''
as $$
  with pairs as materialized (
    -- Of the stored reasons what can be read: the next comparison writes them anew.
    select p.first_id, p.second_id, p.probability, p.certain,
      array(select e.rule from jsonb_array_elements_text(
          case jsonb_typeof(p.reasons -> 'exact') when 'array' then p.reasons -> 'exact' else '[]' end)
            as e (rule)
        where e.rule in ('email', 'name_and_birth_date', 'phone')) as rules,
      (select coalesce(jsonb_object_agg(e.key, e.value), '{}')
        from jsonb_each(case jsonb_typeof(p.reasons) when 'object' then p.reasons else '{}' end) as e
        where e.key <> 'exact' and jsonb_typeof(e.value) = 'string') as evidence
    from public.identity_pairs p where p.first_id = any(p_ids) and p.second_id = any(p_ids)
  ), rules as (
    select case r.rule when 'email' then 1 when 'name_and_birth_date' then 2 else 3 end as place, r.rule
    from (select distinct unnest(p.rules) as rule from pairs p) as r
    union all
    select 4, 'likeness' from pairs p where p.rules = '{}' limit 4
  )
  select jsonb_build_object(
    'reason', (select r.rule from rules r order by r.place limit 1),
    'reasons', (select jsonb_agg(d.rule order by d.place)
      from (select distinct r.place, r.rule from rules r) as d),
    'probability', p_probability, 'certain', p_certain,
    'pairs', (select jsonb_agg(jsonb_build_object('customer_ids', jsonb_build_array(p.first_id, p.second_id),
        'probability', p.probability, 'certain', p.certain, 'evidence', p.evidence)
      order by p.probability desc, p.first_id, p.second_id) from pairs p),
    'customers', (select jsonb_agg(private.customer_json(c) order by c.created_at, c.id)
      from public.customers c where c.id = any(p_ids)))
$$;
comment on function private.group_json(uuid[], real, boolean) is
  'A group as the API returns it: {reason, reasons, probability, certain, pairs: [{customer_ids, probability, certain, evidence}], customers}.';

create or replace function public.customer_duplicates(p_limit integer default 50,
  p_after_probability real default null, p_after_first uuid default null, p_after_second uuid default null,
  p_above real default 0, p_certain boolean default false)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_most constant integer := 400;
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_limit integer := least(p_limit, 200);
  v_groups jsonb[] := '{}';
  v_seen uuid[] := '{}';
  v_group uuid[];
  v_visited integer := 0;
  v_last jsonb;
  k record;
begin
  for k in select *
    from private.pairs_after(v_organization, p_above, p_certain, v_most, p_after_probability, p_after_first,
    p_after_second) loop
    v_visited := v_visited + 1;
    if k.first_id <> all(v_seen) and k.second_id <> all(v_seen) then
      v_group := private.group_of(k.first_id, k.second_id, p_above, p_certain);
      if v_group is not null then
        if cardinality(v_groups) = v_limit then
          return jsonb_build_object('groups', to_jsonb(v_groups), 'next', v_last);
        end if;
        v_seen := v_seen || v_group;
        v_groups := v_groups || private.group_json(v_group, k.probability, k.certain);
      end if;
    end if;
    v_last := jsonb_build_array(k.probability, k.first_id, k.second_id);
  end loop;
  return jsonb_build_object('groups', to_jsonb(v_groups), 'next',
    case when v_visited = v_most then v_last end);
end
$$;
comment on function public.customer_duplicates(integer, real, uuid, uuid, real, boolean) is
  'Groups of customers who are likely one person, {groups, next: [probability, first_id, second_id]}, the most certain first. After 400 pairs it stops, however few groups it found.';

create or replace function public.judge_duplicates(p_id uuid, p_others uuid[], p_different boolean)
  returns text
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
      insert into public.customer_pairs (organization_id, first_id, second_id, verdict, author_id,
        author_name)
      select v_organization, least(p_id, o), greatest(p_id, o), 'different', (select private.caller()),
        private.my_name()
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
  'Marks a customer as a different person from each of the others, or removes the mark: saved or not_found (one does not exist).';

create or replace function public.list_pairs(p_before timestamptz default null, p_before_id uuid default null,
  p_limit integer default 50)
returns table (id uuid, decided_at timestamptz, author_name text, customers jsonb)
language sql stable security definer set search_path = ''
as $$
  select k.id, k.decided_at, k.author_name,
    jsonb_build_array(private.customer_json(a), private.customer_json(b))
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
grant execute on function public.customer_duplicates(integer, real, uuid, uuid, real, boolean),
  public.judge_duplicates(uuid, uuid[], boolean), public.list_pairs(timestamptz, uuid, integer)
    to authenticated;
