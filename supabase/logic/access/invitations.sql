-- The creation of accounts: the first group and its first person, inviting people, redeeming an invitation,
-- and the triggers on Auth's users that refuse all others. Each function checks its caller and returns the
-- outcome as one word.

-- Redeeming is one thing, whether the account is new (the triggers) or that of someone who left and was
-- invited again.
create or replace function private.claim_invitation(p_user uuid, p_email text, p_token text) returns void
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

create or replace function private.join_invited(p_user uuid) returns boolean
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
  insert into private.role_grants (profile_id, granted_by)
  select distinct p_user, inviter from unnest(invitation.invited_by) as inviter
  on conflict (profile_id, granted_by) do update set granted_at = now();
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

create or replace function public.accept_invitation(p_token text) returns boolean
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

create or replace function private.invite_by_hand(p_organization text, p_email text, p_role text,
  p_full_name text default null)
returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- 366 random bits, of which the hash keeps 256.
  v_token text := rtrim(translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid())), 'base64'), '+/', '-_'), '=');
begin
  -- Who has an account cannot accept an invitation: the link would do nothing.
  if exists (select from public.profiles where email = lower(btrim(p_email))) then
    raise exception '% has an account already. Take another e-mail, '
      'then create a link to a new password for them: Settings, Team', p_email using errcode = '23505';
  -- Floor staff need a location, which only the team's page gives.
  elsif p_role is null or p_role = 'sala' or p_role not in (select p.role from private.role_permissions p)
    then
    raise exception '"%" is no role that can be given by hand', p_role using errcode = '22023', hint = (
      select string_agg(distinct p.role, ', ' order by p.role) from private.role_permissions p
        where p.role <> 'sala');
  end if;
  insert into public.invitations (organization_id, email, full_name, role, token_hash)
  select id, lower(btrim(p_email)), p_full_name, p_role, encode(sha256(convert_to(v_token, 'UTF8')), 'hex')
  from public.organizations where slug = p_organization
  on conflict (email) where accepted_at is null do update
    set full_name = excluded.full_name, role = excluded.role, location_ids = excluded.location_ids,
    token_hash = excluded.token_hash, expires_at = excluded.expires_at, claimed_by = null, mail = null
  where invitations.organization_id = excluded.organization_id;
  if not found then
    raise exception 'No organization "%", or another one has invited this e-mail', p_organization
      using errcode = 'P0002';
  end if;
  return '/sign-up#token=' || v_token;
end
$$;
comment on function private.invite_by_hand(text, text, text, text) is
  'For the SQL editor: invites a person into the organization of that slug; returns the path of their link, valid once for 7 days.';

create or replace function public.setup_is_open() returns boolean
language sql stable security definer set search_path = ''
as $$ select not exists (select from public.organizations) $$;
comment on function public.setup_is_open() is 'Whether there is no organization yet: /setup works only then.';

create or replace function public.prepare_setup(p_token_hash text, p_email text, p_full_name text,
  p_name text, p_slug text, p_timezone text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Checked like in claim_setup, so that a second request leaves no rows behind.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('setup', 0));
  if not public.setup_is_open() then
    return 'closed';
  elsif not exists (select from pg_catalog.pg_timezone_names z where z.name = p_timezone) then
    return 'unknown_timezone';
  end if;
  delete from private.setup_requests where created_at < now() - interval '10 minutes';
  insert into private.setup_requests (token_hash, email, full_name, name, slug, timezone)
  values (p_token_hash, p_email, p_full_name, p_name, p_slug, p_timezone);
  return 'prepared';
end
$$;
comment on function public.prepare_setup(text, text, text, text, text, text) is
  'Notes the first group and its super_admin until Auth makes the account: prepared, closed or unknown_timezone.';

create or replace function private.claim_setup(p_user uuid, p_email text, p_token text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_hash text := encode(sha256(convert_to(p_token, 'UTF8')), 'hex');
  request private.setup_requests;
  v_organization uuid;
begin
  -- One after another: a second request finds the group of the first.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('setup', 0));
  if not public.setup_is_open() then
    raise exception 'There is a group already' using errcode = '42501';
  end if;
  select * into request from private.setup_requests
  where token_hash = v_hash and email = lower(btrim(p_email)) and created_at > now() - interval '10 minutes';
  if request.token_hash is null then
    raise exception 'Not invited' using errcode = '42501';
  end if;
  insert into public.organizations (name, slug, timezone)
  values (request.name, request.slug, request.timezone) returning id into v_organization;
  insert into public.invitations (organization_id, email, full_name, role, token_hash)
  values (v_organization, request.email, request.full_name, 'super_admin', v_hash);
  delete from private.setup_requests;
  perform private.claim_invitation(p_user, p_email, p_token);
end
$$;
comment on function private.claim_setup(uuid, text, text) is
  'Makes the first group, and an invitation as its super_admin that the account redeems; 42501 when there is a group already.';

create or replace function public.invite_member(p_email text, p_role text, p_full_name text,
  p_locations uuid[], p_token_hash text)
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
  elsif p_role = 'sala' and v_next = '{}' then
    return jsonb_build_object('outcome', 'needs_location');
  elsif exists (
    select 1 from public.profiles where organization_id = manager.organization_id and lower(email) = p_email
  ) then
    return jsonb_build_object('outcome', 'member');
  end if;
  insert into public.invitations (organization_id, email, full_name, role, location_ids, token_hash,
    invited_by)
  values (manager.organization_id, p_email, p_full_name, p_role, v_next, p_token_hash, array[manager.id])
  on conflict do nothing
  returning id into v_id;
  return jsonb_build_object('outcome', case when v_id is null then 'invited' else 'saved' end, 'id', v_id);
end
$$;
comment on function public.invite_member(text, text, text, uuid[], text) is
  'Invites an e-mail (lower case): saved with the id, forbidden, unknown_location, needs_location (of floor staff), member or invited (already).';

create or replace function public.renew_invitation(p_invitation uuid, p_token_hash text) returns text
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
  set token_hash = p_token_hash, expires_at = now() + interval '7 days', claimed_by = null, mail = null,
    -- The link is shown to them, so they can redeem it.
    invited_by = array_append(array_remove(invited_by, manager.id), manager.id)
  where id = p_invitation;
  return 'renewed';
end
$$;
comment on function public.renew_invitation(uuid, text) is
  'Gives an open invitation a new token and seven more days; the old token stops working: renewed, forbidden or not_found.';

create or replace function public.withdraw_invitation(p_invitation uuid) returns text
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

-- Accounts exist only by invitation or for an API token, through any way of Auth.
create or replace function private.admit_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.raw_user_meta_data ? 'machine_token' then
    perform private.claim_machine(new.id, new.email, new.raw_user_meta_data ->> 'machine_token');
  elsif new.raw_user_meta_data ? 'setup_token' then
    perform private.claim_setup(new.id, new.email, new.raw_user_meta_data ->> 'setup_token');
  else
    perform private.claim_invitation(new.id, new.email, new.raw_user_meta_data ->> 'invitation_token');
  end if;
  new.raw_user_meta_data := new.raw_user_meta_data - array['invitation_token', 'machine_token',
    'setup_token'];
  return new;
end
$$;
comment on function private.admit_user() is 'Trigger: raises 42501 for an account without, in its metadata, the token of an invitation for its e-mail or the secret of the first person or of an API token''s machine.';

create or replace trigger admit_user before insert on auth.users
  for each row execute function private.admit_user();

create or replace function private.join_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.join_machine(new.id) then
    perform private.join_invited(new.id);
  end if;
  return new;
end
$$;
comment on function private.join_user() is 'Makes the profile of an account whose address has been confirmed.';

create or replace trigger join_new_user after insert on auth.users
  for each row when (new.email_confirmed_at is not null) execute function private.join_user();
create or replace trigger join_confirmed_user after update of email_confirmed_at on auth.users
  for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
  execute function private.join_user();

-- Auth writes the metadata of its request once more when it confirms the address.
create or replace function private.drop_invitation_token() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.raw_user_meta_data := new.raw_user_meta_data - array['invitation_token', 'machine_token',
    'setup_token'];
  return new;
end
$$;
comment on function private.drop_invitation_token() is 'Keeps a redeemed token out of the account, and so out of its sessions.';

create or replace trigger drop_invitation_token before update of raw_user_meta_data on auth.users
  for each row when (new.raw_user_meta_data ?| array['invitation_token', 'machine_token', 'setup_token'])
    execute function private.drop_invitation_token();
grant execute on function public.setup_is_open(), public.prepare_setup(text, text, text, text, text, text)
  to service_role;
grant execute on function public.accept_invitation(text),
  public.invite_member(text, text, text, uuid[], text), public.renew_invitation(uuid, text),
  public.withdraw_invitation(uuid) to authenticated;
