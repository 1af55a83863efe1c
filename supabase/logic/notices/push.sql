-- Push notices (Web Push). A notice is written in the transaction of its event, once for each device;
-- lib/push sends it.

create or replace function private.gets_push(p_profile uuid, p_locations uuid[]) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.profiles p
    join private.role_permissions rp on rp.role = p.role and rp.permission = 'canAccessOperaciones'
    where p.id = p_profile and p.role <> 'machine' and (
      p_locations = '{}'
      or p.role <> 'sala' and not exists (select from public.profile_locations pl where pl.profile_id = p.id)
      or exists (
        select from public.profile_locations pl where pl.profile_id = p.id
          and pl.location_id = any(p_locations))))
$$;
comment on function private.gets_push(uuid, uuid[]) is
  'Whether the person may get notices about these locations: they must work in one of them; an empty list means all.';

create or replace function private.is_live_session(p_session uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select coalesce(private.session_end(p_session) > now(), false) $$;
comment on function private.is_live_session(uuid) is 'Whether the session exists, was not ended and has not run out.';

create or replace function private.note_reservation_news() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Not to the person who did it.
  v_session uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
begin
  if not exists (select from public.push_subscriptions) then
    return null;
  end if;
  insert into private.push_notices (organization_id, subscription_id, reservation_id, kind, content,
    location_ids, dedupe_key, expires_at)
  select e.organization_id, s.id, e.id, e.kind, e.content, array[e.location_id], e.kind || ':' || e.id,
    now() + e.fresh
  from (
    select n.id, n.organization_id, n.location_id, news.kind, news.fresh,
      jsonb_strip_nulls(jsonb_build_object(
      -- A lock screen is read by others: the first name and an initial.
      'name', left(split_part(who.first, ' ', 1), 40) || coalesce(' ' || left(who.last, 1) || '.', ''),
      'party_size', n.party_size, 'date', n.reservation_date, 'time', to_char(n.reservation_time, 'HH24:MI'),
      'table', n.table_name, 'location', l.name)) as content
    from new_rows n
    join old_rows o on o.id = n.id
    join public.locations l on l.id = n.location_id
    left join public.customers c on c.id = n.customer_id
    cross join lateral (
      select coalesce(nullif(btrim(c.first_name), ''), nullif(btrim(n.customer_name), '')) as first,
        coalesce(case when btrim(c.first_name) <> '' then nullif(btrim(c.last_name), '') end,
          -- The PMS has a name in one piece.
          nullif(split_part(btrim(coalesce(nullif(btrim(c.first_name), ''), n.customer_name)), ' ', 2), ''))
            as last
    ) as who
    cross join lateral (
      select 'vip_arrived' as kind, interval '1 hour' as fresh
      from public.loyalty_tiers t
      where t.id = c.loyalty_tier_id
        and (o.arrived_at is null and n.arrived_at is not null
          -- The PMS reports seated parties, but not arrivals.
          or n.status = 'seated' and o.status not in ('seated', 'completed')
            and coalesce(o.arrived_at, n.arrived_at) is null)
        and n.service_date = private.current_service(l.timezone, now())
        and t.rank >= private.vip_rank(n.organization_id)
      union all
      select 'large_cancellation', interval '12 hours'
      where n.status = 'cancelled' and o.status in ('pending', 'confirmed') and o.party_size >= 8
        and n.service_date >= private.current_service(l.timezone, now())
    ) as news
    -- Few rows of a sync are news. Without these conditions a kept plan may join all of them in a nested
    -- loop.
    where n.source <> 'import' and (n.status in ('seated', 'cancelled') or n.arrived_at is not null)
      and n.service_date >= now()::date - 2
  ) as e
  join public.push_subscriptions s on s.organization_id = e.organization_id and e.kind = any(s.kinds)
  where s.session_id is distinct from v_session and private.gets_push(s.profile_id, array[e.location_id])
    and private.is_live_session(s.session_id)
  on conflict (subscription_id, dedupe_key) do nothing;
  return null;
end
$$;
comment on function private.note_reservation_news() is
  'Trigger: writes the notices about arrived VIPs, and about cancelled parties of eight or more.';

create or replace trigger reservations_note_news after update on public.reservations
  referencing old table as old_rows new table as new_rows for each statement
  execute function private.note_reservation_news();

create or replace function private.failed_locations(p_result jsonb) returns uuid[]
language sql immutable set search_path = ''
as $$
  select array(
    select (l.value ->> 'id')::uuid
    from jsonb_array_elements(case jsonb_typeof(p_result -> 'locations')
      when 'array' then p_result -> 'locations' else '[]' end) as l
    where l.value -> 'failed' = 'true')
$$;
comment on function private.failed_locations(jsonb) is 'The locations that failed in the result of a sync.';

create or replace function private.note_failed_sync() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_before public.job_runs;
  v_failed uuid[] := private.failed_locations(new.result);
  v_whole boolean := new.status = 'failed' and v_failed = '{}';
begin
  select * into v_before from public.job_runs r
  where r.organization_id = new.organization_id and r.job = 'sync' and r.status <> 'running'
    and r.id <> new.id
  order by r.started_at desc limit 1;
  -- A lasting failure of the PMS is reported once, not every fifteen minutes.
  if v_whole then
    if v_before.status = 'failed' then
      return null;
    end if;
  else
    v_failed := array(
      select unnest(v_failed) except
        select unnest(coalesce(private.failed_locations(v_before.result), '{}')));
    if v_failed = '{}' then
      return null;
    end if;
  end if;
  insert into private.push_notices (organization_id, subscription_id, kind, location_ids, dedupe_key,
    expires_at)
  select new.organization_id, s.id, 'failed_sync', v_failed, 'failed_sync:' || new.id,
    now() + interval '12 hours'
  from public.push_subscriptions s
  where s.organization_id = new.organization_id and 'failed_sync' = any(s.kinds)
    and private.gets_push(s.profile_id, v_failed) and private.is_live_session(s.session_id)
  on conflict (subscription_id, dedupe_key) do nothing;
  return null;
end
$$;
comment on function private.note_failed_sync() is
  'Trigger: writes the notices about a sync that failed, or a location of it, unless the one before had failed too.';

create or replace trigger job_runs_note_failed_sync after update of status on public.job_runs
  for each row when (new.job = 'sync' and old.status = 'running' and new.status in ('failed', 'partial'))
  execute function private.note_failed_sync();

create or replace function private.end_push() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.push_subscriptions s
  where s.profile_id = new.user_id and not private.is_live_session(s.session_id);
  return null;
end
$$;
comment on function private.end_push() is 'Trigger: the end of a session deletes its device.';

create or replace trigger ended_sessions_end_push after insert on private.ended_sessions
  for each row execute function private.end_push();
create or replace trigger session_floors_end_push after insert or update on private.session_floors
  for each row execute function private.end_push();

create or replace function public.my_push_devices() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id,
      'current', s.session_id = nullif(auth.jwt() ->> 'session_id', '')::uuid, 'kinds', s.kinds, 'language',
      s.language,
      'browser', s.browser, 'system', s.system, 'created_at', s.created_at, 'last_success_at',
      s.last_success_at)
    order by s.session_id = nullif(auth.jwt() ->> 'session_id', '')::uuid desc, s.created_at desc, s.id),
      '[]')
  from public.push_subscriptions s
  where s.profile_id = (select private.caller()) and private.is_live_session(s.session_id)
$$;
comment on function public.my_push_devices() is
  'The caller''s devices that get push notices, the one of this session first.';

create or replace function public.save_push_device(p_endpoint text, p_p256dh text, p_auth text,
  p_kinds text[], p_language text, p_browser text default null, p_system text default null)
returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_session uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
  v_person public.profiles;
begin
  -- Locked: the same person may save twice at once.
  select * into v_person from public.profiles p
  where p.id = (select private.caller()) and p.role <> 'machine'
    and p.organization_id = any(array(select private.my_organizations('canAccessOperaciones')))
  for no key update;
  if v_person.id is null then
    return 'forbidden';
  end if;
  -- A browser keeps its address when another person signs in; the device then belongs to this person. Only
  -- the browser has the keys.
  if exists (
    select from public.push_subscriptions s
    where s.endpoint = p_endpoint and s.profile_id <> v_person.id and (s.p256dh, s.auth) <> (p_p256dh, p_auth)
  ) then
    return 'taken';
  end if;
  delete from public.push_subscriptions s
  where (s.session_id = v_session or s.endpoint = p_endpoint)
    and (s.session_id, s.endpoint) <> (v_session, p_endpoint);
  insert into public.push_subscriptions as s (organization_id, profile_id, session_id, endpoint, p256dh, auth,
    kinds, language, browser, system)
  values (v_person.organization_id, v_person.id, v_session, p_endpoint, p_p256dh, p_auth, p_kinds, p_language,
    left(p_browser, 60), left(p_system, 60))
  on conflict (endpoint) do update set p256dh = excluded.p256dh, auth = excluded.auth, kinds = excluded.kinds,
    language = excluded.language, browser = excluded.browser, system = excluded.system
    where s.session_id = excluded.session_id;
  delete from public.push_subscriptions s using (
    select id from public.push_subscriptions where profile_id = v_person.id
      order by created_at desc, id offset 20) as extra
  where s.id = extra.id;
  return 'saved';
end
$$;
comment on function public.save_push_device(text, text, text, text[], text, text, text) is
  'Sends notices of these kinds to the device of the caller''s session from now on: saved, forbidden, or taken (the address is another person''s, with other keys). A person has 20 devices at most.';

create or replace function public.remove_push_device(p_id uuid) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with gone as (
    delete from public.push_subscriptions s where s.id = p_id and s.profile_id = (select private.caller())
      returning 1)
  select exists (select from gone)
$$;
comment on function public.remove_push_device(uuid) is 'Deletes one of the caller''s devices; false when there is none.';

create or replace function public.queue_test_push(p_id uuid) returns uuid
language sql volatile security definer set search_path = ''
as $$
  insert into private.push_notices (organization_id, subscription_id, kind, dedupe_key, expires_at)
  select s.organization_id, s.id, 'test', 'test:' || gen_random_uuid(), now() + interval '1 minute'
  from public.push_subscriptions s
  where s.id = p_id and s.profile_id = (select private.caller()) and private.is_live_session(s.session_id)
  returning id
$$;
comment on function public.queue_test_push(uuid) is
  'Writes a test notice for one of the caller''s devices, and returns its id; null when there is no such device.';

create or replace function public.claim_push_notices(p_limit integer default 50,
  p_now timestamptz default now(), p_only uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_claimed jsonb;
begin
  delete from public.push_subscriptions s
  where s.id in (select n.subscription_id from private.push_notices n where n.done_at is null)
    and not private.is_live_session(s.session_id);
  -- Expired, or the person lost the right or switched the kind off.
  update private.push_notices n set done_at = p_now, outcome = 'expired', content = '{}'
  from public.push_subscriptions s
  where s.id = n.subscription_id and n.done_at is null and coalesce(n.leased_until <= p_now, true) and (
    n.expires_at <= p_now
    or n.kind <> 'test' and (n.kind <> all(s.kinds) or not private.gets_push(s.profile_id, n.location_ids)));
  with due as (
    select n.id from private.push_notices n
    where n.done_at is null and n.next_at <= p_now and coalesce(n.leased_until <= p_now, true)
      and (p_only is null or n.id = p_only)
    order by n.next_at, n.id limit p_limit for update skip locked
  ), leased as (
    -- A push service is waited for ten seconds at most.
    update private.push_notices n set leased_until = p_now + interval '1 minute', attempts = n.attempts + 1
    from due where n.id = due.id returning n.*
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'kind', n.kind, 'content', n.content,
    'tag', n.dedupe_key, 'seconds', greatest(1, extract(epoch from n.expires_at - p_now)::integer),
    'endpoint', s.endpoint,
    'p256dh', s.p256dh, 'auth', s.auth, 'language', s.language)), '[]') into v_claimed
  from leased n join public.push_subscriptions s on s.id = n.subscription_id;
  return v_claimed;
end
$$;
comment on function public.claim_push_notices(integer, timestamptz, uuid) is
  'Leases the notices that are due (or one of them) for a minute, with the device of each. Expired notices, and notices without a recipient, are done.';

create or replace function public.finish_push_notices(p_results jsonb, p_now timestamptz default now())
  returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.push_subscriptions s set last_success_at = p_now
  from jsonb_to_recordset(p_results) as r (id uuid, outcome text) join private.push_notices n on n.id = r.id
  where s.id = n.subscription_id and r.outcome = 'sent';
  update private.push_notices n set leased_until = null,
    done_at = case when over.it then p_now end, content = case when over.it then '{}' else n.content end,
    outcome = case when over.it then case r.outcome when 'retry' then 'failed' else r.outcome end end,
    next_at = p_now + make_interval(secs => greatest(r.seconds, 15 * 2 ^ least(n.attempts, 10)))
  from jsonb_to_recordset(p_results) as r (id uuid, outcome text, seconds integer)
  cross join lateral (select r.outcome <> 'retry' as it) as over
  where n.id = r.id and n.done_at is null and r.outcome <> 'gone';
  delete from public.push_subscriptions s
  using jsonb_to_recordset(p_results) as r (id uuid, outcome text), private.push_notices n
  where r.outcome = 'gone' and n.id = r.id and s.id = n.subscription_id;
end
$$;
comment on function public.finish_push_notices(jsonb, timestamptz) is
  'Records the outcomes of leased notices, [{id, outcome, seconds}]: sent, refused, gone (the device goes too) or retry (again after so many seconds at least, longer each time, until it expires).';

create or replace function private.tidy_push(p_organization uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.push_subscriptions s
  where s.organization_id = p_organization and not private.is_live_session(s.session_id)
$$;
comment on function private.tidy_push(uuid) is 'Removes the devices of sessions that are over.';
grant execute on function public.my_push_devices(),
  public.save_push_device(text, text, text, text[], text, text, text), public.remove_push_device(uuid),
  public.queue_test_push(uuid) to authenticated;
grant execute on function public.claim_push_notices(integer, timestamptz, uuid),
  public.finish_push_notices(jsonb, timestamptz), private.tidy_push(uuid)
    to service_role;
