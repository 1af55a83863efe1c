-- The group's settings of who is one person: thresholds, and what the weights are.

create or replace function private.identity_waiting(p_organization uuid, p_most integer) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer from (
    (select from private.identity_queue q where q.organization_id = p_organization limit p_most)
    union all
    -- Those whom private.score_step will queue.
    (select from public.identity_settings s join private.customer_identity i
      on i.organization_id = s.organization_id and i.customer_id > s.queued_to
      where s.organization_id = p_organization and not exists (select from private.identity_queue q
        where q.organization_id = i.organization_id and q.customer_id = i.customer_id) limit p_most)
    limit p_most) as waiting
$$;
comment on function private.identity_waiting(uuid, integer) is 'How many customers wait to be compared, counted up to so many.';

create or replace function public.read_identity() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'likely', private.likely_from(o.id), 'certain', private.certain_from(o.id),
    'learned_at', s.learned_at, 'learned_from', coalesce(s.learned_from, 0),
    'waiting', private.identity_waiting(o.id, 100000),
    'weights', (
      -- Of a rare name more, of a common one less: about one record in a hundred has what agrees.
      select jsonb_agg(jsonb_build_object('field', d.field, 'level', d.label,
          'bits', round((log(2, w.m::numeric) + case when d.by_rarity then 7
            else -log(2, w.u::numeric) end), 1))
        order by d.place, d.level)
      from private.identity_seeds d
      left join public.identity_weights l on l.organization_id = o.id and l.field = d.field
        and l.level = d.level
      cross join lateral (select coalesce(l.m, d.m) as m, coalesce(l.u, d.u) as u) as w))
  from private.my_organizations('canViewSettings') as o (id)
  left join public.identity_settings s on s.organization_id = o.id
  limit 1
$$;
comment on function public.read_identity() is
  'The thresholds of the caller''s group, when and from how many it learned, how many wait, and what each level weighs in bits.';

create or replace function public.change_identity(p_changes jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.identity_settings;
  v public.identity_settings;
  v_organization uuid := (select id from private.my_organizations('canViewSettings') as id
    where private.works_everywhere() limit 1);
begin
  if v_organization is null then
    return 'forbidden';
  end if;
  insert into public.identity_settings (organization_id) values (v_organization) on conflict do nothing;
  select * into v_before from public.identity_settings s where s.organization_id = v_organization for update;
  v := v_before;
  v.likely := coalesce((p_changes ->> 'likely')::real, v.likely);
  v.certain := coalesce((p_changes ->> 'certain')::real, v.certain);
  if v.likely >= v.certain then
    return 'order';
  end if;
  if (v.likely, v.certain) is distinct from (v_before.likely, v_before.certain) then
    update public.identity_settings s set likely = v.likely, certain = v.certain
      where s.organization_id = v_organization;
    perform private.queue_everyone(v_organization);
    perform private.audit(v_organization, 'organization.identity_changed', v_organization, jsonb_build_object(
      'before', jsonb_build_object('likely', v_before.likely, 'certain', v_before.certain),
      'after', jsonb_build_object('likely', v.likely, 'certain', v.certain)));
  end if;
  return 'saved';
end
$$;
comment on function public.change_identity(jsonb) is
  'Changes the thresholds {likely, certain} of the caller''s group, who are then compared again: saved, forbidden or order (likely must be below certain).';
grant execute on function public.read_identity(), public.change_identity(jsonb) to authenticated;
