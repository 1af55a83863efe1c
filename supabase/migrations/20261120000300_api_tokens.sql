-- Tokens of programs that use the API. Each owns an account in Auth, and through it a profile with the role `machine`,
-- so that RLS applies to it as to people. The functions that make and use tokens stand in api_token_functions.sql.

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

create function private.is_machine(p_account uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select exists (select from private.api_tokens t where t.user_id = p_account));
end
$$;
comment on function private.is_machine(uuid) is 'Whether the account is that of an API token.';
revoke execute on function private.is_machine(uuid) from public;

-- A machine is in no list of the team and can be neither changed nor removed there: a person must not become one.
create function private.check_machine_role() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.role = old.role and new.id = old.id then
    return new;
  end if;
  if (new.role = 'machine') <> private.is_machine(new.id) then
    raise exception 'The role machine is for the account of an API token, and for no other'
      using errcode = '23514', constraint = 'profiles_machine_check';
  end if;
  return new;
end
$$;
comment on function private.check_machine_role() is
  'Trigger: a profile has the role machine exactly when its account belongs to an API token.';
revoke execute on function private.check_machine_role() from public;
create trigger profiles_check_machine before insert or update of id, role on public.profiles
  for each row execute function private.check_machine_role();

alter table private.api_tokens enable row level security;
grant delete, select on private.api_tokens to service_role;
