-- Managing the loyalty programme: its configuration record, saving rules, recalculating tiers.
-- Tables stay read-only to people; changes go through functions that check who asks.

create table public.loyalty_configs (
  organization_id uuid primary key references public.organizations on delete cascade,
  tiers jsonb not null check (jsonb_typeof(tiers) = 'array'),
  updated_at timestamptz not null default now()
);
comment on table public.loyalty_configs is
  'The programme as configured: tiers with minimum spend (EUR) and points multiplier.';

alter table public.loyalty_configs enable row level security;
revoke all on public.loyalty_configs from anon, authenticated;
grant select on public.loyalty_configs to authenticated;
grant select, insert, update, delete on public.loyalty_configs to service_role;
create policy "members read the programme" on public.loyalty_configs for select to authenticated
  using (organization_id = any(array(select private.my_organizations())));

create function public.save_loyalty_rules(p_location uuid, p_rules jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid;
begin
  -- Anyone of the organization may, for any of its locations: the contract asks for a session only.
  select l.organization_id into v_organization from public.locations l
  where l.id = p_location and l.organization_id = any(array(select private.my_organizations()));
  if v_organization is null then
    return 'foreign_location';
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
  'Saves a location''s rules (tier_id, min_spend, min_visits) all or none: saved, foreign_location or unknown_tier.';

create function public.save_loyalty_config(p_organization uuid, p_tiers jsonb) returns jsonb
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
  full join (select * from public.loyalty_tiers where organization_id = p_organization) as l on l.name = n.name
  on conflict (organization_id, name) do update
    set rank = excluded.rank, points_multiplier = excluded.points_multiplier;
  return jsonb_build_object('tiers', v_stored);
end
$$;
comment on function public.save_loyalty_config(uuid, jsonb) is
  'Stores the programme and brings the tiers in line: upserted by name, ranked in list order. Returns the record.';

create function public.raise_loyalty_tiers(p_organization uuid, p_after uuid, p_limit integer) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  select coalesce(array_agg(batch.id order by batch.id), '{}') into v_ids from (
    select c.id from public.customers c
    where c.organization_id = p_organization and (p_after is null or c.id > p_after)
    order by c.id limit p_limit
  ) as batch;
  return jsonb_build_object('evaluated', cardinality(v_ids), 'upgraded', private.raise_tiers(v_ids),
    'last_id', v_ids[cardinality(v_ids)]);
end
$$;
comment on function public.raise_loyalty_tiers(uuid, uuid, integer) is
  'Raises the tiers of the next customers by id; last_id is where the following batch begins.';
create index customers_organization_idx on public.customers (organization_id, id);

revoke execute on function public.save_loyalty_rules(uuid, jsonb), public.save_loyalty_config(uuid, jsonb),
  public.raise_loyalty_tiers(uuid, uuid, integer) from public, anon, authenticated;
grant execute on function public.save_loyalty_rules(uuid, jsonb) to authenticated;
grant execute on function public.save_loyalty_config(uuid, jsonb),
  public.raise_loyalty_tiers(uuid, uuid, integer) to service_role;
