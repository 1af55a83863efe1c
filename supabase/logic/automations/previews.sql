-- Previews: the effect of a run of an automation, saved or not, and its message for one customer.

create or replace function private.id_of_seed(p_organization uuid, p_fields jsonb) returns uuid
language sql immutable set search_path = ''
as $$
  -- Of the form of version 4. Programs without a seed see the same numbers at every preview, too.
  select overlay(overlay(md5(p_organization::text || coalesce(p_fields ->> 'seed', ''))
    placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid
$$;
comment on function private.id_of_seed(uuid, jsonb) is
  'The id that a new campaign or automation gets by the `seed` of its form. The id draws the control group and the versions, so numbers before and after saving are the same.';

create or replace function private.new_id(p_organization uuid, p_fields jsonb) returns uuid
language sql volatile set search_path = ''
as $$
  select coalesce((
    select seeded.id from private.id_of_seed(p_organization, p_fields) as seeded (id)
    where p_fields ->> 'seed' is not null and not exists (
      select from public.automations a where a.id = seeded.id)), gen_random_uuid())
$$;
comment on function private.new_id(uuid, jsonb) is
  'The id of what is made from fields: that of their seed, unless it is taken; else a random one.';
grant execute on function private.id_of_seed(uuid, jsonb), private.new_id(uuid, jsonb) to service_role;

create or replace function private.preview_of(a public.automations, p_now timestamptz, p_closed jsonb,
  p_locations uuid[]) returns jsonb
-- The sets that every customer is compared with fit into this memory.
language plpgsql stable set search_path = '' set work_mem = '64MB' set enable_nestloop = on set jit = off
as $$
declare
  v_plan text := private.plan_query(a, p_now, interval '0', null, p_closed, p_locations => p_locations);
  v_counts record;
  v_sample record;
begin
  if private.writes_once(a) then
    -- Of many customers; and of a run just planned the statistics of messages know nothing.
    perform pg_catalog.set_config('enable_nestloop', 'off', true);
  end if;
  execute format('with plan as materialized (%s)
    select coalesce(sum(g.n), 0) as matched, coalesce(sum(g.n) filter (where g.held), 0) as held,
      min(g.earliest) filter (where g.held) as held_until, (%s) as guests,
      coalesce(jsonb_object_agg(g.reason, g.n) filter (where g.reason is not null), ''{}'') as skipped,
      (array_agg(g.customer order by g.reason is not null, g.customer))[1] as customer
    from (
      select p.reason, p.reason is null and p.not_before > %L as held, count(*) as n,
        min(p.not_before) as earliest, min(p.customer_id::text collate "C") as customer
      from plan p group by 1, 2) as g', v_plan, private.guests_to_check_sql(), p_now) into v_counts;
  perform pg_catalog.set_config('enable_nestloop', 'on', true);
  execute format('select p.customer_id, p.reservation_id, p.channel from (%s) as p
      order by p.reason is not null, p.reservation_id limit 1',
    -- No one before this customer is written to.
    private.plan_query(a, p_now, interval '0', null, p_closed, null, v_counts.customer::uuid,
      p_locations => p_locations)) into v_sample;
  if v_sample.customer_id is null then
    -- No customer now: the one with the latest visit is the example.
    select c.id as customer_id, null::uuid as reservation_id, a.channel as channel into v_sample
      from public.customers c
    where c.organization_id = a.organization_id
      and (a.location_ids = '{}' or c.location_id = any(a.location_ids))
    order by c.sort_visit desc, c.id desc limit 1;
  end if;
  return jsonb_build_object(
    'matched', v_counts.matched, 'skipped', v_counts.skipped, 'held', v_counts.held,
    'held_until', v_counts.held_until,
    'check', private.guests_to_check(a.organization_id, v_counts.guests),
    'template', private.template_of(a) || jsonb_build_object('email_look', private.email_look_of(a)),
    'kind', private.kind_of(a),
    'channel', coalesce(v_sample.channel, a.channel), 'channels', jsonb_build_array(a.channel,
      a.fallback_channel),
    'customer_id', v_sample.customer_id,
    'facts', (
      select private.message_facts(o, c, r, l,
        (select t.name from public.loyalty_tiers t where t.id = c.loyalty_tier_id))
      from public.organizations o
      join public.customers c on c.id = v_sample.customer_id
      left join public.reservations r on r.id = v_sample.reservation_id
      left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
      where o.id = a.organization_id));
end
$$;
comment on function private.preview_of(public.automations, timestamptz, jsonb, uuid[]) is
  'The effect of a manual run of the automation, saved or not, at p_now: counts, the template, and facts about one customer. p_locations: what someone bound to these may see of it.';

create or replace function public.preview_automation(p_organization uuid, p_automation uuid,
  p_now timestamptz default now(), p_closed jsonb default '{}', p_locations uuid[] default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from public.automations
  where id = p_automation and organization_id = p_organization and deleted_at is null;
  return case when a.id is not null then private.preview_of(a, p_now, p_closed, p_locations) end;
end
$$;
comment on function public.preview_automation(uuid, uuid, timestamptz, jsonb, uuid[]) is
  'The effect of a manual run at p_now, without running it: counts, the template, and facts about one customer. Null when there is no such automation. p_locations: see preview_of.';

create or replace function public.preview_draft(p_organization uuid, p_draft jsonb,
  p_automation uuid default null, p_now timestamptz default now(), p_closed jsonb default '{}',
  p_locations uuid[] default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
begin
  if p_automation is not null and not exists (
    select 1 from public.automations
    where id = p_automation and organization_id = p_organization and deleted_at is null) then
    return null;
  end if;
  a := jsonb_populate_record(null::public.automations, p_draft);
  -- Under its own id, so that customers it has already written to are excluded.
  a.id := coalesce(p_automation, private.id_of_seed(p_organization, p_draft));
  a.organization_id := p_organization;
  return private.preview_of(a, p_now, p_closed, p_locations);
end
$$;
comment on function public.preview_draft(uuid, jsonb, uuid, timestamptz, jsonb, uuid[]) is
  'preview_automation for an unsaved automation, or for unsaved changes of p_automation. Null when there is no such automation.';
grant execute on function private.preview_of(public.automations, timestamptz, jsonb, uuid[]),
  public.preview_automation(uuid, uuid, timestamptz, jsonb, uuid[]),
  public.preview_draft(uuid, jsonb, uuid, timestamptz, jsonb, uuid[]) to service_role;

create or replace function public.facts_of_guest(p_organization uuid, p_customer uuid,
  p_now timestamptz default now()) returns jsonb
language sql stable set search_path = ''
as $$
  select private.message_facts(o, c, r, l,
    (select t.name from public.loyalty_tiers t where t.id = c.loyalty_tier_id))::jsonb
  from public.customers c
  join public.organizations o on o.id = c.organization_id
  left join public.reservations r on r.id = (
    -- The next one, else the last one.
    select held.id from public.reservations held join public.locations there on there.id = held.location_id
    cross join lateral (select held.service_order at time zone there.timezone as at) as begins
    where held.customer_id = c.id and held.organization_id = p_organization
    order by begins.at < p_now, abs(extract(epoch from begins.at - p_now)) limit 1)
  left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
  where c.id = p_customer and c.organization_id = p_organization
$$;
comment on function public.facts_of_guest(uuid, uuid, timestamptz) is
  'The facts of a test message as a given guest would get it, about their next reservation, else their last one. Null when there is no such guest.';
grant execute on function public.facts_of_guest(uuid, uuid, timestamptz) to service_role;
