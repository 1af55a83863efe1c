-- Opens and clicks of e-mails, as Resend reports them. lib/messaging/engagement.ts judges which of them are a
-- person's; a verdict may change with a later event, so the events are kept for as long as more may come.

create or replace function private.engagement_window() returns interval
language sql immutable set search_path = ''
as $$ select interval '30 days' $$;
comment on function private.engagement_window() is
  'How long after sending opens and clicks are taken, as long as reservations are attributed to a message.';

create or replace function public.take_engagement(p_organization uuid, p_provider_id text, p_message uuid,
  p_event jsonb default null, p_now timestamptz default now())
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  m public.messages;
begin
  select * into m from public.messages
  where provider = 'resend' and provider_id = p_provider_id and organization_id = p_organization;
  if m.id is null and p_message is not null then
    -- As record_delivery: the provider's id may not be stored yet, but then an attempt must have been made.
    select * into m from public.messages
    where id = p_message and organization_id = p_organization and provider_id is null and attempts > 0
      and coalesce(provider, 'resend') = 'resend' and channel = 'email';
  end if;
  -- Opens by staff are not recorded.
  if m.id is null or m.kind = 'notification' or m.customer_id is null
    or p_now >= coalesce(m.sent_at, m.created_at) + private.engagement_window() then
    return null;
  end if;
  if p_event is not null then
    insert into private.engagement_events (message_id, receipt, organization_id, kind, link, agent, at,
      received_at)
    select m.id, e.receipt, m.organization_id, e.kind, coalesce(e.link, ''), e.agent, e.at, p_now
    from jsonb_to_record(p_event) as e (receipt text, kind text, link text, agent text, at timestamptz)
    where (select count(*) from private.engagement_events o where o.message_id = m.id) < 100
    on conflict do nothing;
  end if;
  return (
    select jsonb_build_object('message_id', m.id, 'delivered_at', coalesce(m.delivered_at, m.sent_at),
      'events', jsonb_agg(jsonb_build_object('receipt', e.receipt, 'kind', e.kind, 'link', nullif(e.link, ''),
        'agent', e.agent, 'at', e.at) order by e.receipt))
    from private.engagement_events e where e.message_id = m.id having count(*) > 0);
end
$$;
comment on function public.take_engagement(uuid, text, uuid, jsonb, timestamptz) is
  'Keeps an open or click {receipt, kind, link, agent, at} of an e-mail to a customer, found by its provider_id, else by our id. Returns all events of the message to judge, {message_id, delivered_at, events}; null for an unknown or old message, or one without events. Without p_event it only reads.';

create or replace function public.save_engagement(p_message uuid, p_seen text[], p_delivered text,
  p_rows jsonb) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  m public.messages;
begin
  select * into m from public.messages where id = p_message for no key update;
  if m.id is null then
    return true;
  end if;
  if p_delivered is distinct from to_jsonb(coalesce(m.delivered_at, m.sent_at)) #>> '{}'
    or p_seen is distinct from array(
      select e.receipt from private.engagement_events e where e.message_id = p_message order by e.receipt)
        then
    return false;
  end if;
  delete from public.message_engagement g where g.message_id = p_message;
  insert into public.message_engagement (message_id, kind, link, actor, first_at, times)
  select p_message, r.kind, coalesce(r.link, ''), r.actor, r.first_at, r.times
  from jsonb_to_recordset(p_rows) as r (kind text, link text, actor text, first_at timestamptz,
    times integer);
  return true;
end
$$;
comment on function public.save_engagement(uuid, text[], text, jsonb) is
  'Saves the verdict on a message''s events [{kind, link, actor, first_at, times}]. False when events came, or the time of delivery changed, since they were read: then judge again.';

create or replace function private.clicked_of(p_automations uuid[])
returns table (customer_id uuid, automation_id uuid, clicked_at timestamptz)
language sql stable set search_path = ''
as $$
  select m.customer_id, m.automation_id, min(g.first_at)
  from public.messages m
  join public.message_engagement g on g.message_id = m.id
  where m.automation_id = any(p_automations) and m.customer_id is not null
    and g.kind = 'click' and g.actor = 'person' and g.link <> 'unsubscribe'
  group by m.customer_id, m.automation_id
$$;
comment on function private.clicked_of(uuid[]) is
  'The guests who clicked a link in an e-mail of the automations, and when first: for tests of campaigns. Machines and clicks on the unsubscribe link do not count.';
grant execute on function private.engagement_window(), private.clicked_of(uuid[]),
  public.take_engagement(uuid, text, uuid, jsonb, timestamptz),
  public.save_engagement(uuid, text[], text, jsonb) to service_role;
