-- Reports of providers and messages of customers: delivery reports, STOP and ALTA, bounces and
-- complaints, unsubscribing, and messages by WhatsApp. Only the service calls these functions.

create or replace function private.suppress_refused(p_messages uuid[]) returns void
language sql volatile set search_path = ''
as $$
  select public.suppress_addresses(m.organization_id, m.channel, array_agg(distinct m.recipient),
    case m.reason when 'unsubscribed' then 'stop' else 'bounce' end)
  from public.messages m
  where m.id = any(p_messages) and m.status = 'failed' and m.channel in ('sms', 'whatsapp')
    and m.recipient is not null
    -- Twilio refuses ids as bad numbers where an account cannot write to ids yet.
    and (m.reason = 'unsubscribed' or m.reason = 'invalid_number' and m.recipient like '+%')
  group by m.organization_id, m.channel, m.reason
  order by m.organization_id, m.channel, m.reason
$$;
comment on function private.suppress_refused(uuid[]) is
  'Suppresses the numbers of messages that failed because there is no such number, or its owner has opted out at the provider.';

create or replace function private.whatsapp_addresses_of(p_customer uuid) returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select distinct a.address from (
      select unnest(array[c.phone, c.whatsapp_id]) from public.customers c where c.id = p_customer
      union all
      select coalesce(l.phone, l.whatsapp_id) from public.customer_aliases l where l.customer_id = p_customer
    ) as a (address) where a.address is not null)
$$;
comment on function private.whatsapp_addresses_of(uuid) is
  'Numbers and ids of a customer''s WhatsApp, former ones included.';

create or replace function private.share_whatsapp_stop(p_organization uuid, p_addresses text[]) returns void
language sql volatile set search_path = ''
as $$
  insert into public.suppressions as s (organization_id, channel, address, reason)
  select p_organization, 'whatsapp', other.address, case said.reason when 'bounce' then said.opt_out
    else said.reason end
  from (
    -- A bounce is about one address; an opt-out or a complaint is about all of the person's.
    select x.reason, x.opt_out from public.suppressions x
    where x.organization_id = p_organization and x.channel = 'whatsapp' and x.address = any(p_addresses)
      and (x.reason <> 'bounce' or x.opt_out is not null)
    order by private.suppression_rank(x.reason) desc limit 1) as said
  cross join (select distinct unnest(p_addresses) as address) as other
  where other.address is not null
  on conflict (organization_id, channel, address) do update set reason = excluded.reason
    where private.adds_to(excluded.reason, s)
$$;
comment on function private.share_whatsapp_stop(uuid, text[]) is
  'An opt-out or a complaint by one WhatsApp address of a person counts for all of them.';

create or replace function public.link_whatsapp(p_organization uuid, p_phone text, p_whatsapp_id text)
  returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_former text[];
begin
  -- Locked in one order; no row is written without a change.
  select array_agg(c.whatsapp_id) into v_former from (
    select o.id, o.whatsapp_id from public.customers o
    where o.organization_id = p_organization and o.phone = p_phone and o.whatsapp_id is distinct
      from p_whatsapp_id
    order by o.id for update) as c;
  update public.customers set whatsapp_id = p_whatsapp_id
  where organization_id = p_organization and phone = p_phone and whatsapp_id is distinct from p_whatsapp_id;
  perform private.share_whatsapp_stop(p_organization, array[p_phone, p_whatsapp_id] || v_former);
end
$$;
comment on function public.link_whatsapp(uuid, text, text) is
  'Links a number with the id that came with it: customers of the number get the id, and a STOP from one applies to the other.';

create or replace function public.record_inbound(p_organization uuid, p_channel text,
  p_phone text default null, p_whatsapp_id text default null, p_answers text default null,
  p_wish text default null, p_receipt text default null, p_at timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_phone text := p_phone;
  v_addresses text[];
begin
  if p_receipt is not null then
    insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
    values (p_organization, p_receipt, p_at, p_channel = 'whatsapp' or coalesce(p_wish = 'start', false))
    on conflict do nothing;
    if not found then
      return 'repeated';
    end if;
  end if;
  if p_channel = 'whatsapp' and p_whatsapp_id is not null then
    -- The number of the message that it answers, else the number that the id last came with.
    v_phone := coalesce(v_phone, (
      select m.recipient from public.messages m
      where m.provider = any(private.providers_of('whatsapp')) and m.provider_id = p_answers
        and m.organization_id = p_organization
        and m.channel = 'whatsapp' and m.recipient like '+%'), (
      select w.address from public.whatsapp_windows w
      where w.organization_id = p_organization and w.whatsapp_id = p_whatsapp_id
        and w.address <> p_whatsapp_id
      order by w.last_inbound_at desc limit 1));
    if v_phone is not null then
      perform public.link_whatsapp(p_organization, v_phone, p_whatsapp_id);
    end if;
  end if;
  v_addresses := array_remove(array[v_phone, case p_channel when 'whatsapp' then p_whatsapp_id end], null);
  if p_channel = 'whatsapp' then
    insert into public.whatsapp_windows as w (organization_id, address, last_inbound_at, whatsapp_id)
    select p_organization, address, p_at, p_whatsapp_id from unnest(v_addresses) as address
    on conflict (organization_id, address) do update set
      last_inbound_at = greatest(excluded.last_inbound_at, w.last_inbound_at),
      whatsapp_id = coalesce(excluded.whatsapp_id, w.whatsapp_id);
  end if;
  if p_wish is not null then
    -- All numbers and ids of the person: a no by one is a no by all.
    v_addresses := array(
      select distinct address from (
        select unnest(v_addresses)
        union all
        select unnest(private.whatsapp_addresses_of(person.id)) from (
          select c.id from public.customers c where c.organization_id = p_organization and c.phone = v_phone
          union
          select c.id from public.customers c
          where c.organization_id = p_organization and c.whatsapp_id = p_whatsapp_id
          union
          select l.customer_id from public.customer_aliases l
          where l.organization_id = p_organization and l.whatsapp_id = p_whatsapp_id
          union
          select l.customer_id from public.customer_aliases l
          where l.organization_id = p_organization and l.phone = v_phone) as person
        union all
        select w.whatsapp_id from public.whatsapp_windows w
        where w.organization_id = p_organization and w.address = v_phone
      ) as known (address) where address is not null);
  end if;
  if p_wish = 'stop' then
    if public.suppress_addresses(p_organization, p_channel, v_addresses, 'stop') > 0 then
      perform private.credit_stop(p_organization, v_addresses, p_answers, p_at);
    end if;
  elsif p_wish = 'start' then
    -- What a link of one channel said ends by that channel only.
    perform private.lift_opt_outs(p_organization, its.channel,
      private.with_firsts(p_organization, its.channel, v_addresses),
      case its.channel when p_channel then array['stop', 'unsubscribe'] else array['stop'] end)
    from unnest(private.channels_of_a_no(p_channel, 'stop')) as its (channel);
  end if;
  return 'taken';
end
$$;
comment on function public.record_inbound(uuid, text, text, text, text, text, text, timestamptz) is
  'Records a message to us, from a number, a WhatsApp id or both: opens the 24-hour window and applies its wish (stop, start, null) to all numbers and ids of the person, by SMS and WhatsApp alike. p_answers is the provider''s id of the message it answers. Returns taken, or repeated for a known receipt.';

create or replace function public.record_delivery(p_organization uuid, p_provider text, p_provider_id text,
  p_message uuid, p_status text, p_reason text default null, p_at timestamptz default now())
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
    -- The provider's id was never stored: its answer got lost, or is not recorded yet. Only a message with an
    -- attempt can be meant.
    select * into m from public.messages
    where id = p_message and organization_id = p_organization and provider_id is null and attempts > 0
      and coalesce(provider, p_provider) = p_provider
      and p_provider = any(private.providers_of(channel)) for update;
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
  'Records a provider''s report about a message (sent, delivered, failed), found by its provider_id, else by our id. Statuses only move forward: sent → delivered or failed; queued after an attempt, sending and unknown → any. Returns recorded, unchanged, unknown or ignored.';
grant execute on function private.suppress_refused(uuid[]), private.whatsapp_addresses_of(uuid),
  private.share_whatsapp_stop(uuid, text[]), public.link_whatsapp(uuid, text, text),
  public.record_inbound(uuid, text, text, text, text, text, text, timestamptz),
  public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) to service_role;
