-- The answers to requests that create something, by the key that the caller sent (Idempotency-Key): a request that is
-- sent again gets the first answer, and creates nothing. lib/http/idempotency.ts calls these functions.

-- Answers are personal data of guests. They are kept for a day (tidy_up), and an erasure empties those about the guest.
create table private.kept_answers (
  caller_id uuid not null references public.profiles on delete cascade,
  path text not null check (length(path) <= 300),
  key text not null check (length(key) between 1 and 255),
  organization_id uuid not null references public.organizations on delete cascade,
  body_hash text not null check (body_hash ~ '^[0-9a-f]{64}$'),
  holder uuid not null,
  role text not null check (length(role) <= 60),
  location_ids uuid[] not null check (cardinality(location_ids) <= 500),
  created_at timestamptz not null default now(),
  held_until timestamptz not null,
  status integer check (status between 200 and 299),
  answer text check (octet_length(answer) <= 1048576),
  primary key (caller_id, path, key),
  constraint kept_answers_instants_check check (
    least(created_at, held_until) >= '1900-01-01Z' and greatest(created_at, held_until) < '2200-01-01Z')
);
create index kept_answers_organization_idx on private.kept_answers (organization_id, created_at);
comment on table private.kept_answers is
  'Requests with an Idempotency-Key, by caller (a person, or the machine of an API token), path and key, with their answers.';
comment on column private.kept_answers.body_hash is 'SHA-256, in hexadecimal, of the body as JSON with sorted keys.';
comment on column private.kept_answers.holder is 'The request that is under way, or that was answered.';
comment on column private.kept_answers.role is 'The role of the caller at the time; the answer is for callers with the same one.';
comment on column private.kept_answers.location_ids is
  'Where the caller worked at the time (none: everywhere); the answer is for callers who still do.';
comment on column private.kept_answers.held_until is 'When a request without an answer counts as dead.';
comment on column private.kept_answers.status is 'Null while the request is under way.';
comment on column private.kept_answers.answer is
  'The body, with one-time secrets as null; null when it is above 1 MiB, or about a guest who was erased or merged.';

alter table private.kept_answers enable row level security;
grant select, insert, update, delete on private.kept_answers to service_role;

create function public.begin_keyed_request(
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
    body_hash = excluded.body_hash, holder = excluded.holder, role = excluded.role, location_ids = excluded.location_ids,
    created_at = now(), held_until = excluded.held_until, status = null, answer = null
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
      or ((v_locations <> '{}' or p.role = 'sala') and (k.location_ids = '{}' or not k.location_ids <@ v_locations))
      then jsonb_build_object('outcome', 'forbidden')
    when k.answer is null then jsonb_build_object('outcome', 'not_kept')
    else jsonb_build_object('outcome', 'replay', 'status', k.status, 'answer', k.answer)
  end;
end
$$;
comment on function public.begin_keyed_request(uuid, text, text, text, uuid, integer) is
  'Takes the key for a request of the caller, for p_seconds at most: first (go on, then call end_keyed_request), in_progress (another holder has it), mismatch (it was sent with another body), replay ({status, answer}), not_kept (answered, but the answer is gone), or forbidden (the caller has lost the rights of then). Keys are forgotten after 24 hours.';

create function public.end_keyed_request(
  p_caller uuid, p_path text, p_key text, p_holder uuid, p_status integer, p_answer text) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if p_status is null then
    delete from private.kept_answers k
    where k.caller_id = p_caller and k.path = p_path and k.key = p_key and k.holder = p_holder and k.status is null;
  else
    update private.kept_answers k
    set status = p_status, answer = case when octet_length(p_answer) <= 1048576 then p_answer end
    where k.caller_id = p_caller and k.path = p_path and k.key = p_key and k.holder = p_holder and k.status is null;
  end if;
end
$$;
comment on function public.end_keyed_request(uuid, text, text, uuid, integer, text) is
  'Keeps the answer to the holder''s request; without a status it failed, and its key is free again.';

create function private.forget_kept_answers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Addresses as whole words: ana@… is not in diana@…
  update private.kept_answers k set answer = null
  from (
    select r.organization_id, r.id::text as id,
      '(^|[^[:alnum:]._+-])' || regexp_replace(r.email, '([^[:alnum:]])', '\\\1', 'g') || '($|[^[:alnum:]-])' as email,
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
create trigger customers_forget_kept_answers after delete on public.customers
  referencing old table as old_rows for each statement execute function private.forget_kept_answers();

revoke execute on function private.forget_kept_answers() from public;
revoke execute on function public.begin_keyed_request(uuid, text, text, text, uuid, integer),
  public.end_keyed_request(uuid, text, text, uuid, integer, text) from public, anon, authenticated;
grant execute on function public.begin_keyed_request(uuid, text, text, text, uuid, integer),
  public.end_keyed_request(uuid, text, text, uuid, integer, text) to service_role;
