-- The outbox meets its providers: each channel's pace, runs that pause when nothing gets through, WhatsApp's window,
-- notices that come too late. 110910 has what is asked of it: reports, notices, results.

create table public.channel_pace (
  organization_id uuid not null references public.organizations on delete cascade,
  channel text not null check (channel in ('whatsapp', 'sms', 'email')),
  next_at timestamptz not null,
  reason text,
  primary key (organization_id, channel)
);
comment on table public.channel_pace is
  'When the next messages may leave by a channel: after its pace, after a provider''s Retry-After, after trouble.';
comment on column public.channel_pace.reason is 'Why it waits, when that is not its pace.';
alter table public.channel_pace enable row level security;
revoke all on public.channel_pace from anon, authenticated;
grant select, insert, update, delete on public.channel_pace to service_role;

-- New credentials deserve a try at once.
create function private.forget_pace() returns trigger
language plpgsql set search_path = ''
as $$
begin
  delete from public.channel_pace where organization_id = new.organization_id;
  return null;
end
$$;
comment on function private.forget_pace() is 'Trigger: a changed integration ends its channels'' waiting.';
create trigger integration_configs_pace after insert or update on public.integration_configs
  for each row execute function private.forget_pace();

alter table public.automation_runs add column failures integer not null default 0;
comment on column public.automation_runs.failures is 'Messages in a row that the provider refused or lost; ten pause the run.';

alter table public.customers add column consent_source text not null default 'existing_customer'
    check (consent_source in ('existing_customer')),
  add column consent_at timestamptz not null default now();
comment on column public.customers.consent_source is
  'Why they may be written to: existing_customer (LSSI art. 21.2). Who objects is in suppressions.';
update public.customers set consent_at = created_at;

create index messages_notices_idx on public.messages (organization_id, channel, not_before, id)
  where status = 'queued' and automation_id is null;

create function public.whatsapp_open(p_organization uuid, p_address text, p_now timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.whatsapp_windows w
    where w.organization_id = p_organization and w.address = p_address
      and w.last_inbound_at > p_now - interval '24 hours')
$$;
comment on function public.whatsapp_open(uuid, text, timestamptz) is
  'Whether free text may go to the number by WhatsApp: it wrote to us within 24 hours.';

create or replace function private.plan_messages(p_automation uuid, p_now timestamptz, p_retry_after interval, p_run uuid,
  p_limit integer)
returns table (customer_id uuid, reservation_id uuid, dedupe_key text, kind text, channel text, recipient text,
  reason text, not_before timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  a public.automations;
  o public.organizations;
  v_kind text;
begin
  select * into a from public.automations where id = p_automation;
  select * into o from public.organizations where id = a.organization_id;
  v_kind := case a.type when 'reservation_confirmation' then 'transactional' else 'marketing' end;
  return query
  with audience as materialized (
    select x.* from private.automation_audience(a.id, p_now) x
    -- What was skipped or failed is tried again, but neither within the same run or a running one, nor too soon.
    where not exists (
      select 1 from public.messages m left join public.automation_runs run on run.id = m.run_id
      where m.organization_id = a.organization_id and m.dedupe_key = x.dedupe_key
        and (m.status not in ('skipped', 'failed') or m.run_id = p_run or run.status <> 'finished'
          or m.created_at > p_now - p_retry_after))
    limit p_limit
  ), addressed as (
    select x.customer_id, x.reservation_id, x.dedupe_key, r.service_order, choice.channel, choice.address,
      case when choice.obstacle is not null then choice.obstacle
        when v_kind = 'marketing' and o.frequency_cap_days > 0 and exists (
          select 1 from public.messages m
          where m.customer_id = c.id and m.kind = 'marketing'
            and m.status in ('queued', 'sending', 'sent', 'delivered', 'unknown')
            and coalesce(m.sent_at, m.created_at) > p_now - make_interval(days => o.frequency_cap_days))
          then 'frequency_cap'
      end as reason,
      coalesce(l.timezone, 'Europe/Madrid') as timezone
    from audience x
    join public.customers c on c.id = x.customer_id
    left join public.reservations r on r.id = x.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    -- The channel, else its fallback: whichever has an address that may be written to.
    cross join lateral (
      select offer.channel, contact.address, hurdle.obstacle
      from (values (1, a.channel), (2, a.fallback_channel)) as offer (place, channel)
      cross join lateral (select case offer.channel when 'email' then c.email else c.phone end) as contact (address)
      cross join lateral (select case
        when contact.address is null then 'no_address'
        -- Unsubscribing is from marketing; a bounce, STOP or a complaint is from everything.
        when exists (
          select 1 from public.suppressions s
          where s.organization_id = a.organization_id and s.channel = offer.channel and s.address = contact.address
            and (v_kind = 'marketing' or s.reason <> 'unsubscribe')) then 'suppressed'
        when offer.channel = 'whatsapp' and a.content_sid is null
          and not public.whatsapp_open(a.organization_id, contact.address, p_now) then 'needs_template'
        end) as hurdle (obstacle)
      where offer.channel is not null
      order by hurdle.obstacle is not null, contact.address is null, offer.place limit 1
    ) as choice
  ), zones as materialized (
    select timezone, case v_kind when 'marketing'
      then private.after_quiet_hours(p_now, timezone, o.quiet_from, o.quiet_until) else p_now end as send_at
    from (select distinct timezone from addressed) as used
  ), ranked as (
    select *, row_number() over (partition by reason is null, customer_id
        order by service_order desc nulls last, dedupe_key) as nth_for_customer,
      row_number() over (partition by reason is null, channel, address
        order by customer_id, service_order desc nulls last, dedupe_key) as nth_for_address
    from addressed
  )
  select ranked.customer_id, ranked.reservation_id, ranked.dedupe_key, v_kind, ranked.channel, ranked.address,
    coalesce(ranked.reason, case
      when v_kind <> 'marketing' then null
      when ranked.nth_for_customer > 1 and o.frequency_cap_days > 0 then 'frequency_cap'
      when ranked.nth_for_address > 1 then 'duplicate'
      when p_run is not null and exists (
        select 1 from public.messages m
        where m.run_id = p_run and m.recipient = ranked.address and m.status <> 'skipped') then 'duplicate'
    end),
    zones.send_at
  from ranked join zones on zones.timezone = ranked.timezone;
end
$$;

drop function public.claim_messages(uuid, text, integer, integer, timestamptz, uuid);
create function public.claim_messages(p_organization uuid, p_channel text, p_limit integer default 100,
  p_lease_seconds integer default 180, p_now timestamptz default now(), p_run uuid default null,
  p_notices boolean default false, p_pace double precision default null)
returns jsonb
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_paused uuid[];
  v_next timestamptz;
  v_ids uuid[];
  v_claimed uuid[];
begin
  -- One claim at a time: two messages to one customer are never judged without knowing of each other.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  v_paused := array(
    select id from public.automation_runs where organization_id = p_organization and status = 'paused');
  v_next := (
    select next_at from public.channel_pace where organization_id = p_organization and channel = p_channel);
  v_ids := array(
    select m.id from public.messages m
    where m.organization_id = p_organization and m.channel = p_channel and m.status = 'queued'
      -- While the channel waits: whether anything will be due after that.
      and m.not_before <= greatest(p_now, v_next) and (p_run is null or m.run_id = p_run)
      and (not p_notices or m.automation_id is null)
      and (v_paused = '{}' or m.run_id is null or m.run_id <> all(v_paused))
    -- With a pace, a second's worth; the next claim waits until that second is over.
    order by m.not_before, m.id limit least(p_limit, 500, case when p_pace > 0 then greatest(ceil(p_pace), 1) end)
    for update skip locked);
  if p_channel = 'email' then
    -- What may have been accepted in one request goes again in one: its key stands for all of them.
    v_ids := v_ids || array(
      select m.id from public.messages m
      where m.status = 'queued' and m.id <> all(v_ids) and m.idempotency_key in (
        select k.idempotency_key from public.messages k where k.id = any(v_ids)) for update);
  end if;
  if v_next > p_now then
    return jsonb_build_object('examined', 0, 'wait_until', case when v_ids <> '{}' then v_next end,
      'templates', '[]'::jsonb, 'messages', '[]'::jsonb);
  end if;

  with judged as (
    select m.id, m.customer_id, m.not_before, m.kind, m.maybe_accepted, m.idempotency_key as key, now_at.address, o.frequency_cap_days as cap,
      case
        when m.run_id is not null and (a.id is null or a.status <> 'active') then 'automation_inactive'
        when m.automation_id is not null and c.id is null then 'customer_gone'
        when now_at.address is null then 'no_address'
        when exists (
          select 1 from public.suppressions s
          where s.organization_id = p_organization and s.channel = p_channel and s.address = now_at.address
            and (m.kind = 'marketing' or s.reason <> 'unsubscribe')) then 'suppressed'
        when a.type = 'reservation_confirmation' and (r.status is distinct from 'confirmed'
          or r.service_order at time zone l.timezone <= p_now) then 'reservation_changed'
        -- An event that begins right now may still be told of.
        when m.frozen_at is null and (m.content ->> 'event_datetime')::timestamptz < p_now - interval '1 minute'
          then 'too_late'
        when p_channel = 'whatsapp' and a.id is not null and a.content_sid is null
          and not public.whatsapp_open(p_organization, now_at.address, p_now) then 'needs_template'
        -- Who may have heard already hears no more by hearing the same again.
        when m.kind = 'marketing' and o.frequency_cap_days > 0 and not m.maybe_accepted and exists (
          select 1 from public.messages other
          where other.customer_id = m.customer_id and other.kind = 'marketing' and other.id <> m.id
            and (other.status in ('sending', 'sent', 'delivered', 'unknown') or other.maybe_accepted)
            and coalesce(other.sent_at, other.created_at) > p_now - make_interval(days => o.frequency_cap_days))
          then 'frequency_cap'
      end as reason,
      case m.kind when 'marketing' then private.after_quiet_hours(p_now, coalesce(l.timezone, 'Europe/Madrid'),
        o.quiet_from, o.quiet_until) else p_now end as send_at
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automations a on a.id = m.automation_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    -- Where the customer is reached now; what is frozen goes where it was going.
    cross join lateral (select case when m.automation_id is null or m.frozen_at is not null then m.recipient
      when p_channel = 'email' then c.email else c.phone end) as now_at (address)
    where m.id = any(v_ids)
  ), batches as (
    select *, coalesce(bool_or(reason is not null) over batch or key is not null and count(*) over batch < (
        select count(*) from public.messages k where k.idempotency_key = judged.key), false) as broken,
      -- Its members may be in different time zones.
      max(send_at) over batch as batch_send_at
    from judged window batch as (partition by coalesce(key, id::text))
  ), verdicts as (
    select id, address, batch_send_at as send_at, maybe_accepted, case
      when reason is not null then reason
      when broken then 'batch_incomplete'
      when kind = 'marketing' and cap > 0 and send_at <= p_now and customer_id is not null and not maybe_accepted
        and row_number() over (partition by customer_id, kind, reason is null, send_at <= p_now
          order by maybe_accepted desc, not_before, id) > 1 then 'frequency_cap'
    end as reason
    from batches
  ), written as (
    update public.messages m
    set status = case when v.reason is not null and v.maybe_accepted then 'unknown' when v.reason is not null then 'skipped'
        when v.send_at > p_now then 'queued' else 'sending' end,
      reason = v.reason, recipient = v.address,
      not_before = greatest(m.not_before, v.send_at),
      attempts = m.attempts + case when v.reason is null and v.send_at <= p_now then 1 else 0 end,
      lease_token = case when v.reason is null and v.send_at <= p_now then gen_random_uuid() end,
      lease_until = case when v.reason is null and v.send_at <= p_now
        then p_now + make_interval(secs => p_lease_seconds) end
    from verdicts v where m.id = v.id
    returning m.id, m.status
  )
  select coalesce(array_agg(id) filter (where status = 'sending'), '{}') into v_claimed from written;

  if p_pace > 0 and v_claimed <> '{}' then
    insert into public.channel_pace as p (organization_id, channel, next_at)
    values (p_organization, p_channel, p_now + make_interval(secs => cardinality(v_claimed) / p_pace))
    on conflict (organization_id, channel) do update set next_at = excluded.next_at, reason = null;
  end if;

  return (
    select jsonb_build_object('examined', cardinality(v_ids),
      'templates', coalesce((
        select jsonb_agg(private.template_of(a)) from public.automations a
        where a.id in (select m.automation_id from public.messages m where m.id = any(v_claimed))), '[]'),
      'messages', coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'lease_token', m.lease_token, 'kind', m.kind,
        'run_id', m.run_id, 'channel', m.channel, 'recipient', m.recipient, 'attempts', m.attempts, 'automation_id', m.automation_id,
        'content', m.content, 'frozen', m.frozen_at is not null, 'idempotency_key', m.idempotency_key,
        'facts', private.message_facts(o, c, r, l)) order by m.not_before, m.id), '[]'))
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    where m.id = any(v_claimed));
end
$$;
comment on function public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision) is
  'Leases the next due messages of a channel (of one run; only notices), once consent, cap, quiet hours and pace (messages a second) allow: {examined, templates, messages, wait_until}. examined 0: nothing is due, or it has to wait until wait_until.';

create or replace function private.retry_verdict(m public.messages, p_now timestamptz) returns text
language sql stable set search_path = ''
as $$
  -- A provider keeps an e-mail's idempotency key for 24 hours; after 23 nothing is sent under it again.
  select case when m.channel = 'email' and m.frozen_at <= p_now - interval '23 hours' then 'too_late'
    when (m.content ->> 'expires_at')::timestamptz < p_now then 'too_late'
    when m.attempts >= 8 then 'too_often' else 'retry' end
$$;

create function private.note_trouble(p_results jsonb, p_written uuid[], p_now timestamptz) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- What a provider says of one message by asking for time holds for all of its channel.
  insert into public.channel_pace as p (organization_id, channel, next_at, reason)
  select organization_id, channel, p_now + make_interval(secs => max(hold)), (array_agg(reason order by hold desc))[1]
  from (
    select m.organization_id, m.channel, f.reason, case
      when f.reason = 'provider_rate_limit' then least(coalesce(f.retry_seconds, 30), 21600)
      when f.reason in ('held_back', 'provider_unreachable') then 30
      -- Credentials or a plan: somebody may mend them sooner than the message would be tried again.
      else least(f.retry_seconds, 900) end as hold
    from jsonb_to_recordset(p_results) as f (id uuid, outcome text, reason text, retry_seconds integer)
    join public.messages m on m.id = f.id
    where f.id = any(p_written) and f.outcome = 'retry'
  ) as troubles
  where hold > 0 group by organization_id, channel
  on conflict (organization_id, channel) do update
    set next_at = greatest(p.next_at, excluded.next_at), reason = case
      when p.next_at > p_now and p.reason is not null
        and (excluded.reason = 'held_back' or excluded.next_at < p.next_at) then p.reason
      else excluded.reason end;

  with told as (
    select m.run_id, f.place, f.result ->> 'reason' as reason, f.result ->> 'outcome' = 'sent' as is_sent,
      (f.result ->> 'outcome' in ('failed', 'unknown') and f.result ? 'provider')
        or coalesce(f.result ->> 'reason' in ('provider_auth', 'provider_config', 'provider_quota'), false) as is_bad
    from jsonb_array_elements(p_results) with ordinality as f (result, place)
    join public.messages m on m.id = (f.result ->> 'id')::uuid
    where m.id = any(p_written) and m.run_id is not null
  ), streaks as (
    select run_id, bool_or(is_sent) as any_sent, count(*) filter (where is_bad and place > last_sent) as bad,
      (array_agg(reason order by place desc) filter (where is_bad))[1] as reason
    from (select *, coalesce(max(place) filter (where is_sent) over (partition by run_id), 0) as last_sent from told) as t
    group by run_id
  ), counted as (
    select run.id, s.reason, case when s.any_sent then 0 else run.failures end + s.bad as failures,
      run.processed > run.sent + run.skipped + run.failed as open
    from public.automation_runs run join streaks s on s.run_id = run.id
  )
  update public.automation_runs run
  set failures = c.failures,
    status = case when not c.open then 'finished' when c.failures >= 10 then 'paused' else run.status end,
    reason = case when not c.open then null when c.failures >= 10 then coalesce(c.reason, run.reason) else run.reason end
  from counted c where run.id = c.id and (run.failures <> c.failures or run.status = 'paused');
end
$$;
comment on function private.note_trouble(jsonb, uuid[], timestamptz) is
  'After finish_messages: makes the channel wait when the provider wants that, and pauses a run after ten failures in a row.';

create or replace function public.finish_messages(p_results jsonb, p_now timestamptz default now()) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_written uuid[];
begin
  with results as (
    select distinct on (f.id) f.*
    from jsonb_to_recordset(p_results) as f (id uuid, lease_token uuid, outcome text, reason text, provider text,
      provider_id text, retry_seconds integer)
    where f.outcome in ('sent', 'failed', 'unknown', 'retry')
    order by f.id
  ), timed as (
    select r.*, p_now + make_interval(secs => least(greatest(
      coalesce(r.retry_seconds, 30 * (2 ^ m.attempts)::integer), 1), 21600)) as next_at
    from results r join public.messages m on m.id = r.id and m.lease_token = r.lease_token
  ), judged as (
    select r.*, case
      when r.outcome = 'sent' then 'sent'
      when r.outcome = 'failed' then case when m.maybe_accepted then 'unknown' else 'failed' end
      -- SMS and WhatsApp have no idempotency key: what may have been accepted is never sent again.
      when r.outcome = 'unknown' and (m.channel <> 'email' or m.idempotency_key is null) then 'unknown'
      when private.retry_verdict(m, r.next_at) = 'retry' then 'queued'
      when r.outcome = 'unknown' or m.maybe_accepted then 'unknown' else 'failed' end as status
    from timed r
    join public.messages m on m.id = r.id and m.lease_token = r.lease_token
    -- Someone swept the lease; nobody else sends what is unknown, so the true outcome may still be told.
    where m.status = 'sending' or (m.status = 'unknown' and r.outcome in ('sent', 'failed'))
  ), written as (
    update public.messages m
    set status = j.status, reason = case when j.status = 'sent' then null else left(j.reason, 300) end,
      maybe_accepted = m.maybe_accepted or (j.status = 'queued' and j.outcome = 'unknown'),
      provider = coalesce(j.provider, m.provider), provider_id = coalesce(j.provider_id, m.provider_id),
      sent_at = case when j.status = 'sent' then p_now else m.sent_at end,
      not_before = case when j.status = 'queued' then j.next_at else m.not_before end,
      -- What was not even tried has used up no attempt.
      attempts = m.attempts - case when j.status = 'queued' and j.reason = 'held_back' then 1 else 0 end,
      -- An e-mail goes again as it was; of the others nothing was accepted, so they are written anew.
      frozen_at = case when j.status = 'queued' and m.channel <> 'email' then null else m.frozen_at end,
      -- Nothing was accepted under the key: next time it may go with others.
      idempotency_key = case when j.status <> 'queued' or m.maybe_accepted or j.outcome = 'unknown'
        then m.idempotency_key end,
      lease_token = case when j.status = 'unknown' then m.lease_token end, lease_until = null
    from judged j where m.id = j.id
    returning m.id
  )
  select coalesce(array_agg(id), '{}') into v_written from written;
  perform private.note_trouble(p_results, v_written, p_now);
  perform private.suppress_refused(v_written);
  return cardinality(v_written);
end
$$;

revoke execute on function private.forget_pace(), private.note_trouble(jsonb, uuid[], timestamptz) from public;
grant execute on function private.note_trouble(jsonb, uuid[], timestamptz) to service_role;
revoke execute on function public.whatsapp_open(uuid, text, timestamptz),
  public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision)
  from public, anon, authenticated;
grant execute on function public.whatsapp_open(uuid, text, timestamptz),
  public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision) to service_role;
