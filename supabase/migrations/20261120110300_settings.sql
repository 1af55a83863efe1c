-- What admins change: brands, locations and integrations; and the overview's figures.
-- Each function checks its caller itself and answers what came of it, in one word.

create function public.save_brand(p_organization uuid, p_id uuid, p_fields jsonb) returns setof public.brands
language plpgsql volatile set search_path = ''
as $$
begin
  if p_id is null then
    return query insert into public.brands (organization_id, name, slug)
    values (p_organization, p_fields ->> 'name', p_fields ->> 'slug') returning *;
  else
    return query update public.brands b set name = coalesce(p_fields ->> 'name', b.name), slug = coalesce(p_fields ->> 'slug', b.slug)
    where b.id = p_id and b.organization_id = p_organization returning *;
  end if;
end
$$;
comment on function public.save_brand(uuid, uuid, jsonb) is
  'Makes a brand of the organization (null), or changes the given fields of one; no row when it is not there.';

create function public.delete_brand(p_brand uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The lock keeps out locations that are being linked to it.
  perform 1 from public.brands
  where id = p_brand and organization_id = any(array(select private.my_organizations('canViewSettings')))
    and private.works_everywhere() for update;
  if not found then
    return 'not_found';
  end if;
  if exists (select 1 from public.locations where brand_id = p_brand) then
    return 'in_use';
  end if;
  delete from public.brands where id = p_brand;
  return 'deleted';
end
$$;
comment on function public.delete_brand(uuid) is 'Deletes a brand without locations: deleted, not_found or in_use.';

alter table public.locations add column refresh_from uuid;
comment on column public.locations.refresh_from is
  'Its derived spend or visits changed: customers after this id are still to be recomputed. Null: none.';
alter table public.locations add column recount_from date;
comment on column public.locations.recount_from is
  'count_unmarked_visits changed: reservations from this service day on are still to be counted anew. Null: none.';

create function public.save_location(p_location uuid, p_values jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.locations;
  v public.locations;
begin
  if p_location is null then
    v_before.organization_id := (select private.my_organizations('canViewSettings'));
    -- Someone bound to locations would not even see the new one.
    if v_before.organization_id is null
      or not private.works_everywhere() then
      return jsonb_build_object('outcome', 'forbidden');
    end if;
    v_before.timezone := 'Europe/Madrid';
    v_before.count_unmarked_visits := true;
    v_before.is_active := true;
  else
    select * into v_before from public.locations
    where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for no key update;
    if v_before.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v := jsonb_populate_record(v_before, p_values);
  if v.brand_id is not null then
    perform 1 from public.brands where id = v.brand_id and organization_id = v_before.organization_id for key share;
    if not found then
      return jsonb_build_object('outcome', 'unknown_brand');
    end if;
  end if;
  if p_location is null then
    insert into public.locations (organization_id, brand_id, name, city, address, pms_id, timezone,
      average_spend_per_guest, count_unmarked_visits, is_active)
    values (v_before.organization_id, v.brand_id, v.name, v.city, v.address, v.pms_id, v.timezone,
      v.average_spend_per_guest, v.count_unmarked_visits, v.is_active)
    returning id into v.id;
    perform private.start_rules(array[v.id]);
  else
    update public.locations set brand_id = v.brand_id, name = v.name, city = v.city, address = v.address,
      pms_id = v.pms_id, timezone = v.timezone, average_spend_per_guest = v.average_spend_per_guest,
      count_unmarked_visits = v.count_unmarked_visits, is_active = v.is_active,
      recount_from = case when v.count_unmarked_visits <> v_before.count_unmarked_visits then date '1900-01-01'
        else v_before.recount_from end,
      refresh_from = case
        when (v.average_spend_per_guest, v.timezone)
          is distinct from (v_before.average_spend_per_guest, v_before.timezone)
        then '00000000-0000-0000-0000-000000000000' else v_before.refresh_from end
    where id = p_location;
    v.id := p_location;
  end if;
  return jsonb_build_object('outcome', 'saved', 'id', v.id);
exception
  when unique_violation then return jsonb_build_object('outcome', 'name_taken');
  when invalid_parameter_value then return jsonb_build_object('outcome', 'unknown_timezone');
end
$$;
comment on function public.save_location(uuid, jsonb) is
  'Changes the given fields of a location, or makes one with its first loyalty rules (null): saved with its id, forbidden, not_found, unknown_brand, name_taken or unknown_timezone.';

create function public.refresh_location(p_location uuid, p_limit integer) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_location public.locations;
  v_ids uuid[];
begin
  select * into v_location from public.locations where id = p_location and refresh_from is not null for no key update;
  if v_location.id is null then
    return false;
  end if;
  -- The sync writes the same customers: one of the two at a time.
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('identity:' || v_location.organization_id::text, 0));
  select coalesce(array_agg(batch.id order by batch.id), '{}') into v_ids from (
    select c.id from public.customers c
    where c.organization_id = v_location.organization_id and c.id > v_location.refresh_from
    order by c.id limit p_limit
  ) as batch;
  perform private.refresh_customers(array(
    select guest.id from unnest(v_ids) as guest (id)
    where exists (
      select 1 from public.reservations r
      where r.customer_id = guest.id and r.location_id = p_location
        and r.visited)));
  update public.locations
  set refresh_from = case when cardinality(v_ids) = p_limit then v_ids[p_limit] end
  where id = p_location;
  return cardinality(v_ids) = p_limit;
end
$$;
comment on function public.refresh_location(uuid, integer) is
  'Recomputes the next customers who have been at a location whose average spend or time zone changed; true when there are more.';

create function public.delete_location(p_location uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The lock keeps out reservations and assignments that are being made.
  perform 1 from public.locations
  where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for update;
  if not found then
    return 'not_found';
  end if;
  if exists (select 1 from public.reservations where location_id = p_location)
    or exists (select 1 from public.profile_locations where location_id = p_location)
    or exists (select 1 from public.invitations where p_location = any(location_ids) and accepted_at is null) then
    return 'in_use';
  end if;
  delete from public.locations where id = p_location;
  return 'deleted';
exception when foreign_key_violation then
  return 'in_use';
end
$$;
comment on function public.delete_location(uuid) is
  'Deletes a location without reservations and people: deleted, not_found or in_use.';

create function public.save_integration(p_organization uuid, p_type text, p_enabled boolean, p_config jsonb,
  p_address text, p_secrets jsonb, p_required text[]) returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_old jsonb;
  v_moved boolean;
  v_secrets jsonb;
  v_missing text[];
begin
  insert into public.integration_configs (organization_id, integration_type) values (p_organization, p_type)
  on conflict do nothing;
  select secrets, address <> p_address into v_old, v_moved from public.integration_configs
  where organization_id = p_organization and integration_type = p_type for update;
  v_secrets := jsonb_strip_nulls(case when v_moved then p_secrets else v_old || p_secrets end);
  v_missing := array(select name from unnest(p_required) as name where not v_secrets ? name);
  -- What a move took away is no mistake of the request; what was never there is.
  if p_enabled and cardinality(v_missing) > 0 and not (v_moved and v_old ?& v_missing) then
    return v_missing;
  end if;
  update public.integration_configs
  set is_enabled = p_enabled and cardinality(v_missing) = 0, config = p_config, secrets = v_secrets, address = p_address
  where organization_id = p_organization and integration_type = p_type;
  return '{}';
end
$$;
comment on function public.save_integration(uuid, text, boolean, jsonb, text, jsonb, text[]) is
  'Replaces config, merges secrets (null deletes). Another address clears the stored secrets and switches off what then lacks one. Returns the required names that are missing otherwise; then it saved nothing.';

create index job_runs_latest_idx on public.job_runs (organization_id, started_at desc, id desc);

-- Figures without names, as in service_summary: everyone's, each in their locations.
create index customers_by_tier_idx on public.customers (organization_id, loyalty_tier_id);
create function public.stats_overview(p_from date default null, p_to date default null,
  p_location uuid default null, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_locations uuid[] := array(
    select mine from private.my_locations() as mine where p_location is null or mine = p_location);
  v_to date;
  v_from date;
begin
  if p_location is not null and cardinality(v_locations) = 0 then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  v_to := coalesce(p_to, (
    select max(private.current_service(l.timezone, p_now))
    from public.locations l where l.id = any(v_locations)), p_now::date);
  v_from := coalesce(p_from, v_to - 6);
  if v_to - v_from not between 0 and 365 then
    return jsonb_build_object('outcome', 'bad_period');
  end if;
  return (
    with daily as materialized (
      select r.location_id, r.service_date as day, r.service_date >= v_from as recent, count(*) as reservations,
        coalesce(sum(r.party_size) filter (where r.status not in ('cancelled', 'no_show')), 0) as covers,
        count(*) filter (where r.status = 'completed') as completed,
        count(*) filter (where r.visited) as visits,
        count(*) filter (where r.status = 'cancelled') as cancelled,
        count(*) filter (where r.status = 'no_show') as no_shows,
        coalesce(sum(r.total_amount) filter (where r.visited), 0) as known,
        coalesce(sum(r.party_size) filter (where r.visited and r.total_amount is null), 0)
          * coalesce(l.average_spend_per_guest, 0) as estimated
      from public.locations l
      join public.reservations r on r.location_id = l.id
        and r.service_date between v_from - (v_to - v_from + 1) and v_to and r.source <> 'import'
      where l.id = any(v_locations)
      group by r.location_id, r.service_date, l.average_spend_per_guest
    ), figures as (
      select recent, day, location_id, sum(reservations) as reservations, sum(covers) as covers,
        sum(completed) as completed, sum(visits) as visits, sum(cancelled) as cancelled, sum(no_shows) as no_shows,
        sum(known + estimated) as revenue, sum(estimated) as estimated_revenue
      from daily group by grouping sets ((recent), (recent, day), (recent, location_id))
    ), held as (
      select loyalty_tier_id, count(*) as customers from public.customers
      where organization_id = any(array(select private.my_organizations())) group by loyalty_tier_id
    )
    select jsonb_build_object('outcome', 'ok', 'from', v_from, 'to', v_to,
      'figures', (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from figures f
        where f.recent or (f.day is null and f.location_id is null)),
      'locations', (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'is_active', l.is_active,
          'pms_id', l.pms_id, 'known_from', l.known_from, 'known_until', l.known_until) order by l.name, l.id), '[]')
        from public.locations l where l.id = any(v_locations)),
      'customers', (select coalesce(sum(customers), 0) from held),
      'by_tier', (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name,
          'customers', coalesce(h.customers, 0)) order by t.rank), '[]')
        from public.loyalty_tiers t left join held h on h.loyalty_tier_id = t.id
        where t.organization_id = any(array(select private.my_organizations())))));
end
$$;
comment on function public.stats_overview(date, date, uuid, timestamptz) is
  'Figures of a period (default: the last 7 service days) and totals of the one before: ok, unknown_location or bad_period (over 366 days).';

revoke execute on function public.save_brand(uuid, uuid, jsonb), public.delete_brand(uuid), public.save_location(uuid, jsonb),
  public.refresh_location(uuid, integer), public.delete_location(uuid),
  public.save_integration(uuid, text, boolean, jsonb, text, jsonb, text[]),
  public.stats_overview(date, date, uuid, timestamptz) from public, anon, authenticated;
grant execute on function public.delete_brand(uuid), public.save_location(uuid, jsonb),
  public.delete_location(uuid), public.stats_overview(date, date, uuid, timestamptz) to authenticated;
grant execute on function public.save_brand(uuid, uuid, jsonb), public.refresh_location(uuid, integer),
  public.save_integration(uuid, text, boolean, jsonb, text, jsonb, text[]) to service_role;
