-- The loyalty rules of all locations in one grid: changed together, tried before they are saved, and who holds what.

-- The one evaluation: what recalculates writes its answer, what previews only counts it.
create function private.earned_tiers(p_ids uuid[], p_changes jsonb default '[]')
returns table (customer_id uuid, location_id uuid, tier_id uuid)
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
  select distinct on (c.id) c.id, c.location_id, t.id
  from public.customers c
  join rule on rule.location_id = c.location_id
    and c.total_spend >= rule.min_spend and c.total_visits >= rule.min_visits
  join public.loyalty_tiers t on t.id = rule.tier_id and t.organization_id = c.organization_id
  left join public.loyalty_tiers held on held.id = c.loyalty_tier_id
  where c.id = any(p_ids) and (held.id is null or t.rank > held.rank)
  order by c.id, t.rank desc
$$;
comment on function private.earned_tiers(uuid[], jsonb) is
  'The highest tier whose rule each customer meets at their location, where it is above theirs; with changes of rules (nulls: none) as if saved.';

create or replace function private.raise_tiers(p_ids uuid[]) returns bigint
language sql volatile set search_path = ''
as $$
  with raised as (
    update public.customers c set loyalty_tier_id = earned.tier_id
    from private.earned_tiers(p_ids) as earned where c.id = earned.customer_id returning 1
  )
  select count(*) from raised
$$;

create function public.preview_loyalty_tiers(p_organization uuid, p_changes jsonb, p_after uuid, p_limit integer,
  p_locations uuid[] default null)
returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  select coalesce(array_agg(batch.id order by batch.id), '{}') into v_ids from (
    select c.id from public.customers c
    where c.organization_id = p_organization and (p_after is null or c.id > p_after)
      and (p_locations is null or c.location_id = any(p_locations))
    order by c.id limit p_limit
  ) as batch;
  return jsonb_build_object('evaluated', cardinality(v_ids), 'last_id', v_ids[cardinality(v_ids)], 'rises', (
    select coalesce(jsonb_agg(to_jsonb(rise)), '[]') from (
      select e.location_id, e.tier_id, count(*) as customers
      from private.earned_tiers(v_ids, p_changes) as e group by e.location_id, e.tier_id) as rise));
end
$$;
comment on function public.preview_loyalty_tiers(uuid, jsonb, uuid, integer, uuid[]) is
  'How many of the next customers by id (of p_locations, or of all) would rise to which tier, by location, if the rules were changed so. Writes nothing.';

create function public.save_loyalty_changes(p_changes jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessMarketing') as id limit 1);
  v_locations uuid[] := array(select private.my_locations('canAccessMarketing'));
begin
  if v_organization is null then
    return 'forbidden';
  end if;
  if exists (
    select 1 from jsonb_to_recordset(p_changes) as n (location_id uuid)
    where n.location_id is null or n.location_id <> all(v_locations)
  ) then
    return 'unknown_location';
  end if;
  if exists (
    select 1 from jsonb_to_recordset(p_changes) as n (tier_id uuid) where not exists (
      select 1 from public.loyalty_tiers t where t.id = n.tier_id and t.organization_id = v_organization)
  ) then
    return 'unknown_tier';
  end if;
  with gone as (
    delete from public.loyalty_rules r
    using jsonb_to_recordset(p_changes) as n (location_id uuid, tier_id uuid, min_visits integer)
    where n.min_visits is null and r.location_id = n.location_id and r.tier_id = n.tier_id
  )
  insert into public.loyalty_rules as rule (location_id, tier_id, min_spend, min_visits)
  select n.location_id, n.tier_id, n.min_spend, n.min_visits
  from jsonb_to_recordset(p_changes) as n (location_id uuid, tier_id uuid, min_spend numeric, min_visits integer)
  where n.min_visits is not null
  on conflict (location_id, tier_id) do update
    set min_spend = excluded.min_spend, min_visits = excluded.min_visits
    where (rule.min_spend, rule.min_visits) is distinct from (excluded.min_spend, excluded.min_visits);
  return 'saved';
end
$$;
comment on function public.save_loyalty_changes(jsonb) is
  'Changes rules of the caller''s locations (location_id, tier_id, min_spend, min_visits; nulls take the rule away), all or none: saved, forbidden, unknown_location or unknown_tier.';

-- It serves the same look-ups by location, and counts tiers without visiting the table.
create index customers_location_tier_idx on public.customers (location_id, loyalty_tier_id);
drop index public.customers_location_id_idx;

create function public.loyalty_distribution()
returns table (location_id uuid, tier_id uuid, customers bigint)
language sql stable security definer set search_path = ''
as $$
  select c.location_id, c.loyalty_tier_id, count(*) from public.customers c
  where c.location_id = any(array(select private.my_locations('canAccessMarketing')))
  group by c.location_id, c.loyalty_tier_id
$$;
comment on function public.loyalty_distribution() is
  'How many customers of each of the caller''s locations hold which tier (null: none).';

revoke execute on function private.earned_tiers(uuid[], jsonb) from public;
grant execute on function private.earned_tiers(uuid[], jsonb) to service_role;
revoke execute on function public.preview_loyalty_tiers(uuid, jsonb, uuid, integer, uuid[]), public.save_loyalty_changes(jsonb),
  public.loyalty_distribution() from public, anon, authenticated;
grant execute on function public.preview_loyalty_tiers(uuid, jsonb, uuid, integer, uuid[]) to service_role;
grant execute on function public.save_loyalty_changes(jsonb), public.loyalty_distribution() to authenticated;
