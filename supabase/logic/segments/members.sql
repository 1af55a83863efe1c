-- Whom a segment matches: for lists, for automations, and for the preview of a change.

create or replace function private.segments_to_approve() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select c.segment_id from public.campaigns c
  where c.status = 'waiting_approval' and c.segment_id is not null
    and c.organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and private.covers(c.location_ids) and private.may_approve((select private.caller()), c.launched_by)
$$;
comment on function private.segments_to_approve() is
  'The segments of the campaigns that wait for an approval which the caller may give: they see whom these write to.';

create or replace function private.readable_segment(p_id uuid) returns public.segments
language sql stable security definer set search_path = ''
as $$
  select s from public.segments s
  where s.id = p_id and s.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and (s.shared or s.owner_id = (select private.caller())
      or s.id = any(array(select private.segments_to_approve())))
$$;
comment on function private.readable_segment(uuid) is
  'The segment, if the caller may read it: a shared one, their own, or that of a campaign which they may approve.';
grant execute on function private.readable_segment(uuid) to authenticated;

create or replace function private.segment_source(p_organization uuid, p_segment uuid, p_now timestamptz)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_definition jsonb := (private.readable_segment(p_segment)).definition;
begin
  return private.stored_segment_query(v_definition, private.segment_scope_of(p_organization, p_now, true));
end
$$;
comment on function private.segment_source(uuid, uuid, timestamptz) is
  'The query of the customers (id, sort_visit) of a segment that the caller may read; of another one nobody.';

create or replace function private.segment_members(p_organization uuid, p_segment uuid, p_now timestamptz,
  p_after uuid default null, p_until uuid default null, p_locations uuid[] default null) returns setof uuid
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_definition jsonb := (select s.definition from public.segments s
    where s.id = p_segment and s.organization_id = p_organization);
  v_scope private.segment_scope := private.segment_scope_of(p_organization, p_now, false);
begin
  if p_locations is not null then
    v_scope.bound := true;
    v_scope.locations := array(select l from unnest(v_scope.locations) as l where l = any(p_locations));
  end if;
  if v_definition is not null then
    return query execute format('select found.id from (%s) as found where true%s%s',
      private.stored_segment_query(v_definition, v_scope),
      case when p_after is not null then ' and found.id > $2' end,
      case when p_until is not null then ' and found.id <= $3' end)
      using p_organization, p_after, p_until;
  end if;
end
$$;
comment on function private.segment_members(uuid, uuid, timestamptz, uuid, uuid, uuid[]) is
  'The customers of a segment in the whole organization, for automations and campaigns, whose check it is that it may be used; nobody when there is none. p_after, p_until: only those in this range of ids. p_locations: as someone bound to these sees it.';
grant execute on function private.segment_members(uuid, uuid, timestamptz, uuid, uuid, uuid[])
  to service_role;

create or replace function private.segment_page(p_ids uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name',
    nullif(concat_ws(' ', c.first_name, c.last_name), ''),
    'email', c.email, 'phone', c.phone, 'tier', t.name, 'total_visits', c.total_visits, 'total_spend',
    c.total_spend,
    'last_visit_at', c.last_visit_at, 'last_visit_on', c.last_visit_on)
    order by c.sort_visit desc, c.id desc), '[]')
  from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id where c.id = any(p_ids)
$$;
comment on function private.segment_page(uuid[]) is 'What a preview shows of customers, who came last first.';

-- Counts of visits by guest fit into this memory, and are not sorted on disk. An index has visits in the
-- order of guests; a hash of a million guests would cost more, which the planner does not expect. A person
-- waits: two processes may count.
create or replace function public.preview_segment(p_definition jsonb, p_id uuid default null,
  p_limit integer default 20, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_scope private.segment_scope := private.segment_scope_of(v_organization, private.clock(p_now), true);
  v_former jsonb := (private.readable_segment(p_id)).definition;
  v_limit integer := least(greatest(p_limit, 0), 100);
  v_after record;
  v_changes record;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  elsif p_id is not null and v_former is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_former is null or v_former = p_definition then
    execute format('with found as materialized (%s) select (select count(*) from found) as n,
        array(select f.id from found f order by f.sort_visit desc, f.id desc limit $2) as ids',
      private.segment_query(p_definition, v_scope)) into v_after using v_organization, v_limit;
  else
    -- Everyone in one of the two, and in which: one statement, so that both are of the same moment.
    execute format('with was as (%s), found as (%s), each as materialized (
          select id, coalesce(f.sort_visit, w.sort_visit) as sort_visit,
            w.sort_visit is not null as was, f.sort_visit is not null as now
          from was w full join found f using (id))
        select count(*) filter (where now) as n,
          count(*) filter (where now and not was) as n_added,
          count(*) filter (where was and not now) as n_dropped,
          array(select e.id from each e where e.now
            order by e.sort_visit desc, e.id desc limit $2) as ids,
          array(select e.id from each e where e.now and not e.was
            order by e.sort_visit desc, e.id desc limit $2) as added,
          array(select e.id from each e where e.was and not e.now
            order by e.sort_visit desc, e.id desc limit $2) as dropped
        from each', private.stored_segment_query(v_former, v_scope), private.segment_query(p_definition, v_scope))
      into v_changes using v_organization, v_limit;
    return jsonb_build_object('outcome', 'found', 'customers', v_changes.n, 'first',
      private.segment_page(v_changes.ids),
      'added', jsonb_build_object('customers', v_changes.n_added, 'first',
        private.segment_page(v_changes.added)),
      'dropped', jsonb_build_object('customers', v_changes.n_dropped, 'first',
        private.segment_page(v_changes.dropped)));
  end if;
  return jsonb_build_object('outcome', 'found', 'customers', v_after.n, 'first',
    private.segment_page(v_after.ids))
    || case when p_id is null then '{}'::jsonb
      else '{"added": {"customers": 0, "first": []}, "dropped": {"customers": 0, "first": []}}' end;
end
$$;
comment on function public.preview_segment(jsonb, uuid, integer, timestamptz) is
  'How many customers of the caller a definition matches, and the first of them; with the id of a segment also whom the definition would add to it and drop. forbidden and not_found likewise as outcome.';
grant execute on function public.preview_segment(jsonb, uuid, integer, timestamptz) to authenticated;
