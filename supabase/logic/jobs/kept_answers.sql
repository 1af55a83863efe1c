-- The answers to requests that create something, by the key that the caller sent (Idempotency-Key): a request
-- that is sent again gets the first answer, and creates nothing. lib/http/idempotency.ts calls these
-- functions.

create or replace function public.begin_keyed_request(
  p_caller uuid, p_path text, p_key text, p_body_hash text, p_holder uuid, p_seconds integer) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  p public.profiles;
  k private.kept_answers;
  v_locations uuid[];
begin
  select * into p from public.profiles where id = p_caller;
  if p.id is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  v_locations := array(select l.location_id from public.profile_locations l where l.profile_id = p.id);
  insert into private.kept_answers as old
    (caller_id, path, key, organization_id, body_hash, holder, role, location_ids, held_until)
  values (p.id, p_path, p_key, p.organization_id, p_body_hash, p_holder, p.role, v_locations,
    now() + make_interval(secs => p_seconds))
  on conflict (caller_id, path, key) do update set organization_id = excluded.organization_id,
    body_hash = excluded.body_hash, holder = excluded.holder, role = excluded.role,
    location_ids = excluded.location_ids, created_at = now(), held_until = excluded.held_until, status = null,
    answer = null
  where old.created_at <= now() - interval '24 hours' or (old.status is null and old.held_until <= now());
  if found then
    return jsonb_build_object('outcome', 'first');
  end if;
  -- Also where it changes nothing, the conflict has locked the row: it is still there.
  select * into k from private.kept_answers o where o.caller_id = p.id and o.path = p_path and o.key = p_key;
  return case
    when k.body_hash <> p_body_hash then jsonb_build_object('outcome', 'mismatch')
    when k.status is null then jsonb_build_object('outcome', 'in_progress')
    when k.organization_id <> p.organization_id or k.role <> p.role
      or ((v_locations <> '{}' or p.role = 'sala')
        and (k.location_ids = '{}' or not k.location_ids <@ v_locations))
      then jsonb_build_object('outcome', 'forbidden')
    when k.answer is null then jsonb_build_object('outcome', 'not_kept')
    else jsonb_build_object('outcome', 'replay', 'status', k.status, 'answer', k.answer)
  end;
end
$$;
comment on function public.begin_keyed_request(uuid, text, text, text, uuid, integer) is
  'Takes the key for a request of the caller, for p_seconds at most: first (go on, then call end_keyed_request), in_progress (another holder has it), mismatch (it was sent with another body), replay ({status, answer}), not_kept (answered, but the answer is gone), or forbidden (the caller has lost the rights of then). Keys are forgotten after 24 hours.';

create or replace function public.end_keyed_request(
  p_caller uuid, p_path text, p_key text, p_holder uuid, p_status integer, p_answer text) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if p_status is null then
    delete from private.kept_answers k
    where k.caller_id = p_caller and k.path = p_path and k.key = p_key and k.holder = p_holder
      and k.status is null;
  else
    update private.kept_answers k
    set status = p_status, answer = case when octet_length(p_answer) <= 1048576 then p_answer end
    where k.caller_id = p_caller and k.path = p_path and k.key = p_key and k.holder = p_holder
      and k.status is null;
  end if;
end
$$;
comment on function public.end_keyed_request(uuid, text, text, uuid, integer, text) is
  'Keeps the answer to the holder''s request; without a status it failed, and its key is free again.';

create or replace function private.forget_kept_answers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Addresses as whole words: ana@… is not in diana@…
  update private.kept_answers k set answer = null
  from (
    select r.organization_id, r.id::text as id,
      '(^|[^[:alnum:]._+-])' || regexp_replace(r.email, '([^[:alnum:]])', '\\\1', 'g')
        || '($|[^[:alnum:]-])' as email,
      '\' || r.phone || '($|[^0-9])' as phone
    from old_rows r
  ) as o
  where k.organization_id = o.organization_id and k.answer is not null
    and (strpos(k.path || ' ' || k.answer, o.id) > 0 or k.answer ~* o.email or k.answer ~ o.phone);
  return null;
end
$$;
comment on function private.forget_kept_answers() is
  'Trigger: empties the kept answers with a deleted guest''s id, e-mail or phone. The keys stay, so that nothing is created again.';

create or replace trigger customers_forget_kept_answers after delete on public.customers
  referencing old table as old_rows for each statement execute function private.forget_kept_answers();
grant execute on function public.begin_keyed_request(uuid, text, text, text, uuid, integer),
  public.end_keyed_request(uuid, text, text, uuid, integer, text) to service_role;
