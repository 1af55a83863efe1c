-- Messages whose channel has no provider: whether it has one, what becomes of what is queued when it is switched off,
-- and what a call has done with the messages it took. Only the service calls these.

create function private.is_connected(p_organization uuid, p_channel text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.integration_configs i
    where i.organization_id = p_organization and i.is_enabled
      and i.integration_type = case p_channel when 'email' then 'resend' else 'twilio' end
      and (p_channel = 'email' or nullif(btrim(i.config ->> (p_channel || '_from')), '') is not null))
$$;
comment on function private.is_connected(uuid, text) is
  'Whether the channel has an enabled integration with a sender; lib/messaging/configured-providers.ts makes a provider of it.';

create function private.hold_channel(p_organization uuid, p_channel text, p_now timestamptz, p_run uuid,
  p_automation uuid, p_links boolean)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_open text[];
  v_ended uuid[];
begin
  v_open := array(
    select channel from unnest(array['whatsapp', 'sms', 'email']) as channels (channel)
    where private.is_connected(p_organization, channel));
  with due as (
    select m.id, other.channel, case other.channel when 'email' then c.email else c.phone end as address
    from public.messages m
    join public.automations a on a.id = m.automation_id
    join public.automation_runs run on run.id = m.run_id and run.status = 'running'
    left join public.customers c on c.id = m.customer_id
    cross join lateral (
      select case m.channel when a.channel then a.fallback_channel else a.channel end) as other (channel)
    where m.organization_id = p_organization and m.channel = p_channel and m.status = 'queued'
      and m.not_before <= p_now and (p_run is null or m.run_id = p_run)
      and (p_automation is null or m.automation_id = p_automation) and not m.maybe_accepted
      and other.channel = any(v_open) and (p_links or other.channel <> 'email' or m.kind <> 'marketing')
    for update of m
  ), moved as (
    -- Written anew for the other channel; claim_messages then judges it there.
    update public.messages m
    set channel = coalesce(case when due.address is not null then due.channel end, m.channel),
      status = case when due.address is null then 'skipped' else 'queued' end,
      reason = case when due.address is null then 'no_provider' end,
      recipient = coalesce(due.address, m.recipient), content = '{}', frozen_at = null, idempotency_key = null,
      attempts = 0
    from due where m.id = due.id
    returning m.id, m.status
  )
  select coalesce(array_agg(id) filter (where status = 'skipped'), '{}') into v_ended from moved;

  -- What has no other way waits, and its run says why.
  update public.automation_runs run set status = 'paused', reason = 'no_provider'
  where run.organization_id = p_organization and run.status = 'running' and run.id in (
    select m.run_id from public.messages m
    join public.automations a on a.id = m.automation_id
    where m.organization_id = p_organization and m.channel = p_channel and m.status = 'queued'
      and m.not_before <= p_now and (p_run is null or m.run_id = p_run)
      and (p_automation is null or m.automation_id = p_automation)
      and not exists (
        select 1 from (select case m.channel when a.channel then a.fallback_channel else a.channel end) as other (channel)
        where other.channel = any(v_open) and (p_links or other.channel <> 'email' or m.kind <> 'marketing')));
  return to_jsonb(v_ended);
end
$$;
comment on function private.hold_channel(uuid, text, timestamptz, uuid, uuid, boolean) is
  'The channel has no provider any more: what is due by it goes by its automation''s other channel where that has one (without an address there it is skipped as no_provider); else it stays queued and its run pauses. Returns the ids of those skipped.';

create function public.tally_messages(p_ids uuid[]) returns jsonb
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

revoke execute on function private.is_connected(uuid, text),
  private.hold_channel(uuid, text, timestamptz, uuid, uuid, boolean) from public;
grant execute on function private.is_connected(uuid, text),
  private.hold_channel(uuid, text, timestamptz, uuid, uuid, boolean) to service_role;
revoke execute on function public.tally_messages(uuid[]) from public, anon, authenticated;
grant execute on function public.tally_messages(uuid[]) to service_role;
