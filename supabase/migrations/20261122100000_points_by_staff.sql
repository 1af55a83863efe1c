-- Points that staff adjust or redeem; what visits earn is settled with the statistics (private.settle_points).

create function private.points_json(p_entry public.loyalty_points) returns jsonb
language sql stable set search_path = ''
as $$ select (to_jsonb(p_entry) - array['organization_id', 'customer_id', 'author', 'author_name'])
  || jsonb_build_object('author', (p_entry).author_name, 'reservation_date', null) $$;
comment on function private.points_json(public.loyalty_points) is 'An entry of the points ledger as the API gives it.';

create function public.save_points(p_customer uuid, p_kind text, p_points integer, p_reason text) returns jsonb
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
    insert into public.loyalty_points (organization_id, customer_id, kind, points, reason, author, author_name)
    select v_organization, p_customer, p_kind, v_points, p_reason, p.id, coalesce(nullif(p.full_name, ''), p.email)
    from public.profiles p where p.id = (select private.caller())
    returning * into v_entry;
  exception
    when check_violation then return jsonb_build_object('outcome', 'malformed');
  end;
  update public.customers set points = points + v_points where id = p_customer returning points into v_balance;
  perform private.audit(v_organization, 'customer.points_' || p_kind, p_customer,
    jsonb_build_object('points', v_points));
  return jsonb_build_object('outcome', 'saved', 'entry', private.points_json(v_entry), 'balance', v_balance);
end
$$;
comment on function public.save_points(uuid, text, integer, text) is
  'Adjusts (signed) or redeems (positive) a customer''s points, with a reason: outcome saved (with entry and balance), overdrawn, malformed, not_found or forbidden.';

revoke execute on function private.points_json(public.loyalty_points) from public;
revoke execute on function public.save_points(uuid, text, integer, text) from public, anon;
grant execute on function public.save_points(uuid, text, integer, text) to authenticated;
