-- Merging all duplicates above a confidence, in bounded steps.

create or replace function public.count_duplicates(p_above real, p_certain boolean,
  p_most integer default 10000) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_most constant integer := least(p_most, 10000);
  v_pairs integer;
begin
  select count(*) into v_pairs from (
    select from public.identity_pairs p
    where p.organization_id = v_organization and p.probability >= p_above and (p.certain or not p_certain)
      and not exists (select from public.customer_pairs k
        where k.first_id = p.first_id and k.second_id = p.second_id and k.verdict = 'different')
    limit v_most + 1) as found;
  return jsonb_build_object('pairs', least(v_pairs, v_most), 'more', v_pairs > v_most);
end
$$;
comment on function public.count_duplicates(real, boolean, integer) is
  'How many likely pairs of the caller''s group have at least the probability, {pairs, more}: ten thousand at most.';

create or replace function public.merge_duplicates(p_above real, p_certain boolean,
  p_limit integer default 20, p_after_probability real default null, p_after_first uuid default null,
  p_after_second uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_most constant integer := 200;
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_limit constant integer := least(p_limit, 50);
  v_seen uuid[] := '{}';
  v_group uuid[];
  v_kept uuid;
  v_gone uuid;
  v_merged integer := 0;
  v_visited integer := 0;
  v_last jsonb;
  k record;
begin
  -- Locked, so that no two of them are marked as different people meanwhile.
  perform private.lock_identities(v_organization);
  for k in select *
    from private.pairs_after(v_organization, p_above, p_certain, v_most, p_after_probability, p_after_first,
    p_after_second) loop
    if k.first_id <> all(v_seen) and k.second_id <> all(v_seen) then
      v_group := private.group_of(k.first_id, k.second_id, p_above, p_certain);
      if v_group is not null then
        -- A group is merged whole, so the last one may pass the limit by a few.
        exit when v_merged >= v_limit;
        v_seen := v_seen || v_group;
        v_kept := null;
        for v_gone in select c.id from public.customers c where c.id = any(v_group)
          order by c.created_at, c.id loop
          if v_kept is null then
            v_kept := v_gone;
          elsif public.merge_customers(v_kept, v_gone) ->> 'outcome' = 'merged' then
            v_merged := v_merged + 1;
          end if;
        end loop;
      end if;
    end if;
    v_visited := v_visited + 1;
    v_last := jsonb_build_array(k.probability, k.first_id, k.second_id);
    exit when v_merged >= v_limit;
  end loop;
  return jsonb_build_object('merged', v_merged, 'next',
    case when v_visited = v_most or v_merged >= v_limit then v_last end);
end
$$;
comment on function public.merge_duplicates(real, boolean, integer, real, uuid, uuid) is
  'Merges the next groups of the caller''s duplicates that are linked by pairs of at least the probability, each into its oldest customer: {merged, next: [probability, first_id, second_id]}; next is null at the end.';
grant execute on function public.count_duplicates(real, boolean, integer),
  public.merge_duplicates(real, boolean, integer, real, uuid, uuid) to authenticated;
