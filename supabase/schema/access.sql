-- Tokens of programs that use the API. Each owns an account in Auth, and through it a profile with the role
-- `machine`, so that RLS applies to it as to people.

create table private.api_tokens (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  user_id uuid unique references auth.users on delete cascade deferrable initially deferred,
  name text not null check (length(name) <= 80 and name !~ '[[:cntrl:]]' and btrim(name) <> ''),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  account_hash text check (account_hash ~ '^[0-9a-f]{64}$'),
  permissions text[] not null check (cardinality(permissions) > 0
    and permissions <@ array['canAccessOperaciones', 'canAccessClientes', 'canAccessMarketing']),
  location_ids uuid[] not null default '{}' check (cardinality(location_ids) <= 500
    and array_position(location_ids, null) is null and coalesce(array_ndims(location_ids), 1) = 1),
  created_by text not null check (length(created_by) <= 254),
  created_by_id uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  check (expires_at <= created_at + interval '1 year 1 day'),
  constraint api_tokens_instants_check check (
    least(created_at, expires_at, last_used_at, revoked_at) >= '1900-01-01Z'
    and greatest(created_at, expires_at, last_used_at, revoked_at) < '2200-01-01Z')
);

create index api_tokens_organization_idx on private.api_tokens (organization_id, created_at, id);
comment on table private.api_tokens is
  'API tokens of programs with permissions, locations and expiry. In `private`: the database API cannot reach even the hash.';
comment on column private.api_tokens.token_hash is 'SHA-256, in hexadecimal, of the secret half of the token.';
comment on column private.api_tokens.account_hash is
  'SHA-256 of the secret that admits the token''s account to Auth; null once the account exists.';
comment on column private.api_tokens.permissions is
  'The permissions of the role matrix that a program can have; settings and the team are for people.';
comment on column private.api_tokens.location_ids is 'Where it works, as it was created; none: everywhere.';
comment on column private.api_tokens.created_by_id is 'The person who made it, who cannot approve what it starts.';
alter table private.api_tokens enable row level security;
grant delete, select on private.api_tokens to service_role;

-- When a session ends: one by one, or all that began before a moment.

create table private.ended_sessions (
  session_id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  ended_at timestamptz not null default now() check (ended_at between '1900-01-01Z' and '2200-01-01Z')
);

create index ended_sessions_user_id_idx on private.ended_sessions (user_id);
comment on table private.ended_sessions is 'Sessions that were ended one by one, even if Auth still has them.';

create table private.session_floors (
  user_id uuid primary key references auth.users on delete cascade,
  starts_at timestamptz not null check (starts_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table private.session_floors is
  'Sessions of the person that began before starts_at are over: after removal, another role, a new password, or signing out everywhere.';

create table private.session_details (
  session_id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  browser text check (length(browser) <= 60),
  system text check (length(system) <= 60),
  network text check (length(network) <= 60),
  place text check (length(place) <= 120),
  signed_in_at timestamptz,
  told_at timestamptz,
  last_seen_at timestamptz not null default now(),
  locations_changed_at timestamptz,
  check (least(signed_in_at, told_at, last_seen_at, locations_changed_at) >= '1900-01-01Z'
    and greatest(signed_in_at, told_at, last_seen_at, locations_changed_at) < '2200-01-01Z')
);

create index session_details_user_id_idx on private.session_details (user_id, last_seen_at desc);
comment on table private.session_details is
  'Sessions with their device, start and last use. Kept for 90 days after they end, to recognise a device.';
comment on column private.session_details.network is 'Coarse: the /24 of an IPv4 address, the /48 of an IPv6 one.';
comment on column private.session_details.signed_in_at is 'When the app signed the person in; null for a session begun at Auth itself.';
comment on column private.session_details.told_at is 'When the owner was mailed about this sign-in.';
comment on column private.session_details.locations_changed_at is
  'When a colleague last changed the locations of the person, during this session.';
alter table private.ended_sessions enable row level security;
alter table private.session_floors enable row level security;
alter table private.session_details enable row level security;

-- The caller, the role matrix and the caller's rights, as policies ask for them; then the policies of the
-- organization's tables. What else asks for rights is in logic/access/permissions.sql.

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
  ('canWorkInOffice',
    array['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'rrhh', 'pr_comunicacion'])
) as matrix (permission, roles), unnest(matrix.roles) as role;
alter table private.role_permissions enable row level security;
grant select on private.role_permissions to service_role;

create or replace function private.caller() returns uuid
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

-- Set-returning helpers: policies call them once a statement, as `= any(array(select …))`.
create or replace function private.my_organizations() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select organization_id from public.profiles where id = (select private.caller());
end
$$;
comment on function private.my_organizations() is 'The organization of the signed-in person.';

create or replace function private.my_organizations(permission text) returns setof uuid
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
          or case $1 when 'canUseGuestCards' then 'canAccessClientes'
            when 'canReadReports' then 'canAccessOperaciones' else $1 end = any(t.permissions))));
end
$$;
comment on function private.my_organizations(text) is
  'my_organizations when the role, or the API token, has the permission. All tokens have the office permission; tokens for customers also use cards, tokens for operations also read reports.';

create or replace function private.my_locations() returns setof uuid
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
      or exists (select 1 from public.profile_locations pl where pl.profile_id = p.id
        and pl.location_id = l.id)
    );
end
$$;
comment on function private.my_locations() is 'The locations the signed-in person works in.';

create or replace function private.my_locations(permission text) returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
  select id from private.my_locations() as id
  where exists (select 1 from private.my_organizations($1));
end
$$;
comment on function private.my_locations(text) is 'my_locations when the person''s role has the permission.';

create or replace function private.works_everywhere() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select exists (select 1 from public.profiles p where p.id = (select private.caller())
      and p.role <> 'sala')
      and not exists (select 1 from public.profile_locations pl
        where pl.profile_id = (select private.caller()))
  );
end
$$;
comment on function private.works_everywhere() is
  'Whether the signed-in person is bound to no location, and so may see rows of no location or of several.';
grant execute on function private.caller(), private.my_organizations(), private.my_organizations(text),
  private.my_locations(), private.my_locations(text), private.works_everywhere()
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

-- Everything about the team happens one after another, so that no one acts with a role just taken away.
create type private.team_manager as (id uuid, organization_id uuid, role text, location_ids uuid[]);

-- The first group of a database is made by the page /setup. Its row waits here until Auth makes the account,
-- so that group and person are created in one transaction or not at all.
create table private.setup_requests (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  email text not null check (email = lower(btrim(email)) and length(email) <= 254),
  full_name text check (length(full_name) <= 120),
  name text not null check (btrim(name) <> '') check (length(name) <= 120),
  slug text not null check (length(slug) <= 80),
  timezone text not null check (length(timezone) <= 64),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table private.setup_requests is
  'Groups asked for by /setup whose account Auth is about to make; empty once there is a group.';
comment on column private.setup_requests.token_hash is 'SHA-256, in hexadecimal, of the secret that admits the account to Auth.';
alter table private.setup_requests enable row level security;

-- The parts of a second factor that Auth does not keep: used codes and recovery codes. Only the app reads
-- them, with the secret key.

create table private.used_codes (
  user_id uuid not null references auth.users on delete cascade,
  code_hash text not null check (code_hash ~ '^[0-9a-f]{64}$'),
  used_at timestamptz not null,
  primary key (user_id, code_hash)
);
comment on table private.used_codes is 'Codes used in the last minutes, to refuse them a second time: Auth accepts a code again as long as it is valid.';

create table private.recovery_codes (
  user_id uuid not null references auth.users on delete cascade,
  code_hash text not null check (code_hash ~ '^[0-9a-f]{64}$'),
  claimed_at timestamptz,
  primary key (user_id, code_hash)
);
comment on table private.recovery_codes is 'SHA-256 of the codes that remove a lost second factor; deleted with the factor.';
alter table private.used_codes enable row level security;
alter table private.recovery_codes enable row level security;

-- Limits on requests without a session, and the locks of the sign-in.

create table public.attempt_limits (
  key text primary key check (length(key) <= 500),
  account text check (length(account) <= 100),
  window_start timestamptz not null,
  hits integer not null default 0 check (hits between 0 and 1000000000),
  failures integer not null default 0 check (failures between 0 and 1000000000),
  failed_at timestamptz,
  locked_until timestamptz,
  succeeded_at timestamptz,
  told_at timestamptz,
  expires_at timestamptz not null,
  constraint attempt_limits_instants_check check (
    least(window_start, failed_at, locked_until, succeeded_at, told_at, expires_at) >= '1900-01-01Z'
    and greatest(window_start, failed_at, locked_until, succeeded_at, told_at, expires_at) < '2200-01-01Z')
);

create index attempt_limits_expires_idx on public.attempt_limits (expires_at);
create index attempt_limits_account_idx on public.attempt_limits (account) where account is not null;
comment on table public.attempt_limits is
  'Attempts of a key in its current window; for sign-in also its failures and lock. Kept until expires_at.';
comment on column public.attempt_limits.account is 'The hash of the e-mail, for keys of sign-in.';
comment on column public.attempt_limits.failures is 'Failures so far; forgotten after a day without one.';
comment on column public.attempt_limits.succeeded_at is 'When the account last signed in from this network.';
comment on column public.attempt_limits.told_at is 'When the owner of the account was last mailed about failures.';
alter table public.attempt_limits enable row level security;
grant select, insert, update, delete on public.attempt_limits to service_role;
