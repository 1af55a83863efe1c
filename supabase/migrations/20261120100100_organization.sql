-- Who works here: organizations, brands, locations, people, their roles and invitations.

create table public.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> ''),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  horizon_days integer check (horizon_days between 1 and 365),
  limit_marketing_to_roles boolean not null default false,
  require_second_factor boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table public.organizations is 'A restaurant group. One per deployment; every other row belongs to one.';
comment on column public.organizations.horizon_days is
  'Days ahead that the scheduled sync also asks the PMS for; null: the deployment''s PMS_HORIZON_DAYS.';
comment on column public.organizations.limit_marketing_to_roles is
  'Whether running automations and saving loyalty rules need canAccessMarketing; else any member may.';
comment on column public.organizations.require_second_factor is
  'Whether a super_admin or admin reaches anything only with a second factor.';

create table public.brands (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> ''),
  slug text not null,
  created_at timestamptz not null default now(),
  unique (organization_id, slug)
);
comment on table public.brands is 'A restaurant brand of the group.';

create table public.locations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  brand_id uuid references public.brands on delete set null,
  name text not null check (btrim(name) <> ''),
  city text,
  address text,
  pms_id text,
  timezone text not null default 'Europe/Madrid',
  average_spend_per_guest numeric(12, 2) check (average_spend_per_guest >= 0),
  count_unmarked_visits boolean not null default true,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  unique (organization_id, name)
);
create index locations_brand_id_idx on public.locations (brand_id);
comment on table public.locations is 'A restaurant. Only active ones with a pms_id are synchronised.';
comment on column public.locations.average_spend_per_guest is 'EUR; stands in for a visit''s amount when the PMS gives none.';
comment on column public.locations.count_unmarked_visits is
  'Whether a reservation that was still confirmed when its service ended counts as a visit: many restaurants never mark arrivals.';

create function private.check_timezone() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if not exists (select 1 from pg_catalog.pg_timezone_names z where z.name = new.timezone) then
    raise exception 'unknown time zone "%"', new.timezone using errcode = '22023';
  end if;
  return new;
end
$$;
create trigger locations_check_timezone before insert or update of timezone on public.locations
  for each row execute function private.check_timezone();

-- The role matrix. lib/auth/permissions.ts holds the same one; tests/sql/permissions.test.ts compares them.
create table private.role_permissions (
  role text not null,
  permission text not null,
  primary key (role, permission)
);
comment on table private.role_permissions is 'Which role holds which permission.';
insert into private.role_permissions (role, permission)
select role, permission from (values
  ('canViewSettings', array['super_admin', 'admin']),
  ('canManageTeam', array['super_admin', 'admin']),
  ('canAccessOperaciones', array['super_admin', 'admin', 'ceo', 'marketing', 'operaciones']),
  ('canAccessClientes', array['super_admin', 'admin', 'ceo', 'marketing', 'operaciones']),
  ('canAccessMarketing', array['super_admin', 'admin', 'ceo', 'marketing'])
) as matrix (permission, roles), unnest(matrix.roles) as role;

create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  organization_id uuid not null references public.organizations on delete cascade,
  email text not null,
  full_name text,
  role text not null check (role in
    ('super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'rrhh', 'pr_comunicacion', 'machine')),
  created_at timestamptz not null default now()
);
create index profiles_organization_id_idx on public.profiles (organization_id);
comment on table public.profiles is 'A member of staff, made for who redeemed an invitation, once the address is confirmed; or the machine of an API token.';

create table public.profile_locations (
  profile_id uuid not null references public.profiles on delete cascade,
  -- Not cascading: losing the last assignment would open every location to that person.
  location_id uuid not null references public.locations deferrable initially deferred,
  primary key (profile_id, location_id)
);
create index profile_locations_location_id_idx on public.profile_locations (location_id);
comment on table public.profile_locations is 'User-to-location assignments; someone without any works in every location.';

create table public.invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  email text not null check (email = lower(btrim(email)) and email like '%_@_%'),
  full_name text,
  role text not null check (role in
    ('super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'rrhh', 'pr_comunicacion')),
  location_ids uuid[] not null default '{}',
  token_hash text unique check (token_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null default now() + interval '7 days',
  claimed_by uuid,
  accepted_at timestamptz,
  created_at timestamptz not null default now(),
  constraint invitations_redeemed_once check (accepted_at is null or token_hash is null)
);
create unique index invitations_open_email_key on public.invitations (email) where accepted_at is null;
create index invitations_organization_id_idx on public.invitations (organization_id);
create index invitations_claimed_by_idx on public.invitations (claimed_by) where claimed_by is not null;
comment on table public.invitations is 'Who may sign up, with which role and locations. One open invitation an e-mail.';
comment on column public.invitations.token_hash is
  'SHA-256, in hexadecimal, of the one-time token that redeems it until expires_at; null once redeemed.';
comment on column public.invitations.claimed_by is
  'The account that redeemed the token while its address is not confirmed: the profile waits for that.';

create function private.has_second_factor(p_user uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from auth.mfa_factors f where f.user_id = p_user and f.status = 'verified') $$;
comment on function private.has_second_factor(uuid) is 'Whether the person has set up a second factor.';

create function private.must_have_second_factor(p_user uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.profiles p join public.organizations o on o.id = p.organization_id
    where p.id = p_user and p.role in ('super_admin', 'admin') and o.require_second_factor)
$$;
comment on function private.must_have_second_factor(uuid) is 'Whether the organization requires one of the person''s role.';

create function private.missing_step() returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when private.has_second_factor(live.id)
      then case when auth.jwt() ->> 'aal' = 'aal2' then null else 'code' end
    when private.must_have_second_factor(live.id) then 'enrol'
  end
  from (select private.live_user() as id) as live
$$;
comment on function private.missing_step() is
  'What a live session lacks: code (of the second factor), enrol (in one, which the role needs), or null.';

create function private.caller() returns uuid
language sql stable security definer set search_path = ''
as $$ select live.id from (select private.live_user() as id) as live where private.missing_step() is null $$;
comment on function private.caller() is
  'Who asks: the token''s user while the session is alive and nothing of the second factor is missing. Null for anyone else.';

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
  'Refuses, with SF001, what a person with a second factor must confirm with a code first.';
revoke execute on function private.has_second_factor(uuid), private.must_have_second_factor(uuid), private.missing_step(),
  private.caller(), private.has_confirmed(), private.refuse_unconfirmed() from public;
grant execute on function private.caller() to authenticated;

-- Set-returning helpers: policies call them once a statement, as `= any(array(select …))`.
create function private.my_organizations() returns setof uuid
language sql stable security definer set search_path = ''
as $$ select organization_id from public.profiles where id = (select private.caller()) $$;
comment on function private.my_organizations() is 'The organization of the signed-in person.';

create function private.my_organizations(permission text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select p.organization_id
  from public.profiles p
  where p.id = (select private.caller())
    and (exists (select from private.role_permissions rp where rp.role = p.role and rp.permission = $1)
      or exists (select from private.api_tokens t where t.user_id = p.id and $1 = any(t.permissions)))
$$;
comment on function private.my_organizations(text) is 'The same, when the person''s role, or the API token, holds the permission.';

create function private.person_organizations() returns setof uuid
language sql stable security definer set search_path = ''
as $$ select organization_id from public.profiles where id = (select private.caller()) and role <> 'machine' $$;
comment on function private.person_organizations() is
  'The organization of the signed-in person; none for the machine of an API token. For changes that need no permission.';

create function private.my_locations() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select l.id
  from public.profiles p
  join public.locations l on l.organization_id = p.organization_id
  where p.id = (select private.caller())
    and (
      not exists (select 1 from public.profile_locations pl where pl.profile_id = p.id)
      or exists (select 1 from public.profile_locations pl where pl.profile_id = p.id and pl.location_id = l.id)
    )
$$;
comment on function private.my_locations() is 'The locations the signed-in person works in.';

create function private.my_locations(permission text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select id from private.my_locations() as id
  where exists (select 1 from private.my_organizations($1))
$$;
comment on function private.my_locations(text) is 'The same, when the person''s role holds the permission.';

create function private.works_everywhere() returns boolean
language sql stable security definer set search_path = ''
as $$
  select (select private.caller()) is not null
    and not exists (select 1 from public.profile_locations pl where pl.profile_id = (select private.caller()))
$$;
comment on function private.works_everywhere() is
  'Whether the signed-in person is bound to no location: what belongs to none, or to several, is theirs too.';

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
  select (not o.limit_marketing_to_roles and o.id = any(array(select private.person_organizations())))
    or o.id = any(array(select private.my_organizations('canAccessMarketing')))
  from public.organizations o where o.id = p_organization
$$;
comment on function private.may_market(uuid) is
  'Whether the organization lets the signed-in person run automations and save loyalty rules (limit_marketing_to_roles); API tokens need canAccessMarketing.';
revoke execute on function private.may_market(uuid), private.person_organizations() from public;

grant execute on function private.my_organizations(), private.my_organizations(text),
  private.my_locations(), private.my_locations(text), private.works_everywhere(), private.covers(uuid[]) to authenticated;

-- An account exists by invitation, or for an API token, only, whichever way Auth is asked for one.
create function private.admit_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.raw_user_meta_data ? 'machine_token' then
    perform private.claim_machine(new.id, new.email, new.raw_user_meta_data ->> 'machine_token');
  else
    perform private.claim_invitation(new.id, new.email, new.raw_user_meta_data ->> 'invitation_token');
  end if;
  new.raw_user_meta_data := new.raw_user_meta_data - array['invitation_token', 'machine_token'];
  return new;
end
$$;
comment on function private.admit_user() is 'Refuses, with 42501, an account whose metadata hold no token of an invitation of its e-mail, nor what admits an API token''s machine.';
create trigger admit_user before insert on auth.users
  for each row execute function private.admit_user();

create function private.join_user() returns trigger
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
create trigger join_new_user after insert on auth.users
  for each row when (new.email_confirmed_at is not null) execute function private.join_user();
create trigger join_confirmed_user after update of email_confirmed_at on auth.users
  for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
  execute function private.join_user();

-- Auth writes the metadata of its request once more when it confirms the address.
create function private.drop_invitation_token() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.raw_user_meta_data := new.raw_user_meta_data - array['invitation_token', 'machine_token'];
  return new;
end
$$;
comment on function private.drop_invitation_token() is 'Keeps a redeemed token out of the account, and so out of its sessions.';
create trigger drop_invitation_token before update of raw_user_meta_data on auth.users
  for each row when (new.raw_user_meta_data ?| array['invitation_token', 'machine_token']) execute function private.drop_invitation_token();

alter table public.organizations enable row level security;
alter table public.brands enable row level security;
alter table public.locations enable row level security;
alter table public.profiles enable row level security;
alter table public.profile_locations enable row level security;
alter table public.invitations enable row level security;
alter table private.role_permissions enable row level security;

revoke all on public.organizations, public.brands, public.locations, public.profiles,
  public.profile_locations, public.invitations from anon, authenticated;
grant select on public.organizations, public.brands, public.locations, public.profiles,
  public.profile_locations to authenticated;
-- Not token_hash and claimed_by.
grant select (id, organization_id, email, full_name, role, location_ids, expires_at, accepted_at, created_at)
  on public.invitations to authenticated;
grant select, insert, update, delete on public.organizations, public.brands, public.locations,
  public.profiles, public.profile_locations, public.invitations to service_role;
grant select on private.role_permissions to service_role;

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
        'permissions', (select t.permissions from private.api_tokens t where t.user_id = p.id),
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug),
        'second_factor', jsonb_build_object('enrolled', private.has_second_factor(p.id),
          'required', private.must_have_second_factor(p.id), 'confirmed', private.has_confirmed()))
      end
    from public.profiles p
    join public.organizations o on o.id = p.organization_id
    cross join (select private.missing_step() as step) as missing
    where p.id = v_user);
end
$$;
comment on function public.my_session() is
  'The caller''s profile, session and organization, and of an API token its permissions; null when the user has no profile. Before the code of a second factor, no more than what leads to it. It marks the session as used.';
revoke execute on function public.my_session() from public, anon;
grant execute on function public.my_session() to authenticated;
