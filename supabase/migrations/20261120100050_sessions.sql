-- Which session asks, and whether it is still alive. Auth's tokens outlive a sign-out by up to an hour; what is here does not.

create table private.ended_sessions (
  session_id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  ended_at timestamptz not null default now()
);
create index ended_sessions_user_id_idx on private.ended_sessions (user_id);
comment on table private.ended_sessions is 'Sessions ended one by one; Auth itself ends only the caller''s or all.';

create table private.session_floors (
  user_id uuid primary key references auth.users on delete cascade,
  starts_at timestamptz not null
);
comment on table private.session_floors is
  'Sessions that began before starts_at are over: the person was removed, or got another role.';
alter table private.ended_sessions enable row level security;
alter table private.session_floors enable row level security;

create function private.live_user() returns uuid
language sql stable security definer set search_path = ''
as $$
  select s.user_id from auth.sessions s
  where s.id = nullif(auth.jwt() ->> 'session_id', '')::uuid
    and s.user_id = auth.uid()
    and (s.not_after is null or s.not_after > now())
    and not exists (select from private.ended_sessions e where e.session_id = s.id)
    and not exists (select from private.session_floors f where f.user_id = s.user_id and f.starts_at >= s.created_at)
    and not exists (
      select from private.api_tokens t
      where t.user_id = s.user_id and (t.revoked_at is not null or t.expires_at <= now()))
$$;
comment on function private.live_user() is
  'The user of the token while its session is alive and, for a machine, its API token; also before the second factor. For what leads to it only.';

create function private.end_sessions(p_user uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.session_floors (user_id, starts_at) values (p_user, now())
  on conflict (user_id) do update set starts_at = excluded.starts_at
$$;
comment on function private.end_sessions(uuid) is 'Ends every session of a person, for the app and for the database API.';

revoke execute on function private.live_user(), private.end_sessions(uuid) from public;
grant execute on function private.live_user() to authenticated;
