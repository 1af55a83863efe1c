-- Which message made its guest leave: opt-outs by the link of a message or in answer to it, and complaints.

create or replace function private.credit_opt_out(p_organization uuid, p_channel text, p_addresses text[],
  p_message uuid, p_at timestamptz default now())
returns void
language sql volatile set search_path = ''
as $$
  update public.messages m set unsubscribed_at = p_at
  where m.id = p_message and m.organization_id = p_organization and m.kind = 'marketing'
    and m.channel = p_channel and m.recipient = any(p_addresses) and m.unsubscribed_at is null
$$;
comment on function private.credit_opt_out(uuid, text, text[], uuid, timestamptz) is
  'Notes that a marketing message made its guest opt out; nothing when it did not go to one of these addresses.';

create or replace function public.change_subscription(p_organization uuid, p_channel text,
  p_addresses text[], p_undo boolean default false, p_message uuid default null)
returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if p_undo then
    perform private.lift_together(p_organization, p_channel, p_addresses);
    perform private.lift_opt_outs(p_organization, p_channel,
      private.with_firsts(p_organization, p_channel, p_addresses), array['unsubscribe']);
    update public.messages m set unsubscribed_at = null
    where m.id = p_message and m.organization_id = p_organization and m.channel = p_channel
      and m.recipient = any(p_addresses) and m.unsubscribed_at is not null;
  -- Who had left already did not leave because of this message.
  elsif public.suppress_addresses(p_organization, p_channel, p_addresses, 'unsubscribe') > 0 then
    perform private.credit_opt_out(p_organization, p_channel, p_addresses, p_message);
  end if;
end
$$;
comment on function public.change_subscription(uuid, text, text[], boolean, uuid) is
  'Unsubscribes the addresses of a link, or undoes that; p_message, which the link names, is credited with it when it went to one of them.';

create or replace function private.credit_stop(p_organization uuid, p_addresses text[], p_answers text,
  p_at timestamptz)
returns void
language sql volatile set search_path = ''
as $$
  update public.messages m set unsubscribed_at = p_at
  where m.kind = 'marketing' and m.unsubscribed_at is null and m.id = coalesce((
      select x.id from public.messages x
      where x.provider = any(private.providers_of('whatsapp')) and x.provider_id = p_answers
        and x.organization_id = p_organization), (
      select x.id from public.messages x
      where x.organization_id = p_organization and x.recipient = any(p_addresses)
        and x.channel in ('sms', 'whatsapp') and x.status in ('sent', 'delivered')
        and x.created_at > p_at - private.engagement_window()
      order by x.created_at desc limit 1))
$$;
comment on function private.credit_stop(uuid, text[], text, timestamptz) is
  'Notes which message an opt-out in words answers: the one it names (p_answers, the provider''s id), else the latest of 30 days to one of the addresses. Only marketing takes the credit.';

create or replace function public.record_complaint(p_organization uuid, p_provider text, p_provider_id text,
  p_message uuid, p_at timestamptz default now())
returns void
language sql volatile set search_path = ''
as $$
  update public.messages m set complained_at = p_at
  where m.id = coalesce((
      select x.id from public.messages x
      where x.provider = p_provider and x.provider_id = p_provider_id
        and x.organization_id = p_organization), (
      -- As record_delivery: the provider's id may not be stored yet.
      select x.id from public.messages x
      where x.id = p_message and x.organization_id = p_organization and x.provider_id is null
        and x.attempts > 0))
    and m.complained_at is null
$$;
comment on function public.record_complaint(uuid, text, text, uuid, timestamptz) is
  'Notes that the guest of a message, found by its provider_id, else by our id, reported it as unwanted.';
grant execute on function private.credit_opt_out(uuid, text, text[], uuid, timestamptz),
  private.credit_stop(uuid, text[], text, timestamptz),
  public.change_subscription(uuid, text, text[], boolean, uuid),
  public.record_complaint(uuid, text, text, uuid, timestamptz) to service_role;
