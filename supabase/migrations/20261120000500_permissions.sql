-- The caller and the caller's rights: the role matrix, the second factor that roles need, and the helpers that
-- policies call; then the policies of the organization's tables.

-- The role matrix. lib/permissions.ts holds the same one; tests/sql/permissions.test.ts compares them.
create table private.role_permissions (
  role text not null check (length(role) <= 60),
  permission text not null check (length(permission) <= 60),
  primary key (role, permission)
);
comment on table private.role_permissions is 'The permissions of each role.';

insert into private.role_permissions (role, permission)
select role, permission from (values
  ('canViewSettings', array['super_admin', 'admin']),
  ('canManageTeam', array['super_admin', 'admin']),
  ('canAccessOperaciones', array['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'sala']),
  ('canAccessClientes', array['super_admin', 'admin', 'ceo', 'marketing', 'operaciones']),
  ('canAccessMarketing', array['super_admin', 'admin', 'ceo', 'marketing']),
  ('canReadReports', array['super_admin', 'admin', 'ceo', 'marketing', 'operaciones']),
  ('canUseGuestCards', array['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'sala']),
  ('canWorkInOffice', array['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'rrhh', 'pr_comunicacion'])
) as matrix (permission, roles), unnest(matrix.roles) as role;

alter table private.role_permissions enable row level security;
grant select on private.role_permissions to service_role;

-- PL/pgSQL keeps the plans of these functions for the connection; SQL functions would be planned in every statement.
create function private.has_second_factor(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- A factor of a machine would shut out its token, which nobody could undo.
  return (select exists (select from auth.mfa_factors f where f.user_id = p_user and f.status = 'verified'))
    and not private.is_machine(p_user);
end
$$;
comment on function private.has_second_factor(uuid) is 'Whether the person has set up a second factor; false for the machine of an API token.';

create function private.must_have_second_factor(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select exists (
      select from public.profiles p join public.organizations o on o.id = p.organization_id
      where p.id = p_user and p.role in ('super_admin', 'admin') and o.require_second_factor)
  );
end
$$;
comment on function private.must_have_second_factor(uuid) is 'Whether the organization requires one of the person''s role.';

create function private.missing_step(p_user uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case
    when private.has_second_factor(p_user) then case when auth.jwt() ->> 'aal' = 'aal2' then null else 'code' end
    when private.must_have_second_factor(p_user) then 'enrol'
  end;
end
$$;
comment on function private.missing_step(uuid) is
  'What the session of this person, the private.live_user(), still lacks: code (of the second factor), enrol (in one, which the role requires), or null.';

create function private.caller() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user uuid := private.live_user();
begin
  return case when private.missing_step(v_user) is null then v_user end;
end
$$;
comment on function private.caller() is
  'The caller: the token''s user while the session is alive and has passed the second factor. Null otherwise.';

create function private.has_confirmed() returns boolean
language sql stable security definer set search_path = ''
as $$
  select not private.has_second_factor((select private.caller())) or exists (
    select from jsonb_array_elements(coalesce(auth.jwt() -> 'amr', '[]')) as a
    where a ->> 'method' = 'totp' and to_timestamp((a ->> 'timestamp')::double precision) > now() - interval '10 minutes')
$$;
comment on function private.has_confirmed() is
  'Whether the caller has no second factor, or has given a code of it within ten minutes, as the token says.';

create function private.refuse_unconfirmed() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.caller() is not null and not private.has_confirmed() then
    raise exception 'Confirm with a code of your second factor' using errcode = 'SF001';
  end if;
end
$$;
comment on function private.refuse_unconfirmed() is
  'Raises SF001 when a person with a second factor has to confirm the operation with a code first.';

-- Set-returning helpers: policies call them once a statement, as `= any(array(select …))`.
create function private.my_organizations() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select organization_id from public.profiles where id = (select private.caller());
end
$$;
comment on function private.my_organizations() is 'The organization of the signed-in person.';

create function private.my_organizations(permission text) returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
  select p.organization_id
  from public.profiles p
  where p.id = (select private.caller())
    and (exists (select from private.role_permissions rp where rp.role = p.role and rp.permission = $1)
      or exists (select from private.api_tokens t where t.user_id = p.id
        and ($1 = 'canWorkInOffice'
          or case $1 when 'canUseGuestCards' then 'canAccessClientes' when 'canReadReports' then 'canAccessOperaciones' else $1 end = any(t.permissions))));
end
$$;
comment on function private.my_organizations(text) is
  'my_organizations when the role, or the API token, has the permission. All tokens have the office permission; tokens for customers also use cards, tokens for operations also read reports.';

create function private.person_organizations() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select organization_id from public.profiles where id = (select private.caller()) and role <> 'machine';
end
$$;
comment on function private.person_organizations() is
  'The organization of the signed-in person; none for the machine of an API token. For changes that need no permission.';

create function private.my_locations() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
  select l.id
  from public.profiles p
  join public.locations l on l.organization_id = p.organization_id
  where p.id = (select private.caller())
    and (
      -- Floor staff work nowhere without an assignment.
      p.role <> 'sala' and not exists (select 1 from public.profile_locations pl where pl.profile_id = p.id)
      or exists (select 1 from public.profile_locations pl where pl.profile_id = p.id and pl.location_id = l.id)
    );
end
$$;
comment on function private.my_locations() is 'The locations the signed-in person works in.';

create function private.my_locations(permission text) returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
  select id from private.my_locations() as id
  where exists (select 1 from private.my_organizations($1));
end
$$;
comment on function private.my_locations(text) is 'my_locations when the person''s role has the permission.';

create function private.works_everywhere() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select exists (select 1 from public.profiles p where p.id = (select private.caller()) and p.role <> 'sala')
      and not exists (select 1 from public.profile_locations pl where pl.profile_id = (select private.caller()))
  );
end
$$;
comment on function private.works_everywhere() is
  'Whether the signed-in person is bound to no location, and so may see rows of no location or of several.';

create function private.bound_to() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case when not private.works_everywhere() then array(select private.my_locations()) end;
end
$$;
comment on function private.bound_to() is
  'The locations whose records count in what the signed-in person is told of a guest; null: all, for who works everywhere.';

create function private.covers(p_locations uuid[]) returns boolean
language sql stable security definer set search_path = ''
as $$
  select (select private.works_everywhere())
    or (p_locations <> '{}' and p_locations <@ array(select private.my_locations()))
$$;
comment on function private.covers(uuid[]) is
  'Whether the signed-in person works in all of these locations; an empty list means every location.';

create function private.may_market(p_organization uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select (not o.limit_marketing_to_roles and o.id = any(array(select private.person_organizations()))
      and o.id = any(array(select private.my_organizations('canWorkInOffice'))))
    or o.id = any(array(select private.my_organizations('canAccessMarketing')))
  from public.organizations o where o.id = p_organization
$$;
comment on function private.may_market(uuid) is
  'Whether the organization lets the signed-in person run automations and save loyalty rules (limit_marketing_to_roles): someone of the office; API tokens need canAccessMarketing.';

revoke execute on function private.has_second_factor(uuid), private.must_have_second_factor(uuid),
  private.missing_step(uuid), private.caller(), private.has_confirmed(), private.refuse_unconfirmed(),
  private.person_organizations(), private.may_market(uuid) from public;
grant execute on function private.caller(), private.my_organizations(), private.my_organizations(text),
  private.my_locations(), private.my_locations(text), private.works_everywhere(), private.bound_to(), private.covers(uuid[])
  to authenticated;

create policy "members read their organization" on public.organizations for select to authenticated
  using (id = any(array(select private.my_organizations())));
create policy "members read brands" on public.brands for select to authenticated
  using (organization_id = any(array(select private.my_organizations())));
create policy "members read their locations" on public.locations for select to authenticated
  using (id = any(array(select private.my_locations())));
create policy "people read their own profile, team managers the team" on public.profiles
  for select to authenticated using (
    id = (select private.caller())
    or organization_id = any(array(select private.my_organizations('canManageTeam'))));
create policy "people read their own assignments, team managers the team's" on public.profile_locations
  for select to authenticated using (
    profile_id = (select private.caller())
    or (exists (select 1 from private.my_organizations('canManageTeam'))
        and location_id = any(array(select private.my_locations()))));
create policy "team managers read invitations" on public.invitations for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canManageTeam'))));

-- One round trip for everything a request needs to know about its caller.
create function public.my_session() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user uuid := private.live_user();
begin
  if v_user is null then
    return null;
  end if;
  perform private.touch_session(v_user);
  return (
    select jsonb_build_object('user_id', p.id, 'email', p.email, 'missing_step', step) ||
      case when step = 'code' then '{}' else jsonb_build_object(
        'full_name', p.full_name,
        'role', p.role,
        'session_id', auth.jwt() ->> 'session_id',
        'settled', private.is_settled(),
        'permissions', (select t.permissions from private.api_tokens t where t.user_id = p.id),
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug),
        'second_factor', jsonb_build_object('enrolled', private.has_second_factor(p.id),
          'required', private.must_have_second_factor(p.id), 'confirmed', private.has_confirmed()))
      end
    -- Asked again: the session may have ended while touch_session waited, and would then seem to miss no step.
    -- Once (offset 0), not for each mention.
    from (
      select live.id, private.missing_step(live.id) as step from (select private.live_user() as id offset 0) as live offset 0
    ) as asked
    join public.profiles p on p.id = asked.id
    join public.organizations o on o.id = p.organization_id);
end
$$;
comment on function public.my_session() is
  'The caller''s profile, session and organization, and of an API token its permissions; settled: a read replica knows the session and its rights. Null when the user has no profile. Before the code of a second factor, only the data for that step. It marks the session as used.';

revoke execute on function public.my_session() from public, anon;
grant execute on function public.my_session() to authenticated;
