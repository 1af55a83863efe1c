-- The rights of the caller: the second factor that roles need, the session of a request, and helpers of
-- functions.

-- PL/pgSQL keeps the plans of these functions for the connection; SQL functions would be planned in every
-- statement.
create or replace function private.has_second_factor(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- A factor of a machine would shut out its token, which nobody could undo.
  return (select exists (select from auth.mfa_factors f where f.user_id = p_user and f.status = 'verified'))
    and not private.is_machine(p_user);
end
$$;
comment on function private.has_second_factor(uuid) is 'Whether the person has set up a second factor; false for the machine of an API token.';

create or replace function private.must_have_second_factor(p_user uuid) returns boolean
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

create or replace function private.missing_step(p_user uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case
    when private.has_second_factor(p_user) then case when auth.jwt() ->> 'aal' = 'aal2' then null
      else 'code' end
    when private.must_have_second_factor(p_user) then 'enrol'
  end;
end
$$;
comment on function private.missing_step(uuid) is
  'What the session of this person, the private.live_user(), still lacks: code (of the second factor), enrol (in one, which the role requires), or null.';

create or replace function private.has_confirmed() returns boolean
language sql stable security definer set search_path = ''
as $$
  select not private.has_second_factor((select private.caller())) or exists (
    select from jsonb_array_elements(coalesce(auth.jwt() -> 'amr', '[]')) as a
    where a ->> 'method' = 'totp'
      and to_timestamp((a ->> 'timestamp')::double precision) > now() - interval '10 minutes')
$$;
comment on function private.has_confirmed() is
  'Whether the caller has no second factor, or has given a code of it within ten minutes, as the token says.';

create or replace function private.refuse_unconfirmed() returns void
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

create or replace function private.person_organizations() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select organization_id from public.profiles where id = (select private.caller())
    and role <> 'machine';
end
$$;
comment on function private.person_organizations() is
  'The organization of the signed-in person; none for the machine of an API token. For changes that need no permission.';

create or replace function private.bound_to() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case when not private.works_everywhere() then array(select private.my_locations()) end;
end
$$;
comment on function private.bound_to() is
  'The locations whose records count in what the signed-in person is told of a guest; null: all, for who works everywhere.';
grant execute on function private.bound_to() to authenticated;

create or replace function private.covers(p_locations uuid[]) returns boolean
language sql stable security definer set search_path = ''
as $$
  select (select private.works_everywhere())
    or (p_locations <> '{}' and p_locations <@ array(select private.my_locations()))
$$;
comment on function private.covers(uuid[]) is
  'Whether the signed-in person works in all of these locations; an empty list means every location.';
grant execute on function private.covers(uuid[]) to authenticated;

create or replace function private.may_market(p_organization uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select (not o.limit_marketing_to_roles and o.id = any(array(select private.person_organizations()))
      and o.id = any(array(select private.my_organizations('canWorkInOffice'))))
    or o.id = any(array(select private.my_organizations('canAccessMarketing')))
  from public.organizations o where o.id = p_organization
$$;
comment on function private.may_market(uuid) is
  'Whether the organization lets the signed-in person run automations and save loyalty rules (limit_marketing_to_roles): someone of the office; API tokens need canAccessMarketing.';

-- One round trip for everything a request needs to know about its caller.
create or replace function public.my_session() returns jsonb
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
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug,
          'timezone', o.timezone),
        'second_factor', jsonb_build_object('enrolled', private.has_second_factor(p.id),
          'required', private.must_have_second_factor(p.id), 'confirmed', private.has_confirmed()))
      end
    -- Asked again: the session may have ended while touch_session waited, and would then seem to miss no
    -- step. Once (offset 0), not for each mention.
    from (
      select live.id, private.missing_step(live.id) as step
        from (select private.live_user() as id offset 0) as live offset 0
    ) as asked
    join public.profiles p on p.id = asked.id
    join public.organizations o on o.id = p.organization_id);
end
$$;
comment on function public.my_session() is
  'The caller''s profile, session and organization, and of an API token its permissions; settled: a read replica knows the session and its rights. Null when the user has no profile. Before the code of a second factor, only the data for that step. It marks the session as used.';
grant execute on function public.my_session() to authenticated;
