-- Sessions of people and programs: when and why one ends. Auth's tokens stay valid for up to an hour after a
-- sign-out; a session that is ended here is refused at once.

-- 30 days in all: someone who works every day signs in once a month. 7 days unused: longer than a
-- restaurant's usual closing days. Auth's refreshed_at is no sign of use, since refreshing an idle session
-- sets it too. For a session that the app has not seen yet, the 7 days start when it began.
create or replace function private.session_end(p_session uuid) returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select least(s.not_after, s.created_at + interval '30 days',
      coalesce(d.last_seen_at, s.created_at) + interval '7 days')
    from auth.sessions s
    left join private.session_details d on d.session_id = s.id
    where s.id = p_session
      and not exists (select from private.ended_sessions e where e.session_id = s.id)
      and not exists (select from private.session_floors f where f.user_id = s.user_id
        and f.starts_at >= s.created_at)
  );
end
$$;
comment on function private.session_end(uuid) is
  'When the session ends if it is not used again, even if that is past; null when it was ended or does not exist.';

create or replace function private.live_user() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select s.user_id from auth.sessions s
    where s.id = nullif(auth.jwt() ->> 'session_id', '')::uuid
      and s.user_id = auth.uid()
      and private.session_end(s.id) > now()
      and not exists (
        select from private.api_tokens t
        where t.user_id = s.user_id and (t.revoked_at is not null or t.expires_at <= now()))
  );
end
$$;
comment on function private.live_user() is
  'The user of the token while its session is alive and, for a machine, its API token; also before the second factor was given. Only for the steps that lead to it.';

create or replace function private.end_sessions(p_user uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.session_floors (user_id, starts_at) values (p_user, now())
  on conflict (user_id) do update set starts_at = excluded.starts_at;
  perform private.drop_sessions(array(select id from auth.sessions where user_id = p_user));
end
$$;
comment on function private.end_sessions(uuid) is 'Ends every session of a person, for the app, for the database API and at Auth.';

create or replace function private.end_these_sessions(p_sessions uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.ended_sessions (session_id, user_id)
  select s.id, s.user_id from auth.sessions s where s.id = any(p_sessions)
  on conflict do nothing;
  perform private.drop_sessions(p_sessions);
end
$$;
comment on function private.end_these_sessions(uuid[]) is 'Ends these sessions, for the app, for the database API and at Auth.';

-- Auth does not know these tables: with a session that is ended only here it would still set a new password.
create or replace function private.drop_sessions(p_sessions uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from auth.sessions where id = any(p_sessions);
exception when insufficient_privilege then
  raise warning 'Auth keeps its sessions: their marks end them for the app and the database API only';
end
$$;
comment on function private.drop_sessions(uuid[]) is 'Removes sessions from Auth, and with them their refresh tokens.';

create or replace function private.touch_session(p_user uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_session uuid := auth.jwt() ->> 'session_id';
  v_now timestamptz := now();
begin
  if exists (
    select from private.session_details where session_id = v_session
      and last_seen_at > v_now - interval '5 minutes'
  ) then
    return;
  end if;
  insert into private.session_details (session_id, user_id, last_seen_at) values (v_session, p_user, v_now)
  on conflict (session_id) do update set last_seen_at = excluded.last_seen_at
  where session_details.last_seen_at < excluded.last_seen_at - interval '5 minutes';
end
$$;
comment on function private.touch_session(uuid) is
  'Records the use of the caller''s session, once in five minutes; p_user is private.live_user(), which has checked it.';

-- A read replica is at most 8 s old (lib/db/replica-watch.ts).
create or replace function private.is_settled() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select greatest(s.created_at, d.locations_changed_at) < now() - interval '10 seconds'
    from auth.sessions s left join private.session_details d on d.session_id = s.id
    where s.id = nullif(auth.jwt() ->> 'session_id', '')::uuid
  );
end
$$;
comment on function private.is_settled() is
  'Whether the caller''s session and locations are older than ten seconds, so that a read replica knows them.';
grant execute on function private.live_user() to authenticated;
grant execute on function private.end_sessions(uuid) to service_role;
