-- Limits on requests without a session, and the locks of the sign-in. A row goes only when its time is over,
-- so an attacker cannot lift a limit by filling the table. Accounts are stored as hashes, whether they exist
-- or not.

create or replace function private.drop_expired_attempts(p_now timestamptz) returns void
language sql volatile set search_path = ''
as $$
  delete from public.attempt_limits where key in (
    select key from public.attempt_limits where expires_at < p_now
      order by expires_at limit 20 for update skip locked)
$$;
comment on function private.drop_expired_attempts(timestamptz) is
  'Removes some expired rows, more than the three at most that an attempt adds. Last in an attempt: before it has locked its own rows, two attempts could deadlock.';

create or replace function public.take_attempts(
  p_keys text[], p_limits integer[], p_seconds integer, p_now timestamptz default now()) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_window interval := make_interval(secs => p_seconds);
  v_wait integer := 0;
  v public.attempt_limits;
  v_key record;
begin
  if cardinality(p_keys) > 100 then
    raise exception 'too many keys' using errcode = '22023';
  end if;
  -- Always in the same order, so that two attempts cannot deadlock.
  for v_key in select k.key, k.most from unnest(p_keys, p_limits) as k (key, most)
    order by k.key collate "C" loop
    insert into public.attempt_limits as a (key, window_start, hits, expires_at)
    values (v_key.key, p_now, 1, p_now + v_window)
    on conflict (key) do update set
      window_start = case when a.window_start <= p_now - v_window then p_now else a.window_start end,
      hits = case when a.window_start <= p_now - v_window then 1 else a.hits + 1 end,
      expires_at = case when a.window_start <= p_now - v_window then p_now + v_window else a.expires_at end
    returning * into v;
    if v.hits > v_key.most then
      v_wait := greatest(v_wait, 1,
        ceil(extract(epoch from v.window_start + v_window - greatest(p_now, v.window_start)))::integer);
    end if;
  end loop;
  perform private.drop_expired_attempts(p_now);
  return v_wait;
end
$$;
comment on function public.take_attempts(text[], integer[], integer, timestamptz) is
  'Counts one attempt of each key: 0 when it is allowed, else the seconds to wait.';

create or replace function private.account_hash(p_email text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select encode(sha256(convert_to(p_email, 'UTF8')), 'hex') $$;
comment on function private.account_hash(text) is 'The form in which attempt_limits stores an account.';

create or replace function public.begin_sign_in(p_email text, p_network text, p_now timestamptz default now())
  returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_hash text := private.account_hash(p_email);
  v_account public.attempt_limits;
  v_network public.attempt_limits;
  v_pair public.attempt_limits;
  v_own public.attempt_limits;
  v_until timestamptz;
begin
  -- The network first: once its limit is used up, its attempts add no rows.
  insert into public.attempt_limits as a (key, window_start, expires_at)
  values ('sign-in:network:' || p_network, p_now, p_now + interval '1 day')
  on conflict (key) do update set
    window_start = case when a.window_start <= p_now - interval '1 minute' then p_now else a.window_start end,
    hits = case when a.window_start <= p_now - interval '1 minute' then 0 else a.hits end,
    expires_at = excluded.expires_at
  returning * into v_network;
  if v_network.hits >= 60 then
    v_until := v_network.window_start + interval '1 minute';
    return greatest(1, ceil(extract(epoch from v_until - greatest(p_now, v_network.window_start))))::integer;
  end if;

  insert into public.attempt_limits as a (key, account, window_start, expires_at)
  select k.key, v_hash, p_now, p_now + interval '1 day'
  from unnest(array['sign-in:account:' || v_hash, 'sign-in:pair:' || v_hash || ':' || p_network]) as k (key)
  on conflict (key) do update set
    window_start = case when a.window_start <= p_now - interval '1 minute' then p_now else a.window_start end,
    hits = case when a.window_start <= p_now - interval '1 minute' then 0 else a.hits end,
    expires_at = greatest(a.expires_at, excluded.expires_at);
  select * into v_account from public.attempt_limits where key = 'sign-in:account:' || v_hash;
  select * into v_pair from public.attempt_limits where key = 'sign-in:pair:' || v_hash || ':' || p_network;
  -- The attempts this one waited for may have begun after it: it is no older than they are.
  p_now := greatest(p_now, v_account.window_start, v_account.failed_at, v_pair.failed_at);
  v_own := v_account;
  -- From a network where the account has signed in before, failures from other networks do not count.
  if v_pair.succeeded_at > p_now - interval '30 days' then
    v_own := v_pair;
  end if;
  v_until := greatest(v_pair.locked_until, v_own.locked_until,
    case when v_own.hits >= 10 then v_own.window_start + interval '1 minute' end);
  if v_until > p_now then
    return greatest(1, ceil(extract(epoch from v_until - p_now)))::integer;
  end if;
  perform private.drop_expired_attempts(p_now);
  update public.attempt_limits set hits = hits + 1 where key in (v_network.key, v_own.key);
  return 0;
end
$$;
comment on function public.begin_sign_in(text, text, timestamptz) is
  'Counts an attempt to sign in before it is made: 0 when it may go on, else the seconds to wait. end_sign_in takes the count back unless the attempt fails.';

create or replace function public.end_sign_in(p_email text, p_network text, p_outcome text,
  p_now timestamptz default now())
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_hash text := private.account_hash(p_email);
  v_network text := 'sign-in:network:' || p_network;
  v_account text := 'sign-in:account:' || v_hash;
  v_pair text := 'sign-in:pair:' || v_hash || ':' || p_network;
  v_known boolean;
  v_most integer;
begin
  perform from public.attempt_limits where key = v_network for update;
  perform from public.attempt_limits where key = v_account for update;
  select a.succeeded_at > p_now - interval '30 days' into v_known
  from public.attempt_limits a where a.key = v_pair for update;
  v_known := coalesce(v_known, false);

  if p_outcome <> 'failed' then
    update public.attempt_limits set hits = greatest(0, hits - 1)
    where key in (v_network, case when v_known then v_pair else v_account end);
  end if;
  if p_outcome = 'succeeded' then
    perform private.log_sign_in(p_email, 'session.started', (
      select a.failures from public.attempt_limits a
        where a.key = v_pair and a.failed_at > p_now - interval '1 day'));
    update public.attempt_limits set failures = 0, locked_until = null, succeeded_at = p_now,
      expires_at = p_now + interval '30 days'
    where key = v_pair;
  elsif p_outcome = 'failed' then
    -- Locks the network for 1, 2, 4 … 60 minutes from its tenth failure on; networks that are new to the
    -- account for 1 to 15 minutes from the thirtieth failure on.
    update public.attempt_limits a set failures = n.failures, failed_at = p_now,
      expires_at = greatest(a.expires_at, p_now + interval '1 day'),
      locked_until = case when n.failures >= n.first then greatest(a.locked_until,
        p_now + make_interval(mins => least(n.longest, power(2, least(n.failures - n.first, 10))::integer)))
          else a.locked_until end
    from (
      select f.key, case when f.failed_at > p_now - interval '1 day' then f.failures
        else 0 end + 1 as failures,
        case when f.key = v_pair then 10 else 30 end as first,
        case when f.key = v_pair then 60 else 15 end as longest
      from public.attempt_limits f
      where f.key = v_pair or (f.key = v_account and not v_known)
    ) as n
    where a.key = n.key;
    select max(a.failures) into v_most from public.attempt_limits a where a.key in (v_pair, v_account);
    -- Only some failures get a line: else guessing would fill the log.
    if v_most in (3, 5) or v_most % 10 = 0 then
      perform private.log_sign_in(p_email, 'session.refused', v_most);
    end if;
    if v_most >= 10 then
      perform private.tell_of_failures(p_email, v_account, v_most, p_now);
    end if;
  end if;
end
$$;
comment on function public.end_sign_in(text, text, text, timestamptz) is
  'Records the outcome of an attempt: succeeded, failed, or anything else when Auth did not answer. Failures lead to locks; a success marks the network as one the account uses.';

create or replace function private.tell_of_failures(p_email text, p_key text, p_failures integer,
  p_now timestamptz) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  p public.profiles;
begin
  select * into p from public.profiles where lower(email) = p_email and role <> 'machine';
  update public.attempt_limits set told_at = p_now
  where key = p_key and p.id is not null and (told_at is null or told_at <= p_now - interval '1 day');
  if not found then
    return;
  end if;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient,
    content, dedupe_key)
  select p.organization_id, 'notification', 'sign_in_failures', 'profile', p.id, 'email', p.email,
    jsonb_build_object(
      'template', 'sign_in_failures', 'organization', o.name, 'name', p.full_name, 'failures', p_failures,
        'at', p_now,
      'timezone', o.timezone),
    format('sign-in-failures:%s:%s', p.id, to_char(p_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'))
  from public.organizations o where o.id = p.organization_id
  on conflict (organization_id, dedupe_key) do nothing;
end
$$;
comment on function private.tell_of_failures(text, text, integer, timestamptz) is
  'Queues an e-mail to the owner of the account, if there is one, at most once in 24 hours.';

create or replace function public.lift_sign_in_lock(p_email text, p_network text,
  p_now timestamptz default now()) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_hash text := private.account_hash(p_email);
begin
  perform private.log_sign_in(p_email, 'session.password_reset', null);
  update public.attempt_limits set failures = 0, hits = 0, locked_until = null where account = v_hash;
  insert into public.attempt_limits as a (key, account, window_start, succeeded_at, expires_at)
  values ('sign-in:pair:' || v_hash || ':' || p_network, v_hash, p_now, p_now, p_now + interval '30 days')
  on conflict (key) do update set succeeded_at = excluded.succeeded_at, expires_at = excluded.expires_at;
end
$$;
comment on function public.lift_sign_in_lock(text, text, timestamptz) is
  'After a password reset: ends the locks of the account, and marks the network as one it uses.';
grant execute on function private.drop_expired_attempts(timestamptz),
  public.take_attempts(text[], integer[], integer, timestamptz), private.account_hash(text),
  public.begin_sign_in(text, text, timestamptz), public.end_sign_in(text, text, text, timestamptz),
  private.tell_of_failures(text, text, integer, timestamptz),
  public.lift_sign_in_lock(text, text, timestamptz)
  to service_role;
