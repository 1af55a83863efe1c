-- The team and its invitations. Each function checks its caller itself and answers what came of it, in one word.

-- Redeeming is one thing, whether the account is new (the triggers) or that of someone who left and was invited again.
create function private.claim_invitation(p_user uuid, p_email text, p_token text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.invitations set token_hash = null, claimed_by = p_user
  where email = lower(btrim(p_email)) and expires_at > now()
    and token_hash = encode(sha256(convert_to(p_token, 'UTF8')), 'hex');
  if not found then
    raise exception 'Not invited' using errcode = '42501';
  end if;
end
$$;
comment on function private.claim_invitation(uuid, text, text) is
  'Spends the token of an open invitation of that e-mail for the account, or refuses with 42501, whatever the reason.';

create function private.join_invited(p_user uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  invitation public.invitations;
begin
  update public.invitations set accepted_at = now(), claimed_by = null
  where claimed_by = p_user and accepted_at is null
  returning * into invitation;
  if invitation.id is null then
    return false;
  end if;
  insert into public.profiles (id, organization_id, email, full_name, role)
  values (p_user, invitation.organization_id, invitation.email, invitation.full_name, invitation.role);
  insert into public.profile_locations (profile_id, location_id)
  select p_user, l.id from public.locations l
  where l.id = any(invitation.location_ids) and l.organization_id = invitation.organization_id;
  -- Without any assignment the person would work in every location.
  if cardinality(invitation.location_ids) > 0 and not found then
    raise exception 'None of the invitation''s locations is there' using errcode = '42501';
  end if;
  return true;
end
$$;
comment on function private.join_invited(uuid) is
  'Makes the profile that the invitation claimed by the account promises; false when it was withdrawn meanwhile.';

create function public.accept_invitation(p_token text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- Joining leads to the second factor; it opens nothing before.
  v_user uuid := private.live_user();
  v_email text;
begin
  select u.email into v_email from auth.users u where u.id = v_user and u.email_confirmed_at is not null;
  if v_email is null or exists (select 1 from public.profiles where id = v_user) then
    return false;
  end if;
  perform private.claim_invitation(v_user, v_email, p_token);
  return private.join_invited(v_user);
exception when insufficient_privilege then
  return false;
end
$$;
comment on function public.accept_invitation(text) is
  'Lets a signed-in user without profile join with the token of an open invitation of their e-mail; false without one.';

create function private.invite_by_hand(p_organization text, p_email text, p_role text, p_full_name text default null)
returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- 366 random bits, of which the hash keeps 256.
  v_token text := rtrim(translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid())), 'base64'), '+/', '-_'), '=');
begin
  insert into public.invitations (organization_id, email, full_name, role, token_hash)
  select id, lower(btrim(p_email)), p_full_name, p_role, encode(sha256(convert_to(v_token, 'UTF8')), 'hex')
  from public.organizations where slug = p_organization
  on conflict (email) where accepted_at is null do update set full_name = excluded.full_name, role = excluded.role,
    location_ids = excluded.location_ids, token_hash = excluded.token_hash, expires_at = excluded.expires_at, claimed_by = null
  where invitations.organization_id = excluded.organization_id;
  if not found then
    raise exception 'No organization "%", or another one has invited this e-mail', p_organization using errcode = 'P0002';
  end if;
  return '/sign-up#token=' || v_token;
end
$$;
comment on function private.invite_by_hand(text, text, text, text) is
  'For the SQL editor: invites a person into the organization of that slug; gives the path of their link, good once for 7 days.';

-- Everything about the team happens one after another, so that nobody acts on a role just taken away.
create type private.team_manager as (id uuid, organization_id uuid, role text, location_ids uuid[]);

create function private.lock_team() returns private.team_manager
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager;
begin
  perform private.refuse_unconfirmed();
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('team:' || p.organization_id::text, 0))
  from public.profiles p where p.id = (select private.caller());
  select p.id, p.organization_id, p.role,
    array(select pl.location_id from public.profile_locations pl where pl.profile_id = p.id)
  into manager
  from public.profiles p
  where p.id = (select private.caller()) and p.organization_id = any(array(select private.my_organizations('canManageTeam')));
  return manager;
end
$$;
comment on function private.lock_team() is 'The caller as a manager of the team, which is locked until the transaction ends; null for anyone else. SF001 without a fresh code.';

create function private.may_manage(manager private.team_manager, p_role text, p_locations uuid[]) returns boolean
language sql immutable set search_path = ''
as $$
  select (p_role <> 'super_admin' or manager.role = 'super_admin')
    and (cardinality(manager.location_ids) = 0
      or (cardinality(p_locations) > 0 and p_locations <@ manager.location_ids))
$$;
comment on function private.may_manage(private.team_manager, text, uuid[]) is
  'Whether they may touch, or make, someone of that role in those locations; none means all of them.';

create function private.known_locations(p_organization uuid, p_locations uuid[]) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The lock keeps them from being deleted meanwhile.
  perform 1 from public.locations
  where id = any(p_locations) and organization_id = p_organization
    and id = any(array(select private.my_locations())) for key share;
  return not exists (
    select 1 from unnest(p_locations) as given (id)
    where not exists (
      select 1 from public.locations l
      where l.id = given.id and l.organization_id = p_organization
        and l.id = any(array(select private.my_locations()))));
end
$$;
comment on function private.known_locations(uuid, uuid[]) is 'Whether the caller works in all of these locations of the organization.';

create function public.list_team(p_member uuid default null, p_after_at timestamptz default null,
  p_after_id uuid default null, p_limit integer default 50)
returns table (id uuid, email text, full_name text, role text, all_locations boolean, location_ids uuid[],
  created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select p.id, p.email, p.full_name, p.role,
    not exists (select 1 from public.profile_locations pl where pl.profile_id = p.id),
    array(
      select pl.location_id from public.profile_locations pl
      where pl.profile_id = p.id and pl.location_id = any(array(select private.my_locations()))
      order by pl.location_id),
    p.created_at
  from public.profiles p
  where p.organization_id = any(array(select private.my_organizations('canManageTeam'))) and p.role <> 'machine'
    and (p_member is null or p.id = p_member)
    and (p_after_id is null or (p.created_at, p.id) > (p_after_at, p_after_id))
  order by p.created_at, p.id
  limit least(p_limit, 201)
$$;
comment on function public.list_team(uuid, timestamptz, uuid, integer) is
  'The team by entry, for its managers; of a person''s locations those the caller works in.';

create function public.change_member(p_member uuid, p_changes jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager := private.lock_team();
  member public.profiles;
  v_locations uuid[];
  v_next uuid[];
  v_role text;
begin
  if manager.id is null then
    return 'forbidden';
  end if;
  select * into member from public.profiles
  where id = p_member and organization_id = manager.organization_id and role <> 'machine' for update;
  if member.id is null then
    return 'not_found';
  end if;
  v_locations := array(select location_id from public.profile_locations where profile_id = p_member);
  v_role := coalesce(p_changes ->> 'role', member.role);
  v_next := case when p_changes ? 'location_ids'
    then array(select distinct value::uuid from jsonb_array_elements_text(p_changes -> 'location_ids') as value)
    else v_locations end;
  if p_member = manager.id then
    -- So that nobody raises themselves, and whoever may do everything cannot be lost: they remain.
    if v_role <> member.role or not (v_next <@ v_locations and v_locations <@ v_next) then
      return 'own';
    end if;
  elsif not private.may_manage(manager, member.role, v_locations) then
    return 'forbidden';
  elsif p_changes ? 'location_ids' and not private.known_locations(manager.organization_id, v_next) then
    return 'unknown_location';
  elsif not private.may_manage(manager, v_role, v_next) then
    return 'forbidden';
  end if;
  if v_role <> member.role then
    perform private.end_sessions(p_member);
  end if;
  update public.profiles set role = v_role,
    full_name = case when p_changes ? 'full_name' then p_changes ->> 'full_name' else full_name end
  where id = p_member;
  delete from public.profile_locations where profile_id = p_member and not location_id = any(v_next);
  insert into public.profile_locations (profile_id, location_id)
  select p_member, location_id from unnest(v_next) as location_id
  on conflict do nothing;
  return 'saved';
end
$$;
comment on function public.change_member(uuid, jsonb) is
  'Changes role, full_name or location_ids ([]: all) of a person: saved, forbidden, not_found, own or unknown_location.';

create function public.remove_member(p_member uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager := private.lock_team();
  v_role text;
begin
  if manager.id is null then
    return 'forbidden';
  end if;
  select role into v_role from public.profiles
  where id = p_member and organization_id = manager.organization_id and role <> 'machine' for update;
  if v_role is null then
    return 'not_found';
  elsif p_member = manager.id then
    return 'own';
  elsif not private.may_manage(manager, v_role,
    array(select location_id from public.profile_locations where profile_id = p_member)) then
    return 'forbidden';
  end if;
  delete from public.profiles where id = p_member;
  perform private.end_sessions(p_member);
  return 'removed';
end
$$;
comment on function public.remove_member(uuid) is
  'Deletes a person''s profile, and with it every right: removed, forbidden, not_found or own.';

create function public.end_member_sessions(p_member uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager := private.lock_team();
  v_role text;
begin
  if manager.id is null then
    return 'forbidden';
  end if;
  select role into v_role from public.profiles where id = p_member and organization_id = manager.organization_id;
  if v_role is null then
    return 'not_found';
  elsif p_member <> manager.id and not private.may_manage(manager, v_role,
    array(select location_id from public.profile_locations where profile_id = p_member)) then
    return 'forbidden';
  end if;
  perform private.end_sessions(p_member);
  return 'ended';
end
$$;
comment on function public.end_member_sessions(uuid) is
  'Signs a person of the team, or oneself, out everywhere: ended, forbidden or not_found.';

create function public.invite_member(p_email text, p_role text, p_full_name text, p_locations uuid[], p_token_hash text)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager := private.lock_team();
  v_next uuid[] := array(select distinct unnest(p_locations));
  v_id uuid;
begin
  if manager.id is null then
    return jsonb_build_object('outcome', 'forbidden');
  elsif not private.known_locations(manager.organization_id, v_next) then
    return jsonb_build_object('outcome', 'unknown_location');
  elsif not private.may_manage(manager, p_role, v_next) then
    return jsonb_build_object('outcome', 'forbidden');
  elsif exists (
    select 1 from public.profiles where organization_id = manager.organization_id and lower(email) = p_email
  ) then
    return jsonb_build_object('outcome', 'member');
  end if;
  insert into public.invitations (organization_id, email, full_name, role, location_ids, token_hash)
  values (manager.organization_id, p_email, p_full_name, p_role, v_next, p_token_hash)
  on conflict do nothing
  returning id into v_id;
  return jsonb_build_object('outcome', case when v_id is null then 'invited' else 'saved' end, 'id', v_id);
end
$$;
comment on function public.invite_member(text, text, text, uuid[], text) is
  'Invites an e-mail (lower case): saved with the id, forbidden, unknown_location, member or invited (already).';

create function public.renew_invitation(p_invitation uuid, p_token_hash text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager := private.lock_team();
  invitation public.invitations;
begin
  if manager.id is null then
    return 'forbidden';
  end if;
  select * into invitation from public.invitations
  where id = p_invitation and organization_id = manager.organization_id and accepted_at is null for update;
  if invitation.id is null then
    return 'not_found';
  elsif not private.may_manage(manager, invitation.role, invitation.location_ids) then
    return 'forbidden';
  end if;
  update public.invitations
  set token_hash = p_token_hash, expires_at = now() + interval '7 days', claimed_by = null
  where id = p_invitation;
  return 'renewed';
end
$$;
comment on function public.renew_invitation(uuid, text) is
  'Gives an open invitation another token and seven more days; the old token dies: renewed, forbidden or not_found.';

create function public.withdraw_invitation(p_invitation uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager := private.lock_team();
  invitation public.invitations;
begin
  if manager.id is null then
    return 'forbidden';
  end if;
  select * into invitation from public.invitations
  where id = p_invitation and organization_id = manager.organization_id and accepted_at is null for update;
  if invitation.id is null then
    return 'not_found';
  elsif not private.may_manage(manager, invitation.role, invitation.location_ids) then
    return 'forbidden';
  end if;
  delete from public.invitations where id = p_invitation;
  return 'withdrawn';
end
$$;
comment on function public.withdraw_invitation(uuid) is 'Deletes an open invitation: withdrawn, forbidden or not_found.';
create index invitations_open_recent_idx on public.invitations (organization_id, created_at, id) where accepted_at is null;

revoke execute on function private.claim_invitation(uuid, text, text), private.join_invited(uuid),
  private.invite_by_hand(text, text, text, text), private.lock_team(),
  private.may_manage(private.team_manager, text, uuid[]), private.known_locations(uuid, uuid[]) from public;
revoke execute on function public.accept_invitation(text), public.list_team(uuid, timestamptz, uuid, integer),
  public.change_member(uuid, jsonb), public.remove_member(uuid), public.end_member_sessions(uuid),
  public.invite_member(text, text, text, uuid[], text),
  public.renew_invitation(uuid, text), public.withdraw_invitation(uuid) from public, anon, authenticated;
grant execute on function public.accept_invitation(text), public.list_team(uuid, timestamptz, uuid, integer),
  public.change_member(uuid, jsonb), public.remove_member(uuid), public.end_member_sessions(uuid),
  public.invite_member(text, text, text, uuid[], text),
  public.renew_invitation(uuid, text), public.withdraw_invitation(uuid) to authenticated;
