-- Managing the team. Each function checks its caller itself and returns the outcome as one word.

create or replace function private.lock_team() returns private.team_manager
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
  where p.id = (select private.caller())
    and p.organization_id = any(array(select private.my_organizations('canManageTeam')));
  return manager;
end
$$;
comment on function private.lock_team() is 'The caller as a manager of the team, which is locked until the transaction ends; null for anyone else. SF001 without a fresh code.';

create or replace function private.may_manage(manager private.team_manager, p_role text, p_locations uuid[])
  returns boolean
language sql immutable set search_path = ''
as $$
  select (p_role <> 'super_admin' or manager.role = 'super_admin')
    and (cardinality(manager.location_ids) = 0
      or (cardinality(p_locations) > 0 and p_locations <@ manager.location_ids))
$$;
comment on function private.may_manage(private.team_manager, text, uuid[]) is
  'Whether they may change or invite a person with that role in those locations; an empty list means all locations.';

create or replace function private.known_locations(p_organization uuid, p_locations uuid[]) returns boolean
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

create or replace function public.list_team(p_member uuid default null, p_after_at timestamptz default null,
  p_after_id uuid default null, p_limit integer default 50)
returns table (id uuid, email text, full_name text, role text, all_locations boolean, location_ids uuid[],
  created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  -- Without its token the role machine is nobody's: the team gives another one.
  select p.id, p.email, p.full_name, nullif(p.role, 'machine'),
    not exists (select 1 from public.profile_locations pl where pl.profile_id = p.id),
    array(
      select pl.location_id from public.profile_locations pl
      where pl.profile_id = p.id and pl.location_id = any(array(select private.my_locations()))
      order by pl.location_id),
    p.created_at
  from public.profiles p
  where p.organization_id = any(array(select private.my_organizations('canManageTeam')))
    and not private.is_machine(p.id)
    and (p_member is null or p.id = p_member)
    and (p_after_id is null or (p.created_at, p.id) > (p_after_at, p_after_id))
  order by p.created_at, p.id
  limit least(p_limit, 201)
$$;
comment on function public.list_team(uuid, timestamptz, uuid, integer) is
  'The team by entry, for its managers; of a person''s locations those the caller works in. role is null when it is none of a person''s.';

create or replace function public.list_colleagues() returns table (id uuid, name text)
language sql stable security definer set search_path = ''
as $$
  select p.id, coalesce(nullif(p.full_name, ''), p.email)
  from public.profiles p
  where p.organization_id = any(array(select private.my_organizations())) and not private.is_machine(p.id)
  order by 2, 1
  limit 500
$$;
comment on function public.list_colleagues() is
  'The people of the caller''s organization, by name, as possible assignees. With its owner''s rights, as profiles are for team managers.';

create or replace function public.change_member(p_member uuid, p_changes jsonb) returns text
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
  where id = p_member and organization_id = manager.organization_id and not private.is_machine(id) for update;
  if member.id is null then
    return 'not_found';
  end if;
  v_locations := array(select location_id from public.profile_locations where profile_id = p_member);
  v_role := coalesce(p_changes ->> 'role', member.role);
  v_next := case when p_changes ? 'location_ids'
    then array(select distinct value::uuid
      from jsonb_array_elements_text(p_changes -> 'location_ids') as value)
    else v_locations end;
  if p_member = manager.id then
    -- No one raises their own role, and the last super_admin cannot be lost: they remain.
    if v_role <> member.role or not (v_next <@ v_locations and v_locations <@ v_next) then
      return 'own';
    end if;
  elsif not private.may_manage(manager, member.role, v_locations) then
    return 'forbidden';
  elsif p_changes ? 'location_ids' and not private.known_locations(manager.organization_id, v_next) then
    return 'unknown_location';
  elsif not private.may_manage(manager, v_role, v_next) then
    return 'forbidden';
  elsif v_role = 'sala' and v_next = '{}' then
    return 'needs_location';
  end if;
  if v_role <> member.role then
    perform private.end_sessions(p_member);
  end if;
  update public.profiles set role = v_role,
    full_name = case when p_changes ? 'full_name' then p_changes ->> 'full_name' else full_name end
  where id = p_member;
  if v_role <> member.role then
    insert into private.role_grants (profile_id, granted_by) values (p_member, manager.id)
    on conflict (profile_id, granted_by) do update set granted_at = now();
  end if;
  if not (v_next <@ v_locations and v_locations <@ v_next) then
    update private.session_details set locations_changed_at = now() where user_id = p_member;
  end if;
  delete from public.profile_locations where profile_id = p_member and not location_id = any(v_next);
  insert into public.profile_locations (profile_id, location_id)
  select p_member, location_id from unnest(v_next) as location_id
  on conflict do nothing;
  return 'saved';
end
$$;
comment on function public.change_member(uuid, jsonb) is
  'Changes role, full_name or location_ids ([]: all) of a person: saved, forbidden, not_found, own, unknown_location or needs_location (of floor staff).';

create or replace function public.remove_member(p_member uuid) returns text
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
  where id = p_member and organization_id = manager.organization_id and not private.is_machine(id) for update;
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

create or replace function public.end_member_sessions(p_member uuid) returns text
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
    where id = p_member and organization_id = manager.organization_id;
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

create or replace function public.hand_over_link(p_member uuid, p_made boolean default false) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  manager private.team_manager := private.lock_team();
  member public.profiles;
begin
  if manager.id is null then
    return 'forbidden';
  end if;
  select * into member from public.profiles
  where id = p_member and organization_id = manager.organization_id and role <> 'machine'
    and not private.is_machine(id);
  if member.id is null then
    return 'not_found';
  elsif p_member = manager.id then
    return 'own';
  elsif not private.may_manage(manager, member.role,
      array(select location_id from public.profile_locations where profile_id = p_member))
    -- Whoever has the link can become the person: it must give no right that its maker lacks.
    or exists (
      select permission from private.role_permissions where role = member.role
      except select permission from private.role_permissions where role = manager.role) then
    return 'forbidden';
  elsif not coalesce(p_made, false) then
    return 'allowed';
  end if;
  -- The maker could approve their own sends as this person.
  insert into private.role_grants (profile_id, granted_by) values (p_member, manager.id)
  on conflict (profile_id, granted_by) do update set granted_at = now();
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject)
  values (member.organization_id, private.actor_name(), manager.id, 'member.password_link', 'member',
    member.id, left(coalesce(nullif(btrim(member.full_name), '') || ' <' || member.email || '>',
    member.email), 300));
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient,
    content, dedupe_key)
  select o.id, 'notification', 'password_link', 'profile', member.id, 'email', member.email,
    jsonb_build_object(
      'template', 'password_link', 'organization', o.name, 'name', member.full_name, 'at', now(),
      'by', private.caller_name(),
      'timezone', o.timezone),
    format('password-link:%s:%s', member.id, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'))
  from public.organizations o where o.id = member.organization_id
  on conflict (organization_id, dedupe_key) do nothing;
  return 'made';
end
$$;
comment on function public.hand_over_link(uuid, boolean) is
  'Whether the caller may make a link to a new password for a person of the team: allowed, forbidden (also for a person with rights that the caller lacks), not_found or own. With p_made: it was made, which is logged, mailed to the person, and keeps the two from approving each other''s sends for 30 days (made).';

create or replace function public.password_link_holds(p_user uuid, p_made timestamptz) returns boolean
language sql stable security definer set search_path = ''
as $$
  -- Ten seconds: the clocks of Auth and of the database may be apart.
  select not exists (
    select from private.role_grants g
    where g.profile_id = p_user and g.granted_at >= p_made - interval '10 seconds'
      and not exists (
        select from public.profiles m
        join public.profiles p on p.id = p_user and p.organization_id = m.organization_id
        join private.role_permissions own on own.role = m.role and own.permission = 'canManageTeam'
        where m.id = g.granted_by
          and private.may_manage(row(m.id, m.organization_id, m.role,
              array(select l.location_id from public.profile_locations l
                where l.profile_id = m.id))::private.team_manager,
            p.role, array(select l.location_id from public.profile_locations l where l.profile_id = p.id))
          and not exists (
            select permission from private.role_permissions where role = p.role
            except select permission from private.role_permissions where role = m.role)))
$$;
comment on function public.password_link_holds(uuid, timestamptz) is
  'Whether a password link made at p_made still works. It does not when a colleague who has handed one over since then may no longer make one for this person: the role or the locations of either changed, or one was removed.';
grant execute on function public.list_team(uuid, timestamptz, uuid, integer), public.list_colleagues(),
  public.change_member(uuid, jsonb), public.remove_member(uuid), public.end_member_sessions(uuid),
  public.hand_over_link(uuid, boolean) to authenticated;
grant execute on function public.password_link_holds(uuid, timestamptz) to service_role;
