-- Groups of records that are likely one person: pairs in a chain, but no chain of strangers.

create function private.identity_group(p_customer uuid, p_most integer default 20) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_group uuid[] := array[p_customer];
  v_next uuid;
begin
  -- Who is likeliest comes first. Somebody joins if they are likely at least a tenth of those who are in, and nobody said
  -- that they are another person than one of them.
  while cardinality(v_group) < least(p_most, 50) loop
    v_next := null;
    select k.other into v_next from (
      select p.second_id as other, p.probability from public.identity_pairs p where p.first_id = any(v_group)
      union all
      select p.first_id, p.probability from public.identity_pairs p where p.second_id = any(v_group)
    ) as k
    where k.other <> all(v_group) and not exists (
      select from public.customer_pairs d where d.verdict = 'different'
        and (d.first_id = k.other and d.second_id = any(v_group) or d.second_id = k.other and d.first_id = any(v_group)))
    group by k.other having count(*) >= cardinality(v_group) * 0.1
    order by max(k.probability) desc, k.other limit 1;
    exit when v_next is null;
    v_group := v_group || v_next;
  end loop;
  return v_group;
end
$$;
comment on function private.identity_group(uuid, integer) is
  'The customer and those who are likely the same person, directly or by way of others, the likeliest first.';
revoke execute on function private.identity_group(uuid, integer) from public;
grant execute on function private.identity_group(uuid, integer) to service_role;
