-- Learning the weights from the group's own records, without labels.

create function private.learn_names(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_people integer;
begin
  delete from private.identity_names n where n.organization_id = p_organization;
  insert into private.identity_names (organization_id, kind, name, share)
  select p_organization, w.kind, w.name, count(*)::real / max(w.people)
  from (
    select 'given' as kind, unnest(string_to_array(i.given_meant, ' ')) as name, count(*) over () as people
    from public.customer_identity i where i.organization_id = p_organization and i.given_meant is not null
    union all
    select 'surname', s.name, count(*) over ()
    from public.customer_identity i cross join lateral (values (i.surname1), (i.surname2)) as s (name)
    where i.organization_id = p_organization and s.name is not null
  ) as w
  group by w.kind, w.name having count(*) > 1;
end
$$;

create function private.free_fields(a public.customer_identity, b public.customer_identity) returns smallint
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  -- Bit n - 1: found by a key that does not contain field n.
  v_free integer := 0;
begin
  if a.by_mailbox = b.by_mailbox or a.by_local_part = b.by_local_part then v_free := v_free | (511 - 8); end if;
  if a.by_phone = b.by_phone then v_free := v_free | (511 - 16); end if;
  if a.by_phone_start = b.by_phone_start or a.by_phone_end = b.by_phone_end then v_free := v_free | (511 - 16 - 1); end if;
  if a.by_name = b.by_name or a.by_sound = b.by_sound or a.by_surnames = b.by_surnames then v_free := v_free | (511 - 1 - 2); end if;
  if a.by_birth = b.by_birth then v_free := v_free | (511 - 4); end if;
  if a.by_birth_month = b.by_birth_month then v_free := v_free | (511 - 4 - 2); end if;
  if a.by_address = b.by_address then v_free := v_free | (511 - 32 - 64); end if;
  if a.by_postcode = b.by_postcode then v_free := v_free | (511 - 64 - 32 - 1); end if;
  return v_free;
end
$$;

create function private.learn_sample(p_organization uuid, p_people integer, p_random integer) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from private.identity_patterns p where p.organization_id = p_organization;
  insert into private.identity_patterns (organization_id, random, levels, rarity, free, pairs)
  with drawn as (
    select s.i, s.place, private.shares_of(s.i) as shares
    from (select i, row_number() over (order by hashtext(i.customer_id::text || 'a')) as place
      from public.customer_identity i where i.organization_id = p_organization order by 2 limit p_random) as s
  ), compared as materialized (
    select private.compare_identities(a.i, b.i, a.shares, true) as levels
    from drawn as a join drawn as b
      on b.place between a.place + 1 and a.place + 25 and (a.i).customer_id <> (b.i).customer_id
  )
  select p_organization, true, c.levels[:9], c.levels[10], 511, count(*) from compared c group by c.levels[:9], c.levels[10];
  insert into private.identity_patterns (organization_id, random, levels, rarity, free, pairs)
  with drawn as materialized (
    select i, private.shares_of(i) as shares, private.identity_candidates(i) as others
    from (select i from public.customer_identity i where i.organization_id = p_organization
      order by hashtext(i.customer_id::text) limit p_people) as s
  ), compared as materialized (
    select private.compare_identities(m.i, o, m.shares, false) as levels, private.free_fields(m.i, o) as free
    from drawn as m cross join lateral unnest(m.others) as k (id)
    join public.customer_identity o on o.customer_id = k.id and o.customer_id <> (m.i).customer_id
  )
  select p_organization, false, c.levels[:9], c.levels[10], c.free, count(*)
  from compared c where c.levels is not null group by c.levels[:9], c.levels[10], c.free;
end
$$;

create function private.learn_rounds(p_organization uuid, p_people integer, p_rounds integer) returns real
language plpgsql volatile set search_path = ''
as $$
declare
  v_total bigint;
  v_prior real;
  v_bits real;
  v_weights real[];
  v_strength constant real := 20;
begin
  select count(*) into v_total from public.customer_identity i where i.organization_id = p_organization;
  insert into public.identity_settings (organization_id) values (p_organization) on conflict do nothing;
  select s.prior into v_prior from public.identity_settings s where s.organization_id = p_organization;
  delete from public.identity_weights w where w.organization_id = p_organization;
  insert into public.identity_weights (organization_id, field, level, label, m, u)
  select p_organization, s.field, s.level, s.label, s.m, s.u from private.identity_seeds s;
  for n in 1..p_rounds loop
    v_weights := private.weights_of(p_organization);
    v_bits := log(2, (v_prior / (1 - v_prior))::numeric);
    with weighed as materialized (
      select p.random, p.levels, p.free, p.pairs,
        p.pairs / (1 + power(2, -least(100, v_bits + private.weigh(p.levels || p.rarity, v_weights)))) as same
      from private.identity_patterns p where p.organization_id = p_organization
    ), counted as (
      select f.place, f.level,
        sum(x.same) filter (where not x.random) as same, sum(x.pairs - x.same) filter (where x.random) as apart,
        sum(sum(x.same) filter (where not x.random)) over (partition by f.place) as all_same,
        sum(sum(x.pairs - x.same) filter (where x.random)) over (partition by f.place) as all_apart
      from weighed x cross join lateral unnest(x.levels) with ordinality as f (level, place)
      where f.level > 0 and (x.free::integer >> (f.place::integer - 1)) % 2 = 1
      group by f.place, f.level
    ), updated as (
      select s.field, s.level,
        (coalesce(c.same, 0) + v_strength * s.m) / (coalesce(t.all_same, 0) + v_strength) as m,
        (coalesce(c.apart, 0) + 100 * s.u) / (coalesce(t.all_apart, 0) + 100) as u
      from private.identity_seeds s left join counted c on c.place = s.place and c.level = s.level
      left join (select distinct c.place, c.all_same, c.all_apart from counted c) as t on t.place = s.place
    ), written as (
      update public.identity_weights w set m = greatest(0.0005, u.m), u = greatest(0.0000001, u.u) from updated u
      where w.organization_id = p_organization and w.field = u.field and w.level = u.level
    )
    select greatest(0.00000001, least(0.1, sum(x.same) / least(p_people, v_total) / greatest(1, v_total - 1))) into v_prior
    from weighed x where not x.random;
  end loop;
  update public.identity_settings s set prior = v_prior, learned_at = now() where s.organization_id = p_organization;
  return v_prior;
end
$$;
