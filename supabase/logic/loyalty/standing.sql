-- What customers hold of the loyalty programme: points for visits, and their tier.

create or replace function private.vip_rank(p_organization uuid) returns integer
language sql stable set search_path = ''
as $$
  select coalesce(min(t.rank) filter (where t.name = 'Oro'), 3) from public.loyalty_tiers t
  where t.organization_id = p_organization
$$;
comment on function private.vip_rank(uuid) is
  'The rank of the tier from which a guest is a VIP: that of Oro, else 3.';

create or replace function private.settle_points(p_customers uuid[]) returns void
language sql volatile set search_path = ''
as $$
  with owed as (
    select r.customer_id, r.id as reservation_id,
      coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0) as amount,
      r.total_amount is null as estimate,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as visited_at
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = any(p_customers) and r.visited
  ), entered as (
    select p.customer_id, p.reservation_id, sum(p.points) as points,
      (array_agg(p.multiplier order by p.created_at desc, p.id desc) filter (where p.kind = 'earned'))[1]
        as multiplier
    from public.loyalty_points p
    where p.customer_id = any(p_customers) and p.reservation_id is not null
    group by p.customer_id, p.reservation_id
  ), compared as materialized (
    select customer_id, reservation_id, o.amount, o.estimate, o.visited_at, coalesce(e.points, 0) as points,
      e.multiplier
    from owed o full join entered e using (customer_id, reservation_id)
  ), guests as materialized (
    -- Read once for all of them: while statistics say that the table is empty, a join would read all of it
    -- for each one.
    select g.id, g.organization_id, g.loyalty_tier_id from public.customers g where g.id = any(p_customers)
  ), due as (
    select c.organization_id, p.customer_id, p.reservation_id, p.amount, p.estimate, p.visited_at, p.points,
      rate.multiplier, least(floor(coalesce(p.amount, 0) * rate.multiplier), 1000000000) as target
    from compared p
    join guests c on c.id = p.customer_id
    left join public.loyalty_tiers held on held.id = c.loyalty_tier_id
    cross join lateral (select coalesce(p.multiplier, held.points_multiplier, 1)) as rate (multiplier)
  )
  insert into public.loyalty_points (organization_id, customer_id, reservation_id, kind, points, multiplier,
    amount, amount_is_estimate, created_at)
  select organization_id, customer_id, reservation_id,
    case when amount is null then 'taken_back' when points = 0 then 'earned' else 'corrected' end,
    (target - points)::integer, multiplier, amount,
    coalesce(estimate, false),
    -- Visits that became known together stay in their order.
    now() + row_number() over (order by visited_at, reservation_id) * interval '1 microsecond'
  from due where target <> points
$$;
comment on function private.settle_points(uuid[]) is
  'Brings the points of each of the customers'' visits to floor(EUR × multiplier): earns, corrects or takes back the difference. Under lock_identities.';

create or replace function private.points_json(p_entry public.loyalty_points) returns jsonb
language sql stable set search_path = ''
as $$ select (to_jsonb(p_entry) - array['organization_id', 'customer_id', 'author', 'author_name'])
  || jsonb_build_object('author', (p_entry).author_name, 'reservation_date', null) $$;
comment on function private.points_json(public.loyalty_points) is 'An entry of the points ledger as the API gives it.';

create or replace function public.save_points(p_customer uuid, p_kind text, p_points integer, p_reason text)
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_balance bigint;
  v_points bigint := case p_kind when 'redeemed' then -p_points::bigint when 'adjusted' then p_points end;
  v_entry public.loyalty_points;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  -- The sync writes balances too: without the lock it would put back the one it read before this entry.
  perform private.lock_identities(v_organization);
  select points into v_balance from public.customers
  where id = p_customer and organization_id = v_organization for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_points is null or v_points not between -1000000 and 1000000 or v_points = 0
    or (p_kind = 'redeemed' and v_points > 0) then
    return jsonb_build_object('outcome', 'malformed');
  end if;
  if v_points < 0 and v_balance + v_points < 0 then
    return jsonb_build_object('outcome', 'overdrawn');
  end if;
  begin
    insert into public.loyalty_points (organization_id, customer_id, kind, points, reason, author,
      author_name)
    select v_organization, p_customer, p_kind, v_points, p_reason, p.id,
      coalesce(nullif(p.full_name, ''), p.email)
    from public.profiles p where p.id = (select private.caller())
    returning * into v_entry;
  exception
    when check_violation then return jsonb_build_object('outcome', 'malformed');
  end;
  update public.customers set points = points + v_points where id = p_customer
    returning points into v_balance;
  perform private.audit(v_organization, 'customer.points_' || p_kind, p_customer,
    jsonb_build_object('points', v_points));
  return jsonb_build_object('outcome', 'saved', 'entry', private.points_json(v_entry), 'balance', v_balance);
end
$$;
comment on function public.save_points(uuid, text, integer, text) is
  'Adjusts (signed) or redeems (positive) a customer''s points, with a reason: outcome saved (with entry and balance), overdrawn, malformed, not_found or forbidden.';

-- The one reading of the rules, for what recalculates, what refreshes customers and what previews.
create or replace function private.tier_rules(p_changes jsonb default '[]')
returns table (location_id uuid, organization_id uuid, tier_id uuid, rank integer, min_spend numeric,
  min_visits integer)
language sql stable set search_path = ''
as $$
  with change as (
    select * from jsonb_to_recordset(p_changes) as (
      location_id uuid, tier_id uuid, min_spend numeric, min_visits integer)
  ), rule as (
    select r.location_id, r.tier_id, r.min_spend, r.min_visits from public.loyalty_rules r
    where not exists (select 1 from change n where n.location_id = r.location_id and n.tier_id = r.tier_id)
    union all
    select n.location_id, n.tier_id, n.min_spend, n.min_visits from change n where n.min_visits is not null
  )
  select rule.location_id, t.organization_id, t.id, t.rank, rule.min_spend, rule.min_visits
  from rule join public.loyalty_tiers t on t.id = rule.tier_id
$$;
comment on function private.tier_rules(jsonb) is
  'The rules of all locations with their tiers; with changes of rules ([{location_id, tier_id, min_spend, min_visits}], nulls: none) as if saved.';

create or replace function private.evaluate_tiers(p_organization uuid, p_after uuid, p_limit integer,
  p_locations uuid[], p_changes jsonb default '[]')
returns table (customer_id uuid, location_id uuid, tier_id uuid)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  with batch as materialized (
    select c.id, c.location_id, c.total_spend, c.total_visits, c.loyalty_tier_id
    from public.customers c
    where c.organization_id = p_organization and (p_after is null or c.id > p_after)
      and (p_locations is null or c.location_id = any(p_locations))
    order by c.id limit p_limit
  ), earned as (
    select distinct on (b.id) b.id, rule.tier_id
    from batch b
    join private.tier_rules(p_changes) as rule on rule.location_id = b.location_id
      and rule.organization_id = p_organization
      and b.total_spend >= rule.min_spend and b.total_visits >= rule.min_visits
    left join public.loyalty_tiers held on held.id = b.loyalty_tier_id
    where held.id is null or rule.rank > held.rank
    order by b.id, rule.rank desc
  )
  select b.id, b.location_id, e.tier_id from batch b left join earned e on e.id = b.id;
end
$$;
comment on function private.evaluate_tiers(uuid, uuid, integer, uuid[], jsonb) is
  'The next customers by id (of p_locations, or of all), each with the highest tier whose rule they meet at their location, where it is above theirs, else null; with changes of rules as if saved.';

create or replace function public.raise_loyalty_tiers(p_organization uuid, p_after uuid, p_limit integer,
  p_locations uuid[] default null) returns jsonb
language sql volatile set search_path = ''
as $$
  with batch as materialized (
    select * from private.evaluate_tiers(p_organization, p_after, p_limit, p_locations)
  ), raised as (
    update public.customers c set loyalty_tier_id = b.tier_id
    from batch b where c.id = b.customer_id and b.tier_id is not null returning 1
  )
  select jsonb_build_object('evaluated', (select count(*) from batch), 'upgraded',
    (select count(*) from raised),
    'last_id', (select b.customer_id from batch b order by b.customer_id desc limit 1))
$$;
comment on function public.raise_loyalty_tiers(uuid, uuid, integer, uuid[]) is
  'Raises the tiers of the next customers by id, of p_locations or of all; last_id is where the following batch begins.';

create or replace function public.preview_loyalty_tiers(p_organization uuid, p_changes jsonb, p_after uuid,
  p_limit integer, p_locations uuid[] default null)
returns jsonb
language sql stable set search_path = ''
as $$
  with batch as materialized (
    select * from private.evaluate_tiers(p_organization, p_after, p_limit, p_locations, p_changes)
  )
  select jsonb_build_object('evaluated', (select count(*) from batch),
    'last_id', (select b.customer_id from batch b order by b.customer_id desc limit 1), 'rises', (
    select coalesce(jsonb_agg(to_jsonb(rise)), '[]') from (
      select b.location_id, b.tier_id, count(*) as customers
      from batch b where b.tier_id is not null group by b.location_id, b.tier_id) as rise))
$$;
comment on function public.preview_loyalty_tiers(uuid, jsonb, uuid, integer, uuid[]) is
  'How many of the next customers by id (of p_locations, or of all) would rise to which tier, by location, if the rules were changed so. Writes nothing.';

create or replace function public.loyalty_distribution()
returns table (location_id uuid, tier_id uuid, customers bigint)
language sql stable security definer set search_path = ''
as $$
  select c.location_id, c.loyalty_tier_id, count(*) from public.customers c
  where c.location_id = any(array(select private.my_locations('canAccessMarketing')))
  group by c.location_id, c.loyalty_tier_id
$$;
comment on function public.loyalty_distribution() is
  'How many customers of each of the caller''s locations hold which tier (null: none).';
grant execute on function public.save_points(uuid, text, integer, text), public.loyalty_distribution()
  to authenticated;
grant execute on function private.settle_points(uuid[]), private.tier_rules(jsonb),
  private.evaluate_tiers(uuid, uuid, integer, uuid[], jsonb),
  public.raise_loyalty_tiers(uuid, uuid, integer, uuid[]),
  public.preview_loyalty_tiers(uuid, jsonb, uuid, integer, uuid[]) to service_role;
