-- What comes back from the providers and from the people written to: delivery reports, STOP and ALTA, bounces and
-- complaints, unsubscribing, and when somebody last wrote by WhatsApp. Only the service calls these functions.

create table public.whatsapp_windows (
  organization_id uuid not null references public.organizations on delete cascade,
  address text not null,
  last_inbound_at timestamptz not null,
  primary key (organization_id, address)
);
comment on table public.whatsapp_windows is
  'When a phone number last wrote by WhatsApp. For 24 hours from then free text may go to it; else only templates.';
comment on column public.whatsapp_windows.address is 'Phone number in E.164, as in messages.recipient.';

alter table public.whatsapp_windows enable row level security;
revoke all on public.whatsapp_windows from anon, authenticated;
grant select, insert, update, delete on public.whatsapp_windows to service_role;

create function private.suppression_rank(p_reason text) returns integer
language sql immutable set search_path = ''
as $$
  select case p_reason when 'unsubscribe' then 1 when 'stop' then 2 when 'manual' then 3 else 4 end
$$;
comment on function private.suppression_rank(text) is
  'Which reason stands when there are several: unsubscribe < stop < manual < bounce and complaint.';

create function public.suppress_addresses(p_organization uuid, p_channel text, p_addresses text[], p_reason text)
returns integer
language sql volatile set search_path = ''
as $$
  with written as (
    insert into public.suppressions as s (organization_id, channel, address, reason)
    select p_organization, p_channel, address, p_reason from (
      select distinct unnest(p_addresses) as address) as given
    on conflict (organization_id, channel, address) do update
      set reason = excluded.reason, author = null, note = null, created_at = now()
      where private.suppression_rank(excluded.reason) > private.suppression_rank(s.reason)
    returning 1
  )
  select count(*)::integer from written
$$;
comment on function public.suppress_addresses(uuid, text, text[], text) is
  'Stops messages to the addresses by the channel; a stronger reason replaces a weaker one. Returns how many changed.';

create function private.suppress_refused(p_messages uuid[]) returns void
language sql volatile set search_path = ''
as $$
  insert into public.suppressions as s (organization_id, channel, address, reason)
  select distinct on (m.organization_id, m.channel, m.recipient) m.organization_id, m.channel, m.recipient,
    case m.reason when 'unsubscribed' then 'stop' else 'bounce' end
  from public.messages m
  where m.id = any(p_messages) and m.status = 'failed' and m.channel in ('sms', 'whatsapp')
    and m.reason in ('unsubscribed', 'invalid_number') and m.recipient is not null
  order by m.organization_id, m.channel, m.recipient, m.reason
  on conflict (organization_id, channel, address) do update
    set reason = excluded.reason, author = null, note = null, created_at = now()
    where private.suppression_rank(excluded.reason) > private.suppression_rank(s.reason)
$$;
comment on function private.suppress_refused(uuid[]) is
  'Suppresses the numbers of messages that failed because there is no such number, or its owner has told the provider to stop.';

create function public.unsuppress_address(p_organization uuid, p_channel text, p_address text, p_reasons text[])
returns boolean
language sql volatile set search_path = ''
as $$
  with gone as (
    delete from public.suppressions
    where organization_id = p_organization and channel = p_channel and address = p_address
      and reason = any(p_reasons)
    returning 1
  )
  select exists (select 1 from gone)
$$;
comment on function public.unsuppress_address(uuid, text, text, text[]) is
  'Lets messages go to the address again, when it was suppressed for one of the reasons. Whether it was.';

create function public.subscription_of(p_organization uuid, p_channel text, p_address text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('organization_name', o.name, 'suppressed_by', (
    select s.reason from public.suppressions s
    where s.organization_id = o.id and s.channel = p_channel and s.address = p_address))
  from public.organizations o where o.id = p_organization
$$;
comment on function public.subscription_of(uuid, text, text) is
  'Who writes to the address, and why it is suppressed (null: it is not). Null when there is no such organization.';

create function public.record_inbound(p_organization uuid, p_channel text, p_address text,
  p_at timestamptz default now())
returns void
language sql volatile set search_path = ''
as $$
  insert into public.whatsapp_windows as w (organization_id, address, last_inbound_at)
  select p_organization, p_address, p_at where p_channel = 'whatsapp'
  on conflict (organization_id, address) do update set last_inbound_at = excluded.last_inbound_at
    where excluded.last_inbound_at > w.last_inbound_at
$$;
comment on function public.record_inbound(uuid, text, text, timestamptz) is
  'Somebody wrote to us: by WhatsApp that opens its 24-hour window.';

create function public.record_delivery(p_organization uuid, p_provider text, p_provider_id text, p_message uuid,
  p_status text, p_reason text default null, p_at timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  m public.messages;
begin
  if p_status not in ('sent', 'delivered', 'failed') then
    return 'ignored';
  end if;
  select * into m from public.messages
  where provider = p_provider and provider_id = p_provider_id and organization_id = p_organization for update;
  if m.id is null and p_message is not null then
    -- The provider's id was never stored: its answer got lost, or is not recorded yet. What was not tried cannot be it.
    select * into m from public.messages
    where id = p_message and organization_id = p_organization and provider_id is null and attempts > 0
      and coalesce(provider, p_provider) = p_provider and (channel = 'email') = (p_provider = 'resend') for update;
  end if;
  if m.id is null then
    return 'unknown';
  end if;
  if not (case m.status
      when 'queued' then true
      when 'sending' then true
      when 'unknown' then true
      when 'sent' then p_status in ('delivered', 'failed')
      else false end) then
    return 'unchanged';
  end if;
  update public.messages
  set status = p_status, reason = case p_status when 'failed' then left(p_reason, 300) end,
    provider = p_provider, provider_id = p_provider_id,
    sent_at = case when p_status = 'failed' then sent_at else coalesce(sent_at, p_at) end,
    delivered_at = case p_status when 'delivered' then p_at end,
    lease_token = null, lease_until = null
  where id = m.id;
  perform private.suppress_refused(array[m.id]);
  return 'recorded';
end
$$;
comment on function public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) is
  'What a provider says became of a message (sent, delivered, failed), found by its provider_id, else by our id. Statuses only move forward: sent → delivered or failed; queued after an attempt, sending and unknown → any. Returns recorded, unchanged, unknown or ignored.';

revoke execute on function private.suppression_rank(text), private.suppress_refused(uuid[]) from public;
grant execute on function private.suppression_rank(text), private.suppress_refused(uuid[]) to service_role;
revoke execute on function public.suppress_addresses(uuid, text, text[], text),
  public.unsuppress_address(uuid, text, text, text[]), public.subscription_of(uuid, text, text),
  public.record_inbound(uuid, text, text, timestamptz),
  public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) from public, anon, authenticated;
grant execute on function public.suppress_addresses(uuid, text, text[], text),
  public.unsuppress_address(uuid, text, text, text[]), public.subscription_of(uuid, text, text),
  public.record_inbound(uuid, text, text, timestamptz),
  public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) to service_role;
