-- Scoring customers in steps, and someone who is not saved yet: weights, probability, what is certain.

create or replace function private.weights_of(p_organization uuid) returns real[]
language sql stable set search_path = ''
as $$
  -- [field][level + 1]; a level whose rarity is known pair by pair weighs log2(m) and its rarity is added.
  select array_agg(f.weights order by f.place) from (
    select s.place, array_agg(
      case when s.level = 0 then 0 when s.by_rarity then log(2, w.m::numeric)
        else log(2, (w.m / w.u)::numeric) end::real order by s.level) as weights
    from (
      select distinct d.place, d.field, l.level, s.by_rarity, s.m, s.u
      from private.identity_seeds d cross join generate_series(0, 8) as l (level)
      left join private.identity_seeds s on s.field = d.field and s.level = l.level
    ) as s
    left join public.identity_weights o on o.organization_id = p_organization and o.field = s.field
      and o.level = s.level
    cross join lateral (select coalesce(o.m, s.m, 1) as m, coalesce(o.u, s.u, 1) as u) as w
    group by s.place) as f
$$;
comment on function private.weights_of(uuid) is 'The weights in bits as an array [field][level + 1]: what the group learned, else the seeds.';

create or replace function private.weigh(l smallint[], w real[]) returns real
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_home real := w[6][l[6] + 1] + w[7][l[7] + 1] + w[8][l[8] + 1];
  v_phone real := w[5][l[5] + 1];
  v_email real := w[4][l[4] + 1];
  v_own real := w[1][l[1] + 1] + w[3][l[3] + 1] + w[9][l[9] + 1];
  v_surname real := w[2][l[2] + 1];
begin
  -- An address made of the name proves little more than the name.
  if l[4] = 7 then v_email := least(v_email, 5); end if;
  -- Relatives share a surname, a home and a phone: another given name, or another second surname (father and
  -- son), cancels what these prove.
  if l[1] = 1 and l[2] in (4, 6) and l[3] = 4 then
    -- The same birth date and surname with different given names: mostly one person with two given names.
    -- Twins in Spain show both surnames.
    return v_own + v_surname + v_home + least(v_phone, 0) + least(v_email, 8) + l[10];
  elsif l[1] = 1 and l[2] = 1 then
    return v_own + v_surname + v_home + least(v_phone, 0) + least(v_email, 8);
  elsif l[1] = 1 then
    return v_own + least(v_surname, 0) + least(v_home, 0) + least(v_phone, 0) + least(v_email, 8);
  elsif l[2] = 3 then
    return v_own + least(v_surname + l[10], 0) + least(v_home, 0) + least(v_phone, 0) + least(v_email, 10);
  elsif l[2] = 1 then
    return v_own + v_surname + v_home + least(v_phone, 4) + v_email + l[10];
  end if;
  return v_own + v_surname + v_home + v_phone + v_email + l[10];
end
$$;
comment on function private.weigh(smallint[], real[]) is 'What the levels of a compared pair weigh together, in bits.';

-- Its plans are kept, also within a function that has its own made each time.
create or replace function private.shares_of(a private.customer_identity) returns real[]
language plpgsql stable set search_path = '' set plan_cache_mode = auto
as $$
declare
  v_phone integer := 1;
  v_mailbox integer := 1;
begin
  if a.by_phone is not null then
    select count(distinct s.given_meant) into v_phone from (
      select i.given_meant from private.customer_identity i where i.by_phone = a.by_phone limit 60) as s;
  end if;
  if a.by_mailbox is not null then
    select count(distinct s.given_meant) into v_mailbox from (
      select i.given_meant from private.customer_identity i where i.by_mailbox = a.by_mailbox limit 60) as s;
  end if;
  return array[private.name_rarity(a.organization_id, split_part(a.given_meant, ' ', 1)),
    private.name_rarity(a.organization_id, a.surname1), private.name_rarity(a.organization_id, a.surname2),
    ln(greatest(1, v_phone)::float8) / ln(2::float8),
    ln(greatest(1, v_mailbox)::float8) / ln(2::float8)]::real[];
end
$$;
comment on function private.shares_of(private.customer_identity) is
  'How rare the given name and the surnames are, in bits, and by how many bits sharing lowers what the phone and the mailbox prove.';

create or replace function private.is_certain(a private.customer_identity, l smallint[], p_shares real[])
  returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_born boolean := l[3] = 4 and to_char(a.birth_date, 'MMDD') <> '0101';
begin
  -- The same name, nothing against it, and two identifying fields of their own. Twins may both be "María"; a
  -- father and a son of one name share a phone and a mailbox, but no birth date.
  return l[1] = 6 and l[2] in (5, 6, 7) and a.given not in ('maria', 'jose') and l[3] in (0, 4)
    and (v_born and (l[4] in (4, 5, 6) or l[5] = 4 or l[4] = 3 and l[5] = 3)
      and (l[2] = 7 or p_shares[4] < 1 and p_shares[5] < 1)
      or l[4] = 6 and l[5] = 4 and l[2] in (6, 7) and p_shares[4] = 0 and p_shares[5] = 0
        and not private.is_shared_mailbox(a.email_local));
end
$$;
comment on function private.is_certain(private.customer_identity, smallint[], real[]) is
  'Whether what agrees is enough to take two for one person unasked, if their probability is, too.';

create or replace function private.reasons_of(l smallint[]) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (select jsonb_object_agg(s.field, s.label) from private.identity_seeds s where l[s.place] = s.level);
end
$$;
comment on function private.reasons_of(smallint[]) is 'The levels in words: {given: nickname, surname: both, …}.';

create or replace function private.prior_bits(p_organization uuid) returns real
language sql stable set search_path = ''
as $$
  select log(2, (p.prior / (1 - p.prior))::numeric)::real from (
    select coalesce((select s.prior from public.identity_settings s where s.organization_id = p_organization),
      0.000001) as prior) as p
$$;
comment on function private.prior_bits(uuid) is 'How likely any two records are one person, in bits.';

create or replace function private.likely_from(p_organization uuid) returns real
language sql stable set search_path = ''
as $$ select coalesce((select s.likely from public.identity_settings s
  where s.organization_id = p_organization), 0.5)::real $$;
comment on function private.likely_from(uuid) is 'From which probability a pair is suggested.';

create or replace function private.certain_from(p_organization uuid) returns real
language sql stable set search_path = ''
as $$ select coalesce((select s.certain from public.identity_settings s
  where s.organization_id = p_organization), 0.999)::real $$;
comment on function private.certain_from(uuid) is 'From which probability a pair may be certain.';

create or replace function private.probability_of(p_bits real) returns real
language plpgsql immutable parallel safe set search_path = ''
as $$ begin return 1 / (1 + power(2::float8, -greatest(-100, least(100, p_bits)))); end $$;
comment on function private.probability_of(real) is 'The probability, 0–1, of a match weight in bits.';

create or replace function private.score_new(p_organization uuid, p_person jsonb, p_limit integer default 5)
returns table (customer_id uuid, probability real, certain boolean, reasons jsonb)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_person private.customer_identity := private.identity_of(p_organization, p_person);
  v_shares real[] := private.shares_of(v_person);
  v_weights real[] := private.weights_of(p_organization);
  v_prior real := private.prior_bits(p_organization);
  v_likely real := private.likely_from(p_organization);
  v_certain real := private.certain_from(p_organization);
begin
  return query
  with compared as materialized (
    select o.customer_id as id, private.compare_identities(v_person, o, v_shares, false) as levels
    from private.identity_candidates(array[v_person]) as k
    join private.customer_identity o on o.customer_id = k.customer_id and o.organization_id = p_organization
  ), weighed as materialized (
    select c.id, c.levels, private.probability_of(v_prior + private.weigh(c.levels, v_weights)) as probability
    from compared c where c.levels is not null
  )
  select w.id, w.probability,
    w.probability >= v_certain and private.is_certain(v_person, w.levels, v_shares),
    private.reasons_of(w.levels)
  from weighed w where w.probability >= v_likely
  order by w.probability desc, w.id limit least(p_limit, 50);
end
$$;
comment on function private.score_new(uuid, jsonb, integer) is
  'Who is already here that is likely the person (as private.identity_of takes it; with an id: but that customer), the most likely first: probability 0–1 above the likely threshold, whether it is certain, and the level of each field compared, {given: nickname, …}.';

create or replace function private.queue_everyone(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$
  insert into public.identity_settings (organization_id, queued_to)
    values (p_organization, '00000000-0000-0000-0000-000000000000')
  on conflict (organization_id) do update set queued_to = excluded.queued_to
$$;
comment on function private.queue_everyone(uuid) is
  'Has all customers of the group compared again: private.score_step queues them part by part, as a statement for a million would take too long.';

create or replace function private.queue_next(p_organization uuid, p_limit integer,
  p_part integer default 10000) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_to uuid;
  v_first uuid[];
begin
  select s.queued_to into v_to from public.identity_settings s where s.organization_id = p_organization;
  if v_to is null then return; end if;
  v_first := array(
    select q.customer_id from private.identity_queue q where q.organization_id = p_organization
    order by q.customer_id limit p_limit);
  if v_first[p_limit] <= v_to then return; end if;
  select s.queued_to into v_to from public.identity_settings s
    where s.organization_id = p_organization for update;
  v_first := array(
    select i.customer_id from private.customer_identity i
    where i.organization_id = p_organization and i.customer_id > v_to order by i.customer_id limit p_part);
  insert into private.identity_queue (organization_id, customer_id)
  select p_organization, f.id from unnest(v_first) as f (id) on conflict do nothing;
  update public.identity_settings s set queued_to = v_first[p_part] where s.organization_id = p_organization;
end
$$;
comment on function private.queue_next(uuid, integer, integer) is
  'Of everyone who is to be compared again, queues the next part (p_part) when fewer than p_limit of those before it wait.';

create or replace function private.pair_people(p_organization uuid, p_ids uuid[], p_also_waiting boolean)
  returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_weights real[] := private.weights_of(p_organization);
  v_prior real := private.prior_bits(p_organization);
  v_likely real := private.likely_from(p_organization);
  v_certain real := private.certain_from(p_organization);
  v_queued_to uuid := (select s.queued_to from public.identity_settings s
    where s.organization_id = p_organization);
  v_people private.customer_identity[] := array(
    select i from private.customer_identity i where i.organization_id = p_organization
      and i.customer_id = any(p_ids));
  v_first uuid[];
  v_second uuid[];
  v_pairs integer;
begin
  -- In one order, lest two steps at once wait for each other.
  select array_agg(f.first_id), array_agg(f.second_id) into v_first, v_second from (
    select p.first_id, p.second_id from public.identity_pairs p where p.first_id = any(p_ids)
    union select p.first_id, p.second_id from public.identity_pairs p where p.second_id = any(p_ids)) as f;
  if v_first <> '{}' then
    perform from unnest(v_first, v_second) as f (first_id, second_id)
    join public.identity_pairs p on p.first_id = f.first_id and p.second_id = f.second_id
    order by p.first_id, p.second_id for update of p;
    delete from public.identity_pairs p using unnest(v_first, v_second) as f (first_id, second_id)
    where p.first_id = f.first_id and p.second_id = f.second_id;
  end if;
  with mine as materialized (
    select p.i, (p.i).customer_id as id, p.place, private.shares_of(p.i) as shares
    from (select v_people[n] as i, n as place from generate_subscripts(v_people, 1) as n) as p
  ), found as materialized (
    select f.id, f.other, max(f.rules::text)::jsonb as rules
    from (
      select m.id, k.customer_id as other, null::jsonb as rules
      from private.identity_candidates(v_people) as k join mine m on m.place = k.place
      union all select e.customer_id, e.other_id, e.rules from private.exact_pairs(p_ids) as e
    ) as f
    -- Of two customers that wait, the later one finds the earlier.
    where p_also_waiting or f.other < f.id
      or f.other <> all(p_ids) and (v_queued_to is null or f.other <= v_queued_to) and not exists (
        select from private.identity_queue q where q.organization_id = p_organization
          and q.customer_id = f.other)
    group by f.id, f.other
  ), compared as materialized (
    select m.i, m.id, m.shares, f.other, f.rules,
      private.compare_identities(m.i, o, m.shares, false) as levels
    from found f join mine m on m.id = f.id
    join private.customer_identity o on o.customer_id = f.other and o.organization_id = p_organization
  ), weighed as materialized (
    select c.*, private.probability_of(v_prior + private.weigh(c.levels, v_weights)) as probability,
      -- Another name or birth date speaks against what is equal to the letter: then the model decides. So it
      -- does where many share a mailbox.
      c.rules is not null and c.levels[1] <> 1 and c.levels[2] not in (1, 3) and c.levels[3] not in (1, 5)
        and (c.rules <> '["email"]' or private.is_shared_mailbox((c.i).email_local) is not true
          and (c.levels[1] > 1 or c.shares[5] = 0)) as is_exact
    from compared c where c.levels is not null
  ), likely as materialized (
    select w.* from weighed w where w.probability >= v_likely or w.is_exact
  ), labels as materialized (
    select l.levels, private.reasons_of(l.levels) as reasons
      from (select distinct levels[:9] as levels from likely) as l
  )
  insert into public.identity_pairs (first_id, second_id, organization_id, probability, certain, reasons)
  select least(w.id, w.other), greatest(w.id, w.other), p_organization, greatest(w.probability, v_likely),
    w.probability >= v_certain and private.is_certain(w.i, w.levels, w.shares),
    coalesce(l.reasons, '{}') || case when w.is_exact then jsonb_build_object('exact', w.rules) else '{}' end
  from likely w join labels l on l.levels = w.levels[:9]
  order by 1, 2
  on conflict (first_id, second_id) do nothing;
  get diagnostics v_pairs = row_count;
  return v_pairs;
end
$$;
comment on function private.pair_people(uuid, uuid[], boolean) is
  'Writes the pairs of the customers anew and returns how many: those that the model finds likely, and those of the same mailbox, phone and name, or name and birth date, which it may rate too low for lack of data (reasons has {exact: [rule]}). p_also_waiting: also with later customers that will still be compared themselves.';

create or replace function private.score_step(p_organization uuid, p_limit integer default 500) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_ids uuid[];
  v_pairs integer;
begin
  if p_limit > 0 then perform private.queue_next(p_organization, least(p_limit, 5000)); end if;
  -- Several may work at once.
  with taken as (
    delete from private.identity_queue q where q.organization_id = p_organization
      and q.customer_id = any(array(
      select w.customer_id from private.identity_queue w where w.organization_id = p_organization
      order by w.customer_id limit least(p_limit, 5000) for update skip locked))
    returning q.customer_id
  )
  select coalesce(array_agg(t.customer_id), '{}') into v_ids from taken t;
  v_pairs := private.pair_people(p_organization, v_ids, false);
  return jsonb_build_object('scored', cardinality(v_ids), 'pairs', v_pairs, 'more', exists (
    select from private.identity_queue q where q.organization_id = p_organization) or exists (
    select from public.identity_settings s where s.organization_id = p_organization
      and s.queued_to is not null));
end
$$;
comment on function private.score_step(uuid, integer) is
  'Compares the next customers that are new or changed with all others: {scored, pairs, more}. Call it again while more.';

create or replace function public.score_customers(p_organization uuid, p_limit integer default 500)
  returns jsonb
language sql volatile security definer set search_path = ''
as $$ select private.score_step(p_organization, p_limit) $$;
comment on function public.score_customers(uuid, integer) is 'For the nightly job: private.score_step.';
grant execute on function private.score_new(uuid, jsonb, integer), private.score_step(uuid, integer)
  to service_role;
grant execute on function public.score_customers(uuid, integer) to service_role;
