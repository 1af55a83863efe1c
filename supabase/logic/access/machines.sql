-- The accounts of API tokens, which have the role `machine`: no person becomes one, and no machine a person.

create or replace function private.is_machine(p_account uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select exists (select from private.api_tokens t where t.user_id = p_account));
end
$$;
comment on function private.is_machine(uuid) is 'Whether the account is that of an API token.';

-- A machine is in no list of the team and can be neither changed nor removed there: a person must not become
-- one.
create or replace function private.check_machine_role() returns trigger
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

create or replace trigger profiles_check_machine before insert or update of id, role on public.profiles
  for each row execute function private.check_machine_role();
