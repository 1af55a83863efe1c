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
    status = case when run.status in ('refused', 'expired', 'stopped') then run.status when not c.open then 'finished' when c.failures >= 10 then 'paused' else run.status end,
    reason = case when not c.open then null when c.failures >= 10 then coalesce(c.reason, run.reason) else run.reason end
  from counted c where run.id = c.id and (run.failures <> c.failures or run.status = 'paused');
end
$$;
comment on function private.note_trouble(jsonb, uuid[], timestamptz) is
  'After finish_messages: makes the channel wait when the provider wants that, and pauses a run after ten failures in a row.';

revoke execute on function private.forget_pace(), private.note_trouble(jsonb, uuid[], timestamptz) from public;
grant execute on function private.note_trouble(jsonb, uuid[], timestamptz) to service_role;
revoke execute on function public.whatsapp_open(uuid, text, timestamptz) from public, anon, authenticated;
grant execute on function public.whatsapp_open(uuid, text, timestamptz) to service_role;
