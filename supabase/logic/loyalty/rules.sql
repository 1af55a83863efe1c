-- Changing tiers and rules. People only read their tables; these functions check who asks.

-- Every organization starts with the contract's four tiers.
create or replace function private.seed_loyalty_tiers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.loyalty_tiers (organization_id, name, rank, points_multiplier)
  values (new.id, 'Bronce', 1, 1), (new.id, 'Plata', 2, 1.2), (new.id, 'Oro', 3, 1.5),
    (new.id, 'Platino', 4, 2);
  return new;
end
$$;

create or replace trigger organizations_seed_loyalty_tiers after insert on public.organizations
  for each row execute function private.seed_loyalty_tiers();

create or replace function private.loyalty_programme(p_organization uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce((select c.tiers from public.loyalty_configs c where c.organization_id = p_organization),
    '[{"name": "Bronce", "min_spend": 0}, {"name": "Plata", "min_spend": 1000},
      {"name": "Oro", "min_spend": 2500}, {"name": "Platino", "min_spend": 5000}]')
$$;
comment on function private.loyalty_programme(uuid) is
  'The tiers as configured, or what the contract asks for while nothing is stored; lib/loyalty/schema.ts has the same defaults.';

create or replace function private.start_rules(p_locations uuid[]) returns void
language sql volatile set search_path = ''
as $$
  insert into public.loyalty_rules (location_id, tier_id, min_spend)
  select distinct on (l.id, t.id) l.id, t.id, (tier.given ->> 'min_spend')::numeric
  from public.locations l
  cross join lateral jsonb_array_elements(private.loyalty_programme(l.organization_id)) as tier (given)
  join public.loyalty_tiers t on t.organization_id = l.organization_id and t.name = tier.given ->> 'name'
  where l.id = any(p_locations) and tier.given ? 'min_spend'
  on conflict (location_id, tier_id) do nothing
$$;
comment on function private.start_rules(uuid[]) is
  'Gives new locations their first rules: for each tier of the programme its minimum spend, and no visits.';

create or replace function public.open_locations(p_organization uuid, p_rows jsonb) returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  update public.locations l
  set pms_id = n.pms_id,
    average_spend_per_guest = coalesce(l.average_spend_per_guest, n.average_spend_per_guest)
  from jsonb_to_recordset(p_rows) as n (name text, pms_id text, average_spend_per_guest numeric)
  where l.organization_id = p_organization and l.name = n.name and l.pms_id is null and n.pms_id is not null;
  with opened as (
    insert into public.locations (organization_id, brand_id, name, city, address, timezone, pms_id,
      average_spend_per_guest)
    select p_organization, n.brand_id, n.name, n.city, n.address, n.timezone, n.pms_id,
      n.average_spend_per_guest
    from jsonb_to_recordset(p_rows) as n (brand_id uuid, name text, city text, address text, timezone text,
      pms_id text, average_spend_per_guest numeric)
    on conflict (organization_id, name) do nothing
    returning id
  )
  select coalesce(array_agg(id), '{}') into v_ids from opened;
  perform private.start_rules(v_ids);
  return array(select l.name from public.locations l where l.id = any(v_ids) order by l.name);
end
$$;
comment on function public.open_locations(uuid, jsonb) is
  'Adds the locations (brand_id, name, city, address, timezone, pms_id, average_spend_per_guest) whose name is not there yet, with their first rules; one that is there without a pms_id gets it. Returns the names of the new ones.';

create or replace function public.save_loyalty_rules(p_location uuid, p_rules jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid;
begin
  -- Any member may, for the locations they work in: the contract asks for a session only.
  select l.organization_id into v_organization from public.locations l
  where l.id = p_location and l.id = any(array(select private.my_locations()));
  if v_organization is null then
    return 'foreign_location';
  elsif not private.may_market(v_organization) then
    return 'forbidden';
  end if;
  if exists (
    select 1 from jsonb_to_recordset(p_rules) as r (tier_id uuid)
    where not exists (
      select 1 from public.loyalty_tiers t where t.id = r.tier_id and t.organization_id = v_organization)
  ) then
    return 'unknown_tier';
  end if;
  insert into public.loyalty_rules as rule (location_id, tier_id, min_spend, min_visits)
  select distinct on (r.tier_id) p_location, r.tier_id, r.min_spend, r.min_visits
  from rows from (jsonb_to_recordset(p_rules) as (tier_id uuid, min_spend numeric, min_visits integer))
    with ordinality as r (tier_id, min_spend, min_visits, position)
  order by r.tier_id, r.position desc
  on conflict (location_id, tier_id) do update
    set min_spend = excluded.min_spend, min_visits = excluded.min_visits
    where (rule.min_spend, rule.min_visits) is distinct from (excluded.min_spend, excluded.min_visits);
  return 'saved';
end
$$;
comment on function public.save_loyalty_rules(uuid, jsonb) is
  'Saves a location''s rules (tier_id, min_spend, min_visits) all or none, and logs a change: saved, foreign_location (not one of the caller''s), forbidden (limit_marketing_to_roles) or unknown_tier.';

create or replace function public.save_loyalty_changes(p_changes jsonb) returns text
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
  from jsonb_to_recordset(p_changes) as n (location_id uuid, tier_id uuid, min_spend numeric,
    min_visits integer)
  where n.min_visits is not null
  on conflict (location_id, tier_id) do update
    set min_spend = excluded.min_spend, min_visits = excluded.min_visits
    where (rule.min_spend, rule.min_visits) is distinct from (excluded.min_spend, excluded.min_visits);
  return 'saved';
end
$$;
comment on function public.save_loyalty_changes(jsonb) is
  'Changes rules of the caller''s locations (location_id, tier_id, min_spend, min_visits; nulls take the rule away), all or none: saved, forbidden, unknown_location or unknown_tier.';

create or replace function public.save_loyalty_config(p_organization uuid, p_tiers jsonb) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_stored jsonb;
begin
  insert into public.loyalty_configs as c (organization_id, tiers) values (p_organization, p_tiers)
  on conflict (organization_id) do update set tiers = excluded.tiers, updated_at = now()
  returning c.tiers into v_stored;
  -- The tiers follow, by name and in list order; those the list does not name come after, as they were.
  insert into public.loyalty_tiers (organization_id, name, rank, points_multiplier)
  select p_organization, coalesce(n.name, l.name), row_number() over (order by n.position nulls last, l.rank),
    coalesce(n.multiplier, l.points_multiplier)
  from (
    select t.tier ->> 'name' as name, (t.tier ->> 'points_multiplier')::numeric as multiplier, t.position
    from jsonb_array_elements(p_tiers) with ordinality as t (tier, position)
  ) as n
  full join (select * from public.loyalty_tiers where organization_id = p_organization) as l
    on l.name = n.name
  on conflict (organization_id, name) do update
    set rank = excluded.rank, points_multiplier = excluded.points_multiplier;
  return jsonb_build_object('tiers', v_stored);
end
$$;
comment on function public.save_loyalty_config(uuid, jsonb) is
  'Stores the programme and brings the tiers in line: upserted by name, ranked in list order. Returns the record.';
grant execute on function public.save_loyalty_rules(uuid, jsonb), public.save_loyalty_changes(jsonb)
  to authenticated;
grant execute on function private.loyalty_programme(uuid), private.start_rules(uuid[]),
  public.open_locations(uuid, jsonb), public.save_loyalty_config(uuid, jsonb) to service_role;
