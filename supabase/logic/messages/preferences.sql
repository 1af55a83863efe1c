-- What a guest chooses on the page of an unsubscribe link: channels, how often, brands, language. Closed
-- channels are suppressions by the reason unsubscribe; the rest stands on the customer. The link's token is
-- the only authority: it counts for every customer with its address.

create or replace function private.guests_of_link(p_organization uuid, p_channel text, p_addresses text[])
  returns uuid[]
language sql stable set search_path = ''
as $$
  select array(
    select c.id from public.customers c
    where p_channel = 'email' and c.organization_id = p_organization and c.email = any(p_addresses)
    union
    select a.customer_id from public.customer_aliases a
    where p_channel = 'email' and a.organization_id = p_organization and a.email = any(p_addresses)
    union
    select o.customer_id from private.phone_owners(p_organization, p_addresses) as o
    where p_channel <> 'email'
    union
    select c.id from public.customers c
    where p_channel = 'whatsapp' and c.organization_id = p_organization and c.whatsapp_id = any(p_addresses)
    union
    select a.customer_id from public.customer_aliases a
    where p_channel = 'whatsapp' and a.organization_id = p_organization and a.whatsapp_id = any(p_addresses))
$$;
comment on function private.guests_of_link(uuid, text, text[]) is
  'The customers who have one of a link''s addresses, as the first or a further one.';

create or replace function private.channels_of_link(p_organization uuid, p_channel text, p_addresses text[])
  returns table (channel text, addresses text[], state text)
language sql stable set search_path = ''
as $$
  with theirs as (
    select w.channel, private.addresses_of(c, w.channel) as addresses
    from public.customers c
    cross join unnest(array['email', 'sms', 'whatsapp']) as w (channel)
    where c.id = any(private.guests_of_link(p_organization, p_channel, p_addresses))
      and private.address_of(c, w.channel) is not null
  ), own as (
    -- SMS and WhatsApp to a number are one address; the id of a WhatsApp account is no number.
    select said.channel, p_addresses as addresses
    from unnest(private.channels_of_a_no(p_channel, 'stop')) as said (channel)
    where said.channel = 'email' or p_addresses[1] like '+%' or said.channel = 'whatsapp'
  ), targets as (
    select * from theirs
    union all
    select * from own where own.channel not in (select t.channel from theirs t)
  ), held as (
    select t.*, (
      select s.reason from public.suppressions s
      where s.organization_id = p_organization and s.channel = t.channel and s.address = any(t.addresses)
      order by private.suppression_rank(s.reason) desc limit 1) as reason
    from targets t
  )
  select h.channel, array(
      select each.address from held k cross join unnest(k.addresses) as each (address)
      where k.channel = h.channel
      union select unnest(own.addresses) from own where own.channel = h.channel),
    case when bool_or(h.reason is null) then 'on'
      -- Of several guests with the address one does not take back what another said elsewhere.
      when bool_or(h.reason = 'unsubscribe') and (h.channel in (select own.channel from own)
        or cardinality(private.guests_of_link(p_organization, p_channel, p_addresses)) = 1) then 'off'
      else 'closed' end
  from held h group by h.channel
$$;
comment on function private.channels_of_link(uuid, text, text[]) is
  'The channels by which the guests of a link can be written to, with their addresses there. state: on (to one of them at least), off (they unsubscribed), or closed, by what the link cannot undo: a STOP, the staff, a bounce, a complaint, or, where several have the address, their no by another one.';

create or replace function public.guest_preferences(p_organization uuid, p_channel text, p_addresses text[])
  returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_guests uuid[] := private.guests_of_link(p_organization, p_channel, p_addresses);
begin
  return (
    select jsonb_build_object(
      'known', v_guests <> '{}',
      'channels', (
        select coalesce(jsonb_agg(jsonb_build_object('channel', k.channel, 'state', k.state)
          order by k.channel), '[]')
        from private.channels_of_link(p_organization, p_channel, p_addresses) as k),
      'frequency', case when bool_or(c.write_frequency is not null) then 'monthly' else 'all' end,
      'brands', (
        select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'wanted', not exists (
          select from public.customers m where m.id = any(v_guests) and b.id = any(m.muted_brands)))
          order by b.name, b.id), '[]')
        from public.brands b where b.organization_id = p_organization),
      'language', case when count(distinct coalesce(c.language, o.language)) = 1
        then min(coalesce(c.language, o.language)) end)
    from public.organizations o
    left join public.customers c on c.id = any(v_guests)
    where o.id = p_organization group by o.id);
end
$$;
comment on function public.guest_preferences(uuid, text, text[]) is
  'What the page of an unsubscribe link offers: {known: some customer has its address, channels: [{channel, state: see channels_of_link}], frequency: all or monthly, brands: [{id, name, wanted}], language: theirs, null when several differ}. Of several customers the strictest wish. Null when there is no such organization.';

create or replace function private.close_and_open(p_organization uuid, p_channel text, p_addresses text[],
  p_none boolean, p_channels text[], p_message uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v record;
begin
  for v in
    with offered as (
      select k.*, k.channel = 'email' as mail
      from private.channels_of_link(p_organization, p_channel, p_addresses) as k
    ), lines as (
      -- E-mail is one, and a number another: a no by SMS or by WhatsApp is a no by both.
      select o.mail, bool_or(o.state = 'on') as is_on, not p_none and coalesce(
        bool_and(o.channel = any(p_channels)) filter (where o.state <> 'closed'), false) as wanted
      from offered o group by o.mail
    )
    select o.channel, o.addresses, l.wanted, o.mail = (p_channel = 'email') as linked
    from offered o join lines l on l.mail = o.mail
    -- What stays as it was shown is left alone: of several guests one may be out already. All is closed even
    -- behind a bounce.
    where l.is_on <> l.wanted or p_none
  loop
    if v.wanted then
      perform private.lift_opt_outs(p_organization, v.channel, v.addresses, array['unsubscribe']);
      update public.messages m set unsubscribed_at = null
      where v.linked and m.id = p_message and m.organization_id = p_organization
        and m.recipient = any(p_addresses) and m.unsubscribed_at is not null;
    elsif public.suppress_addresses(p_organization, v.channel, v.addresses, 'unsubscribe') > 0
      and v.linked then
      perform private.credit_opt_out(p_organization, p_channel, p_addresses, p_message);
    end if;
  end loop;
end
$$;
comment on function private.close_and_open(uuid, text, text[], boolean, text[], uuid) is
  'Closes the channels that the guests of a link do not want, or all (p_none), and opens those that they had closed by a link and want again. p_message, which the link names, is credited.';

-- With its owner's rights, for the audit log.
create or replace function public.save_guest_preferences(p_organization uuid, p_channel text,
  p_addresses text[], p_wishes jsonb, p_message uuid default null) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_brands constant uuid[] := array(
    select b.id from public.brands b where b.organization_id = p_organization order by b.id);
  v_wanted constant uuid[] := array(
    select w.id::uuid from jsonb_array_elements_text(p_wishes -> 'brands') as w (id));
  v_frequency constant text := p_wishes ->> 'frequency';
  v_guests uuid[];
begin
  if not v_wanted <@ v_brands then
    return 'unknown_brand';
  end if;
  -- One after another, also with merges, which take the same lock.
  perform private.lock_identities(p_organization);
  v_guests := private.guests_of_link(p_organization, p_channel, p_addresses);
  if v_frequency = 'none' or p_wishes ? 'channels' then
    perform private.close_and_open(p_organization, p_channel, p_addresses,
      coalesce(v_frequency = 'none', false),
      array(select jsonb_array_elements_text(p_wishes -> 'channels')), p_message);
  end if;
  with former as (
    select c.*, o.language as usual from public.customers c
    join public.organizations o on o.id = c.organization_id
    where c.id = any(v_guests) order by c.id for update of c
  ), wished as (
    select f.*, case v_frequency when 'monthly' then 'monthly' when 'all' then null
        else f.write_frequency end as next_frequency,
      case when p_wishes ? 'brands' then array(
        select b from unnest(v_brands) as b where b <> all(v_wanted)) else f.muted_brands end as next_muted,
      -- Who leaves the group's language as it was shown has none of their own.
      coalesce(nullif(p_wishes ->> 'language', case when f.language is null then f.usual end), f.language)
        as next_language
    from former f
  ), changed as (
    update public.customers c
    set write_frequency = w.next_frequency, muted_brands = w.next_muted, language = w.next_language
    from wished w
    where c.id = w.id and (w.write_frequency, w.muted_brands, w.language)
      is distinct from (w.next_frequency, w.next_muted, w.next_language)
    returning c.id, array_remove(array[
      case when w.write_frequency is distinct from w.next_frequency then 'write_frequency' end,
      case when w.muted_brands <> w.next_muted then 'muted_brands' end,
      case when w.language is distinct from w.next_language then 'language' end], null) as fields
  )
  insert into public.audit_log (organization_id, actor, action, subject_type, subject_id, details)
  select p_organization, 'guest', 'customer.wishes_changed', 'customer', c.id,
    jsonb_build_object('fields', to_jsonb(c.fields))
  from changed c;
  return 'saved';
end
$$;
comment on function public.save_guest_preferences(uuid, text, text[], jsonb, uuid) is
  'Saves what the guests of a link chose: {channels: the wanted ones, frequency: all, monthly or none (closes every channel), brands: the ids of the wanted ones, language}; what is absent stays. saved, or unknown_brand: nothing was changed. SMS and WhatsApp of a number are wanted together or not at all. Opening a channel again lifts only what a link had closed.';

create or replace function private.lift_together(p_organization uuid, p_channel text, p_addresses text[])
  returns void
language sql volatile set search_path = ''
as $$
  delete from public.suppressions s
  using private.channels_of_link(p_organization, p_channel, p_addresses) as k
  where s.organization_id = p_organization and s.channel = k.channel and s.address = any(k.addresses)
    and s.reason = 'unsubscribe' and s.created_at in (
      select own.created_at from public.suppressions own
      where own.organization_id = p_organization and own.channel = p_channel
        and own.address = any(p_addresses) and own.reason = 'unsubscribe')
$$;
comment on function private.lift_together(uuid, text, text[]) is
  'Takes back what one tap on the page closed: the link''s address, and the guests'' other ones that were closed in the same transaction.';

create or replace function public.guest_look(p_organization uuid default null, p_message uuid default null,
  p_visit boolean default false) returns jsonb
language sql stable set search_path = ''
as $$
  with asked as (
    select o.id, o.name, m.automation_id, run.template -> 'email_look' as frozen, l.brand_id
    from public.organizations o
    left join public.messages m on m.id = p_message and m.organization_id = o.id
    left join public.automation_runs run on run.id = m.run_id and not p_visit
    left join public.reservations r on r.id = m.reservation_id and p_visit
    left join public.locations l on l.id = r.location_id
    where o.id = coalesce(p_organization, m.organization_id,
      case when (select count(*) from public.organizations) = 1 then o.id end)
  ), own as (
    select a.*, case when p_visit then a.brand_id else private.brand_of(u) end as of_brand,
      coalesce(case when not p_visit then u.email_look end, a.frozen) as launched
    from asked a left join public.automations u on u.id = a.automation_id
  )
  select jsonb_build_object('name', coalesce(b.name, own.name))
    || jsonb_build_object('logo', s.look -> 'logo', 'color', s.look -> 'color',
      'button_color', s.look -> 'button_color')
  from own
  left join public.brands b on b.id = own.of_brand
  cross join lateral (select coalesce(own.launched, private.look_of(own.id, own.of_brand)) as look) as s
$$;
comment on function public.guest_look(uuid, uuid, boolean) is
  'What a guest''s page wears, {name, logo, color, button_color}: the look of the message''s automation, or of the brand of the visit that it is about (p_visit); else the group''s. Without an organization that of the message, else of an installation that has one only; null: none.';
grant execute on function private.guests_of_link(uuid, text, text[]),
  private.channels_of_link(uuid, text, text[]), private.lift_together(uuid, text, text[]),
  private.close_and_open(uuid, text, text[], boolean, text[], uuid),
  public.guest_preferences(uuid, text, text[]),
  public.save_guest_preferences(uuid, text, text[], jsonb, uuid), public.guest_look(uuid, uuid, boolean)
  to service_role;
