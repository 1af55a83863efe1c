-- Making, listing, using and revoking API tokens. Team managers do it, for no more than they work in
-- themselves.

create or replace function private.machine_address(p_token uuid) returns text
language sql immutable parallel safe set search_path = ''
as $$ select 'token-' || p_token || '@machines.invalid' $$;
comment on function private.machine_address(uuid) is
  'The e-mail of a token''s account in Auth: of a domain that no mail ever reaches. lib/auth/token-session.ts has the same.';

create or replace function private.claim_machine(p_user uuid, p_email text, p_token text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.api_tokens set user_id = p_user, account_hash = null
  where user_id is null and created_at > now() - interval '10 minutes'
    and private.machine_address(id) = lower(btrim(p_email))
    and account_hash = encode(sha256(convert_to(p_token, 'UTF8')), 'hex');
  if not found then
    raise exception 'Not invited' using errcode = '42501';
  end if;
end
$$;
comment on function private.claim_machine(uuid, text, text) is
  'Links a token with its one account, by a secret valid once within ten minutes, or raises 42501.';

create or replace function private.join_machine(p_user uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  token private.api_tokens;
begin
  select * into token from private.api_tokens where user_id = p_user;
  if token.id is null or exists (select from public.profiles where id = p_user) then
    return token.id is not null;
  end if;
  insert into public.profiles (id, organization_id, email, full_name, role)
  values (p_user, token.organization_id, private.machine_address(token.id), token.name, 'machine');
  insert into public.profile_locations (profile_id, location_id)
  select p_user, l.id from public.locations l
  where l.id = any(token.location_ids) and l.organization_id = token.organization_id;
  -- Without any assignment the machine would work in every location.
  if cardinality(token.location_ids) > 0 and not found then
    raise exception 'None of the token''s locations is there' using errcode = '42501';
  end if;
  return true;
end
$$;
comment on function private.join_machine(uuid) is 'Makes the profile of a token''s account; false for any other account.';

create or replace function private.keep_machine_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_machine(old.id) then
    return new;
  end if;
  -- Auth with encrypted hashes ({…}) encrypts the same one anew at a sign-in, which must not fail.
  if (old.email, coalesce(old.phone, ''), coalesce(old.email_change, ''), coalesce(old.phone_change, ''))
      is distinct from (new.email, coalesce(new.phone, ''), coalesce(new.email_change, ''),
        coalesce(new.phone_change, ''))
    or old.encrypted_password is distinct from new.encrypted_password
      and coalesce(new.encrypted_password, '') !~ '^\{' then
    raise exception 'The account of an API token keeps its address and its password' using errcode = '42501';
  end if;
  new.encrypted_password := old.encrypted_password;
  -- What is stored there is in every access token.
  new.raw_user_meta_data := old.raw_user_meta_data;
  return new;
end
$$;
comment on function private.keep_machine_account() is
  'Trigger: refuses (42501) another address, phone or password of a token''s account, so that the token cannot be used to take it over; its metadata stay as they are.';

create or replace trigger keep_machine_account
  before update of email, phone, email_change, phone_change, encrypted_password, raw_user_meta_data
    on auth.users
  for each row execute function private.keep_machine_account();

create or replace function private.refuse_machine_factor() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_machine(new.user_id) then
    raise exception 'The account of an API token has no second factor' using errcode = '42501';
  end if;
  return new;
end
$$;
comment on function private.refuse_machine_factor() is 'Trigger: refuses (42501) a factor of a token''s account.';

do $$
begin
  create or replace trigger refuse_machine_factor before insert on auth.mfa_factors
    for each row execute function private.refuse_machine_factor();
exception when insufficient_privilege then
  raise warning 'Auth keeps its table of factors: those of machines are not refused, but count for nothing';
end
$$;

create or replace function public.prepare_api_token(p_name text, p_permissions text[], p_locations uuid[],
  p_days integer, p_token_hash text, p_account_hash text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager := private.lock_team();
  v_locations uuid[] := array(select distinct unnest(p_locations) order by 1);
  v_permissions text[] := array(select distinct unnest(p_permissions) order by 1);
  v_id uuid;
begin
  if manager.id is null then
    return jsonb_build_object('outcome', 'forbidden');
  elsif not private.known_locations(manager.organization_id, v_locations) then
    return jsonb_build_object('outcome', 'unknown_location');
  elsif not private.may_manage(manager, 'machine', v_locations)
    or not v_permissions <@ array(select permission from private.role_permissions where role = manager.role)
      then
    return jsonb_build_object('outcome', 'forbidden');
  elsif p_days is null or p_days not between 1 and 365 then
    return jsonb_build_object('outcome', 'malformed');
  end if;
  delete from private.api_tokens
  where organization_id = manager.organization_id and user_id is null
    and created_at < now() - interval '10 minutes';
  if (select count(*) from private.api_tokens
      where organization_id = manager.organization_id and revoked_at is null and expires_at > now()) >= 50
        then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  begin
    insert into private.api_tokens (organization_id, name, token_hash, account_hash, permissions,
      location_ids, created_by, created_by_id, expires_at)
    values (manager.organization_id, btrim(p_name), p_token_hash, p_account_hash, v_permissions, v_locations,
      left(private.my_name(), 254), manager.id, now() + make_interval(days => p_days))
    returning id into v_id;
  exception
    when check_violation or not_null_violation then return jsonb_build_object('outcome', 'malformed');
  end;
  perform private.audit(manager.organization_id, 'api_token.created', v_id,
    jsonb_build_object('permissions', v_permissions, 'location_ids', v_locations));
  return jsonb_build_object('outcome', 'saved', 'id', v_id);
end
$$;
comment on function public.prepare_api_token(text, text[], uuid[], integer, text, text) is
  'Stores a token by its hash; it is not usable before its account is created. saved with the id, forbidden, unknown_location, malformed or too_many (50).';

create or replace function public.discard_api_token(p_id uuid) returns void
language sql volatile set search_path = ''
as $$ delete from private.api_tokens where id = p_id and user_id is null $$;
comment on function public.discard_api_token(uuid) is 'Removes a token whose account could not be made.';

create or replace function public.list_api_tokens(p_id uuid default null, p_after_at timestamptz default null,
  p_after_id uuid default null, p_limit integer default 50)
returns table (id uuid, name text, permissions text[], location_ids uuid[], created_by text,
  created_at timestamptz, expires_at timestamptz, last_used_at timestamptz, revoked_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select t.id, t.name, t.permissions, t.location_ids, t.created_by, t.created_at, t.expires_at,
    t.last_used_at, t.revoked_at
  from private.api_tokens t
  where t.organization_id = any(array(select private.my_organizations('canManageTeam')))
    and t.user_id is not null and private.covers(t.location_ids)
    and (p_id is null or t.id = p_id)
    and (p_after_id is null or (t.created_at, t.id) < (p_after_at, p_after_id))
  order by t.created_at desc, t.id desc
  limit least(p_limit, 201)
$$;
comment on function public.list_api_tokens(uuid, timestamptz, uuid, integer) is
  'The tokens, the latest first, for managers of the team; managers bound to locations see tokens bound to these.';

create or replace function public.revoke_api_token(p_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager := private.lock_team();
  token private.api_tokens;
begin
  if manager.id is null then
    return 'forbidden';
  end if;
  select * into token from private.api_tokens
  where id = p_id and organization_id = manager.organization_id and user_id is not null for update;
  if token.id is null or not private.may_manage(manager, 'machine', token.location_ids) then
    return 'not_found';
  elsif token.revoked_at is null then
    update private.api_tokens set revoked_at = now() where id = p_id;
    perform private.end_sessions(token.user_id);
    -- A revoked token must not block deleting a location.
    delete from public.profile_locations where profile_id = token.user_id;
    perform private.audit(manager.organization_id, 'api_token.revoked', p_id);
  end if;
  return 'revoked';
end
$$;
comment on function public.revoke_api_token(uuid) is
  'Ends a token and every session of its account at once: revoked (also when it was), forbidden or not_found.';

create or replace function public.use_api_token(p_id uuid, p_token_hash text, p_network text,
  p_now timestamptz default now())
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  token private.api_tokens;
begin
  select * into token from private.api_tokens t
  where t.id = p_id and t.token_hash = p_token_hash and t.user_id is not null
    and t.revoked_at is null and t.expires_at > p_now;
  if token.id is null then
    return jsonb_build_object('outcome', 'refused', 'wait',
      public.take_attempts(array['api-token:network:' || p_network], array[30], 60, p_now));
  end if;
  update private.api_tokens t set last_used_at = p_now
  where t.id = p_id and (t.last_used_at is null or t.last_used_at <= p_now - interval '1 minute');
  return jsonb_build_object('outcome', 'known', 'wait',
    public.take_attempts(array['api-token:' || p_id], array[120], 60, p_now));
end
$$;
comment on function public.use_api_token(uuid, text, text, timestamptz) is
  'Counts a request with a token: known or refused (unknown, wrong, expired, revoked: which is not said), and the seconds to wait: from the 121st request of a token, and the 31st refusal of a network, in a minute.';
grant execute on function public.prepare_api_token(text, text[], uuid[], integer, text, text),
  public.list_api_tokens(uuid, timestamptz, uuid, integer), public.revoke_api_token(uuid) to authenticated;
grant execute on function public.discard_api_token(uuid), public.use_api_token(uuid, text, text, timestamptz)
  to service_role;
