-- The channels of messages: whether one has a provider, its pace, WhatsApp's window, and runs that pause when
-- nothing gets through.

-- New credentials are used immediately.
create or replace function private.forget_pace() returns trigger
language plpgsql set search_path = ''
as $$
begin
  delete from public.channel_pace where organization_id = new.organization_id;
  return null;
end
$$;
comment on function private.forget_pace() is 'Trigger: a changed integration ends its channels'' waiting.';

create or replace trigger integration_configs_pace after insert or update on public.integration_configs
  for each row execute function private.forget_pace();

create or replace function private.hold_channel(p_organization uuid, p_channel text, p_now timestamptz,
  p_run uuid, p_automation uuid, p_closed jsonb)
returns jsonb
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_most constant integer := 5000;
  v_runs uuid[] := array(
    select run.id from public.automation_runs run
    join public.automations a on a.id = run.automation_id
    left join public.campaigns k on k.id = a.campaign_id
    where run.organization_id = p_organization and run.status = 'running'
      and (p_run is null or run.id = p_run)
      and (p_automation is null or a.id = p_automation)
      and coalesce(k.status not in ('paused', 'waiting_approval'), true));
  v_stuck uuid[];
  v_waiting uuid[];
  v_ended uuid[];
  v_seen integer;
  v_moved boolean;
begin
  -- A message without another channel waits, and its run stores the reason.
  v_stuck := array(
    select r.id from unnest(v_runs) as r (id) where exists (
      select from public.messages m
      join public.automations a on a.id = m.automation_id
      cross join lateral (
        select case m.channel when a.channel then a.fallback_channel else a.channel end) as other (channel)
      where m.run_id = r.id and m.channel = p_channel and m.status = 'queued' and m.not_before <= p_now
        and (other.channel is null or private.closed_by(p_closed, other.channel, m.kind) is not null)));
  with due as (
    select m.id, m.run_id, m.kind, way.channel, way.address, a.step,
      coalesce(a.campaign_id, m.run_id) as among,
      coalesce(way.reason, private.taken_by(m, a, way.channel, way.address)) as reason,
      -- A campaign never tries a guest again, so it waits for one whom only the lost channel reaches.
      a.type = 'campaign' and way.reason is not null and (
        select usual.reason is null from private.ways_to(p_organization, m.kind, a.channel,
          a.fallback_channel, a.content_sid is null, '{}', p_now, c.email, c.phone, c.whatsapp_id,
          coalesce(c.consents, '{}'), coalesce(c.total_visits, 0)) as usual) as waits
    from public.messages m
    join public.automations a on a.id = m.automation_id
    left join public.customers c on c.id = m.customer_id
    cross join lateral (
      select * from private.ways_to(p_organization, m.kind, a.channel, a.fallback_channel,
        a.content_sid is null, p_closed, p_now, c.email, c.phone, c.whatsapp_id, coalesce(c.consents, '{}'),
        coalesce(c.total_visits, 0)) offset 0) as way
    where m.organization_id = p_organization and m.channel = p_channel and m.status = 'queued'
      and m.not_before <= p_now and m.run_id = any(v_runs) and m.run_id <> all(v_stuck)
        and not m.maybe_accepted
    order by m.not_before, m.id limit v_most
    for update of m
  ), judged as (
    select id, run_id, channel, address, bool_or(waits) over (partition by run_id) as waits,
      case when reason is null and kind = 'marketing' and channel <> 'email' and row_number() over (
        partition by among, step, channel, address, reason is null order by id) > 1 then 'duplicate'
        else reason end as reason
    from due
  ), moved as (
    -- Rendered anew for the other channel; claim_messages then judges it there.
    update public.messages m
    set channel = case when v.reason is null then v.channel else m.channel end,
      status = case when v.reason is null then 'queued' else 'skipped' end, reason = v.reason,
      detail = case v.reason when 'suppressed' then private.detail_of(p_organization, m.customer_id, m.id,
        v.channel, v.address, v.reason, null, true, null) end,
      recipient = case when v.reason is null then v.address else m.recipient end, content = '{}',
      frozen_at = null, idempotency_key = null, attempts = 0
    from judged v where m.id = v.id and not v.waits
    returning m.id, m.status
  )
  select (select count(*) from judged), array(select distinct run_id from judged where waits),
    coalesce(array_agg(id) filter (where status = 'skipped'), '{}'),
    coalesce(bool_or(status = 'queued'), false)
    into v_seen, v_waiting, v_ended, v_moved from moved;
  update public.automation_runs run set status = 'paused', reason = 'no_provider'
  where run.id = any(v_stuck || v_waiting) and run.status = 'running';
  return jsonb_build_object('ended', to_jsonb(v_ended), 'moved', v_moved, 'more', v_seen = v_most);
end
$$;
comment on function private.hold_channel(uuid, text, timestamptz, uuid, uuid, jsonb) is
  'For a channel that has lost its provider: due messages move, up to 5,000, to their automation''s other channel if that has one and reaches the guest (else they are skipped; a campaign''s wait); the others stay queued and their runs pause. p_closed, which has the channel: see ways_to. Returns {ended: the ids of those skipped, moved: whether any moved, more: call again}.';

create or replace function public.whatsapp_open(p_organization uuid, p_address text, p_now timestamptz)
  returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.whatsapp_windows w
    where w.organization_id = p_organization and w.address = p_address
      and w.last_inbound_at > p_now - interval '24 hours')
$$;
comment on function public.whatsapp_open(uuid, text, timestamptz) is
  'Whether free text may go to the number by WhatsApp: it wrote to us within 24 hours.';

create or replace function private.note_trouble(p_results jsonb, p_written uuid[], p_now timestamptz)
  returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- When a provider asks to wait with one message, its whole channel waits.
  insert into public.channel_pace as p (organization_id, channel, next_at, reason)
  select organization_id, channel, p_now + make_interval(secs => max(hold)),
    (array_agg(reason order by hold desc))[1]
  from (
    select m.organization_id, m.channel, f.reason, case
      when f.reason = 'provider_rate_limit' then least(coalesce(f.retry_seconds, 30), 21600)
      when f.reason in ('held_back', 'provider_unreachable') then 30
      -- Credentials or a plan may be mended before the message would be tried again.
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
        or coalesce(f.result ->> 'reason' in ('provider_auth', 'provider_config', 'provider_quota'), false)
          as is_bad
    from jsonb_array_elements(p_results) with ordinality as f (result, place)
    join public.messages m on m.id = (f.result ->> 'id')::uuid
    where m.id = any(p_written) and m.run_id is not null
  ), streaks as (
    select run_id, bool_or(is_sent) as any_sent, count(*) filter (where is_bad and place > last_sent) as bad,
      (array_agg(reason order by place desc) filter (where is_bad))[1] as reason
    from (select *, coalesce(max(place) filter (where is_sent) over (partition by run_id), 0) as last_sent
      from told) as t
    group by run_id
  ), counted as (
    select run.id, s.reason, case when s.any_sent then 0 else run.failures end + s.bad as failures,
      run.planning or run.processed > run.sent + run.skipped + run.failed as open
    from public.automation_runs run join streaks s on s.run_id = run.id
  )
  update public.automation_runs run
  set failures = c.failures,
    status = case when run.status in ('refused', 'expired', 'stopped') then run.status
      when not c.open then 'finished' when c.failures >= 10 then 'paused' else run.status end,
    reason = case when not c.open then null when c.failures >= 10 then coalesce(c.reason, run.reason)
      else run.reason end
  from counted c where run.id = c.id and (run.failures <> c.failures or run.status = 'paused');
end
$$;
comment on function private.note_trouble(jsonb, uuid[], timestamptz) is
  'After finish_messages: makes the channel wait when the provider wants that, and pauses a run after ten failures in a row.';
grant execute on function
  private.hold_channel(uuid, text, timestamptz, uuid, uuid, jsonb),
  public.whatsapp_open(uuid, text, timestamptz), private.note_trouble(jsonb, uuid[], timestamptz)
  to service_role;
