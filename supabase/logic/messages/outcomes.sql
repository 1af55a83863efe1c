-- What becomes of claimed messages (see claim.sql): their content, their outcome, and leases that ran out.

create or replace function public.freeze_messages(p_contents jsonb, p_now timestamptz default now())
  returns jsonb
language sql volatile set search_path = ''
as $$
  with frozen as (
    update public.messages m
    set content = case when m.frozen_at is null then f.content else m.content end, updated_at = now(),
      idempotency_key = coalesce(m.idempotency_key, f.idempotency_key),
      frozen_at = coalesce(m.frozen_at, p_now)
    from jsonb_to_recordset(p_contents) as f (id uuid, lease_token uuid, content jsonb, idempotency_key text)
    where m.id = f.id and m.status = 'sending' and m.lease_token = f.lease_token and m.lease_until > p_now
    returning m.id
  )
  select coalesce(jsonb_agg(id), '[]') from frozen
$$;
comment on function public.freeze_messages(jsonb, timestamptz) is
  'Stores what is about to be sent ({id, lease_token, content, idempotency_key}). Only the ids it returns may go to the provider: the others'' lease is lost.';
grant execute on function public.freeze_messages(jsonb, timestamptz) to service_role;

create or replace function private.retry_verdict(m public.messages, p_now timestamptz) returns text
language sql stable set search_path = ''
as $$
  -- A provider keeps an e-mail's idempotency key for 24 hours; after 23 nothing is sent under it again.
  select case when m.channel = 'email' and m.frozen_at <= p_now - interval '23 hours' then 'too_late'
    when (m.content ->> 'expires_at')::timestamptz < p_now then 'too_late'
    when m.attempts >= 8 then 'too_often' else 'retry' end
$$;

create or replace function public.finish_messages(p_results jsonb, p_now timestamptz default now())
  returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_written uuid[];
  v_runs uuid[];
  v_trouble boolean;
  v_failed boolean;
begin
  with results as (
    select distinct on (f.id) f.*
    from jsonb_to_recordset(p_results) as f (id uuid, lease_token uuid, outcome text, reason text,
      provider text, provider_id text, retry_seconds integer)
    where f.outcome in ('sent', 'failed', 'unknown', 'retry', 'skipped')
    order by f.id
  ), judged as (
    select r.*, t.next_at, case
      when r.outcome = 'sent' then 'sent'
      when r.outcome in ('failed', 'skipped') then
        case when m.maybe_accepted then 'unknown' else r.outcome end
      -- SMS and WhatsApp have no idempotency key: what may have been accepted is never sent again.
      when r.outcome = 'unknown' and (m.channel <> 'email' or m.idempotency_key is null) then 'unknown'
      when private.retry_verdict(m, t.next_at) = 'retry' then 'queued'
      when r.outcome = 'unknown' or m.maybe_accepted then 'unknown' else 'failed' end as status
    from results r
    join public.messages m on m.id = r.id and m.lease_token = r.lease_token
    cross join lateral (select p_now + make_interval(secs => least(greatest(
      coalesce(r.retry_seconds, 30 * (2 ^ least(m.attempts, 10))::integer), 1), 21600))) as t (next_at)
    -- An unknown message whose lease was swept is not sent again, so its true outcome is still recorded.
    where m.status = 'sending' or (m.status = 'unknown' and r.outcome in ('sent', 'failed'))
  ), written as (
    update public.messages m
    set status = j.status, reason = case when j.status = 'sent' then null else left(j.reason, 300) end,
      updated_at = now(), maybe_accepted = m.maybe_accepted
      or (j.status = 'queued' and j.outcome = 'unknown'),
      -- The HTML of millions of e-mails would fill the disk; the plain text stays.
      content = case when j.status in ('sent', 'failed') and m.content ? 'html' then m.content - 'html'
      else m.content end, provider = coalesce(j.provider, m.provider),
      provider_id = coalesce(j.provider_id, m.provider_id),
      sent_at = case when j.status = 'sent' then p_now else m.sent_at end,
      not_before = case when j.status = 'queued' then j.next_at else m.not_before end,
      -- A message that was not tried has used up no attempt.
      attempts = m.attempts - case when j.status = 'queued' and j.reason = 'held_back' then 1 else 0 end,
      -- An e-mail is repeated unchanged; SMS and WhatsApp were surely not accepted, so they are rendered
      -- anew.
      frozen_at = case when j.status = 'queued' and m.channel <> 'email' then null else m.frozen_at end,
      -- Nothing was accepted under the key: next time it may go with others.
      idempotency_key = case when j.status <> 'queued' or m.maybe_accepted or j.outcome = 'unknown'
        then m.idempotency_key end,
      lease_token = case when j.status = 'unknown' then m.lease_token end, lease_until = null
    from judged j where m.id = j.id
    returning m.id, m.run_id, m.status, j.outcome
  )
  select coalesce(array_agg(id), '{}'), array_agg(distinct run_id), bool_or(outcome <> 'sent'),
    bool_or(status = 'failed')
  into v_written, v_runs, v_trouble, v_failed from written;
  -- Most batches are accepted as they are, and their runs have no failures to forget.
  if v_trouble or exists (
      select 1 from public.automation_runs run where run.id = any(v_runs)
        and (run.failures > 0 or run.status = 'paused')) then
    perform private.note_trouble(p_results, v_written, p_now);
  end if;
  if v_failed then
    perform private.suppress_refused(v_written);
  end if;
  return cardinality(v_written);
end
$$;
comment on function public.finish_messages(jsonb, timestamptz) is
  'Records what became of claimed messages: {id, lease_token, outcome sent|failed|skipped|unknown|retry, reason, provider, provider_id, retry_seconds}. Returns how many; a lost lease does not count.';
grant execute on function public.finish_messages(jsonb, timestamptz) to service_role;

create or replace function public.sweep_leases(p_now timestamptz default now()) returns jsonb
language sql volatile set search_path = ''
as $$
  with lost as (
    select m.id, case
      -- Never frozen: it had not gone to the provider.
      when m.frozen_at is null then 'queued'
      when m.channel = 'email' and m.idempotency_key is not null and private.retry_verdict(m, p_now) = 'retry'
        then 'queued'
      else 'unknown' end as status
    from public.messages m
    where m.status = 'sending' and m.lease_until <= p_now
    for update skip locked
  ), swept as (
    update public.messages m
    set status = lost.status, reason = case when lost.status = 'unknown' then 'lease_expired' end,
      maybe_accepted = m.maybe_accepted or (lost.status = 'queued' and m.frozen_at is not null),
      not_before = greatest(m.not_before, p_now),
      lease_token = case when lost.status = 'unknown' then m.lease_token end, lease_until = null
    from lost where m.id = lost.id
    returning m.status
  )
  select jsonb_build_object('requeued', count(*) filter (where status = 'queued'),
    'unknown', count(*) filter (where status = 'unknown')) from swept
$$;
comment on function public.sweep_leases(timestamptz) is
  'Takes back the messages that dead processes were sending: queued again when that cannot send them twice, else unknown. Returns {requeued, unknown}.';
grant execute on function public.sweep_leases(timestamptz) to service_role;

create or replace function public.tally_messages(p_ids uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(told), '[]') from (
    select m.automation_id, m.run_id, count(*) filter (where m.status in ('sent', 'delivered')) as sent,
      count(*) filter (where m.status = 'skipped') as skipped,
      count(*) filter (where m.status in ('failed', 'unknown')) as failed
    from public.messages m where m.id = any(p_ids) and m.automation_id is not null
    group by m.automation_id, m.run_id) as told
$$;
comment on function public.tally_messages(uuid[]) is
  'How many of the automations'' messages among these were sent, skipped and failed (or have an unknown outcome): {automation_id, run_id, sent, skipped, failed}.';
grant execute on function public.tally_messages(uuid[]) to service_role;
grant execute on function private.retry_verdict(public.messages, timestamptz) to service_role;
