-- Learning the weights from the group's own records, without labels: how often names occur, which levels
-- occur among random pairs and among blocked ones, and expectation–maximisation on these counts.

create or replace function private.learn_names(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from private.identity_names n where n.organization_id = p_organization;
  -- Ids are random, so the first ones are a sample.
  insert into private.identity_names (organization_id, kind, name, share)
  with drawn as materialized (
    -- Records of one name and phone are one person, who would make the name look common.
    select distinct d.given_meant, d.surname1, d.surname2, d.phone from (
      select i.* from private.customer_identity i
      where i.organization_id = p_organization order by i.customer_id limit 100000) as d
  ), words as (
    select 'given' as kind, w.name, d.people
    from (select d.given_meant, count(*) over () as people from drawn d where d.given_meant is not null) as d
    cross join lateral unnest(string_to_array(d.given_meant, ' ')) as w (name)
    union all
    select 'surname', s.name, count(*) over ()
    from drawn d cross join lateral (values (d.surname1), (d.surname2)) as s (name) where s.name is not null
  )
  select p_organization, w.kind, w.name, least(1, count(*)::real / max(w.people))
  from words w group by w.kind, w.name having count(*) > 1;
  -- Before statistics a look-up of a name would read the whole table.
  analyze private.identity_names;
end
$$;
comment on function private.learn_names(uuid) is 'Counts what the group''s customers are called.';

create or replace function private.free_fields(a private.customer_identity, b private.customer_identity)
  returns smallint
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  -- Bit n - 1: found by a key that does not contain field n.
  return case when a.by_mailbox = b.by_mailbox or a.by_local_part = b.by_local_part then 511 - 8 else 0 end
    | case when a.by_phone = b.by_phone then 511 - 16 else 0 end
    | case when a.by_phone_start = b.by_phone_start or a.by_phone_middle = b.by_phone_middle
      or a.by_phone_end = b.by_phone_end
      then 511 - 16 - 1 else 0 end
    | case when a.by_name = b.by_name or a.by_sound = b.by_sound or a.by_surname = b.by_surname
      or a.by_surnames = b.by_surnames
      then 511 - 1 - 2 else 0 end
    | case when a.by_birth = b.by_birth then 511 - 4 else 0 end
    | case when a.by_birth_month = b.by_birth_month then 511 - 4 - 2 else 0 end
    | case when a.by_given_month = b.by_given_month then 511 - 4 - 1 else 0 end
    | case when a.by_home = b.by_home then 511 - 2 - 32 - 64 else 0 end
    | case when a.by_address = b.by_address then 511 - 32 - 64 else 0 end
    | case when a.by_postcode = b.by_postcode then 511 - 64 - 32 - 1 else 0 end;
end
$$;
comment on function private.free_fields(private.customer_identity, private.customer_identity) is
  'Bit n - 1: a blocking key without field n found the pair, so it is a fair sample of how field n agrees.';

create or replace function private.learn_random(p_organization uuid, p_people integer) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from private.identity_patterns p where p.organization_id = p_organization;
  insert into private.identity_patterns (organization_id, random, levels, rarity, free, pairs)
  with drawn as materialized (
    select s.i, s.place, private.shares_of(s.i) as shares
    from (select d.i, row_number() over (order by hashtext((d.i).customer_id::text)) as place
      from (select i from private.customer_identity i where i.organization_id = p_organization
        order by i.customer_id limit p_people) as d) as s
  ), compared as materialized (
    select private.compare_identities(a.i, b.i, a.shares, true) as levels
    from drawn as a cross join generate_series(1, 25) as n join drawn as b on b.place = a.place + n
  )
  select p_organization, true, c.levels[:9], c.levels[10], 511, count(*)
  from compared c group by c.levels[:9], c.levels[10];
end
$$;
comment on function private.learn_random(uuid, integer) is
  'Counts at which levels random pairs agree: of so many customers, each with 25 others.';

create or replace function private.learn_blocked(p_organization uuid, p_after integer, p_people integer)
  returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_people private.customer_identity[] := array(
    select i from private.customer_identity i where i.organization_id = p_organization
    order by i.customer_id offset p_after limit p_people);
begin
  insert into private.identity_patterns as p (organization_id, random, levels, rarity, free, pairs)
  with drawn as materialized (
    select i, place, private.shares_of(i) as shares
    from (select v_people[n] as i, n as place from generate_subscripts(v_people, 1) as n) as p
  ), compared as materialized (
    select private.compare_identities(m.i, o, m.shares, false) as levels, private.free_fields(m.i, o) as free
    from private.identity_candidates(v_people) as k
    join drawn m on m.place = k.place
    join private.customer_identity o on o.customer_id = k.customer_id and o.organization_id = p_organization
  )
  select p_organization, false, c.levels[:9], c.levels[10], c.free, count(*)
  from compared c where c.levels is not null group by c.levels[:9], c.levels[10], c.free
  on conflict (organization_id, random, levels, rarity, free) do update set pairs = p.pairs + excluded.pairs;
end
$$;
comment on function private.learn_blocked(uuid, integer, integer) is
  'Adds at which levels some customers agree with everyone who shares a blocking key.';

create or replace function private.learn_rounds(p_organization uuid, p_people integer, p_rounds integer)
  returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_total bigint;
  v_prior real;
  v_bits real;
  v_weights real[];
  v_strength constant real := 100;
begin
  select count(*) into v_total from private.customer_identity i where i.organization_id = p_organization;
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
        sum(x.same) filter (where not x.random) as same, sum(x.pairs - x.same)
        filter (where x.random) as apart, sum(sum(x.same) filter (where not x.random))
        over (partition by f.place) as all_same, sum(sum(x.pairs - x.same) filter (where x.random))
        over (partition by f.place) as all_apart
      from weighed x cross join lateral unnest(x.levels) with ordinality as f (level, place)
      where f.level > 0 and (x.free::integer >> (f.place::integer - 1)) % 2 = 1
      group by f.place, f.level
    ), updated as (
      select s.field, s.level,
        (coalesce(c.same, 0) + v_strength * s.m) / (coalesce(t.all_same, 0) + v_strength) as m,
        (coalesce(c.apart, 0) + 1) / (coalesce(t.all_apart, 0) + 1 / s.u) as u
      from private.identity_seeds s left join counted c on c.place = s.place and c.level = s.level
      left join (select distinct c.place, c.all_same, c.all_apart from counted c) as t on t.place = s.place
    ), written as (
      update public.identity_weights w set m = greatest(0.0005, u.m), u = greatest(0.0000001, u.u)
        from updated u
      where w.organization_id = p_organization and w.field = u.field and w.level = u.level
    )
    select greatest(0.00000001,
      least(0.1, sum(x.same) / greatest(1, least(p_people, v_total)) / greatest(1, v_total - 1))) into v_prior
    from weighed x where not x.random;
  end loop;
  update public.identity_settings s set prior = v_prior, learned_at = now(), learned_from = v_total
    where s.organization_id = p_organization;
end
$$;
comment on function private.learn_rounds(uuid, integer, integer) is
  'Expectation and maximisation in turns, from the seeds, on the counted patterns: writes the weights and the prior.';

create or replace function private.learn_weights(p_organization uuid, p_step integer default 0) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_chunk constant integer := 250;
  v_chunks constant integer := 12;
begin
  if p_step = 0 then
    perform private.learn_names(p_organization);
  elsif p_step = 1 then
    perform private.learn_random(p_organization, 3000);
  elsif p_step <= 1 + v_chunks then
    perform private.learn_blocked(p_organization, (p_step - 2) * v_chunk, v_chunk);
  else
    perform private.learn_rounds(p_organization, v_chunk * v_chunks, 15);
    -- What was found by other weights is weighed again.
    perform private.queue_everyone(p_organization);
    return jsonb_build_object('next', null);
  end if;
  return jsonb_build_object('next', p_step + 1);
end
$$;
comment on function private.learn_weights(uuid, integer) is
  'One step of learning the weights from the group''s own records: {next}, the step to call then; null when it has learned. Everyone is then scored again.';

create or replace function public.learn_identity_weights(p_organization uuid, p_step integer default 0)
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_people integer;
  v_before integer;
begin
  if p_step = 0 then
    select count(*) into v_people from private.customer_identity i where i.organization_id = p_organization;
    select s.learned_from into v_before from public.identity_settings s
      where s.organization_id = p_organization;
    -- Few people teach nothing, and a fifth more of them little that is new.
    if v_people < 200 or v_people between v_before * 0.8 and v_before * 1.2 then
      return jsonb_build_object('next', null);
    end if;
  end if;
  return private.learn_weights(p_organization, p_step);
end
$$;
comment on function public.learn_identity_weights(uuid, integer) is
  'For the nightly job: private.learn_weights, if the group has changed much since it last learned.';
grant execute on function private.learn_weights(uuid, integer) to service_role;
grant execute on function public.learn_identity_weights(uuid, integer) to service_role;
