-- One's own sessions: seeing them, ending them, and the mail about a sign-in from a new device.

create or replace function public.my_sessions()
returns table (id uuid, current boolean, browser text, system text, network text, place text,
  created_at timestamptz, last_seen_at timestamptz, ends_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.id = nullif(auth.jwt() ->> 'session_id', '')::uuid as current, d.browser, d.system,
    d.network, d.place, s.created_at, coalesce(d.last_seen_at, s.created_at) as last_seen_at, e.at
  from auth.sessions s
  left join private.session_details d on d.session_id = s.id
  cross join lateral (select private.session_end(s.id) as at) as e
  where s.user_id = (select private.caller()) and e.at > now()
  order by 2 desc, 8 desc, 1
  limit 100
$$;
comment on function public.my_sessions() is 'The caller''s live sessions: this one, then the last used; at most 100.';

create or replace function public.end_my_session(p_session uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user uuid := private.caller();
begin
  if not exists (
    select from auth.sessions s where s.id = p_session and s.user_id = v_user
      and private.session_end(s.id) > now()
  ) then
    return false;
  end if;
  perform private.end_these_sessions(array[p_session]);
  return true;
end
$$;
comment on function public.end_my_session(uuid) is 'Ends one session of the caller; false when there is none of that id.';

create or replace function public.end_my_sessions(p_which text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user uuid := private.caller();
begin
  if v_user is null then
    return false;
  elsif p_which = 'others' then
    perform private.end_these_sessions(array(
      select s.id from auth.sessions s
      where s.user_id = v_user and s.id <> nullif(auth.jwt() ->> 'session_id', '')::uuid));
    return true;
  elsif p_which = 'this' then
    perform private.end_these_sessions(array[nullif(auth.jwt() ->> 'session_id', '')::uuid]);
    return true;
  elsif p_which = 'everywhere' then
    perform private.end_sessions(v_user);
    return true;
  end if;
  return false;
end
$$;
comment on function public.end_my_sessions(text) is
  'Ends sessions of the caller: this one, the others, or everywhere; false for any other word, and without a live session.';

create or replace function public.end_sessions_of(p_user uuid) returns void
language sql volatile set search_path = ''
as $$ select private.end_sessions(p_user) $$;
comment on function public.end_sessions_of(uuid) is 'Ends every session of an account: after a new password by a mailed link.';

create or replace function public.note_sign_in(p_session uuid, p_browser text, p_system text, p_network text,
  p_place text, p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user uuid;
  v_tell boolean;
begin
  select s.user_id into v_user from auth.sessions s where s.id = p_session;
  if v_user is null then
    return false;
  end if;
  -- Two sign-ins at once send one mail.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('sign-in:' || v_user::text, 0));
  select count(*) > 0
    and not coalesce(bool_or(d.last_seen_at > p_now - interval '90 days' and d.browser is not distinct
      from p_browser
      and d.system is not distinct from p_system and d.network is not distinct from p_network), false)
    and not coalesce(bool_or(d.told_at > p_now - interval '1 hour'), false)
  into v_tell
  from private.session_details d
  where d.user_id = v_user and d.session_id <> p_session and d.signed_in_at is not null;

  -- Old ended sessions are deleted; Auth deletes its own sessions separately.
  delete from private.session_details d
  where d.user_id = v_user and d.last_seen_at < p_now - interval '90 days';
  delete from private.ended_sessions e where e.user_id = v_user and e.ended_at < p_now - interval '90 days'
    and not exists (select from auth.sessions s where s.id = e.session_id);
  insert into private.session_details as d
    (session_id, user_id, browser, system, network, place, signed_in_at, told_at, last_seen_at)
  values (p_session, v_user, p_browser, p_system, p_network, p_place, p_now, case when v_tell then p_now end,
    p_now)
  on conflict (session_id) do update set browser = excluded.browser, system = excluded.system,
    network = excluded.network, place = excluded.place, signed_in_at = excluded.signed_in_at,
    told_at = excluded.told_at, last_seen_at = excluded.last_seen_at;
  if v_tell then
    perform private.tell_of_sign_in(p_session, p_now);
  end if;
  return v_tell;
end
$$;
comment on function public.note_sign_in(uuid, text, text, text, text, timestamptz) is
  'Stores the origin of a session. Returns whether its owner gets a mail: for a device and network not used for 90 days, not the account''s first sign-in, no such mail within the hour.';

create or replace function private.tell_of_sign_in(p_session uuid, p_now timestamptz) returns void
language sql volatile set search_path = ''
as $$
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient,
    content, dedupe_key)
  select p.organization_id, 'notification', 'new_sign_in', 'profile', p.id, 'email', p.email,
    jsonb_build_object(
      'template', 'new_sign_in', 'organization', o.name, 'name', p.full_name, 'at', p_now,
      'browser', d.browser, 'system', d.system, 'place', d.place,
      'timezone', o.timezone),
    'new-sign-in:' || d.session_id
  from private.session_details d
  join public.profiles p on p.id = d.user_id
  join public.organizations o on o.id = p.organization_id
  where d.session_id = p_session
  on conflict (organization_id, dedupe_key) do nothing
$$;
comment on function private.tell_of_sign_in(uuid, timestamptz) is 'Queues an e-mail to the owner about a sign-in.';
grant execute on function public.my_sessions(), public.end_my_session(uuid), public.end_my_sessions(text)
  to authenticated;
grant execute on function public.end_sessions_of(uuid),
  public.note_sign_in(uuid, text, text, text, text, timestamptz) to service_role;
