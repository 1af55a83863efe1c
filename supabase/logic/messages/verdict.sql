-- Whether a message goes to a guest: by which channel, from when, and why not. Plans, previews and claims all
-- ask here; what only a claim can know (a booking since, a stopped automation) is in judge_messages.
-- closed_by, address_by, said_none, blocked_by, way_of, ways_to, counted_messages and send_windows are one
-- SELECT without settings of their own: so the planner makes them part of the statement that asks. For a
-- million guests the suppressions are then a set that is made once, for one message they are looked up.

create or replace function private.closed_by(p_closed jsonb, p_channel text, p_kind text) returns text
language sql immutable
as $$
  select nullif(p_closed ->> p_channel, case p_kind when 'marketing' then null else 'no_app_url' end)
$$;
comment on function private.closed_by(jsonb, text, text) is
  'Why no message of the kind can go by the channel: no_provider, no_app_url; null when it can.';
grant execute on function private.closed_by(jsonb, text, text) to service_role;

create or replace function private.address_by(p_channel text, p_email text, p_phone text, p_whatsapp_id text)
returns text
language sql immutable
as $$
  select case p_channel when 'email' then p_email when 'whatsapp' then coalesce(p_phone, p_whatsapp_id)
    when 'sms' then p_phone end
$$;
comment on function private.address_by(text, text, text, text) is
  'Where a guest with these is written to by the channel; null: nowhere.';

create or replace function private.said_none(p_kind text, p_channel text, p_consents jsonb) returns boolean
language sql immutable
as $$
  select p_kind = 'marketing' and p_consents #>> array[p_channel, 'source'] = 'staff'
    and p_consents #>> array[p_channel, 'basis'] = 'none'
$$;
comment on function private.said_none(text, text, jsonb) is
  'Whether staff recorded that nothing allows messages of the kind by the channel: a no, as an opt-out is.';

create or replace function private.blocked_by(p_organization uuid, p_kind text, p_channel text,
  p_address text, p_other_address text, p_consents jsonb, p_visits integer, p_free_text boolean,
  p_closed text, p_now timestamptz, p_apart boolean default true)
returns table (reason text)
language sql stable rows 1
as $$
  select case
    when p_channel is null then 'no_address'
    when p_address is null then
      case when private.said_none(p_kind, p_channel, p_consents) then 'no_consent' else 'no_address' end
    -- Two lookups, and not one of two addresses: each can become a set.
    when exists (
        select from public.suppressions s
        where s.organization_id = p_organization and s.channel = p_channel and s.address = p_address
          and (p_kind = 'marketing' or s.reason in ('bounce', 'complaint')))
      or p_channel = 'whatsapp' and exists (
        select from public.suppressions s
        where s.organization_id = p_organization and s.channel = p_channel and s.address = p_other_address
          and (p_kind = 'marketing' or s.reason in ('bounce', 'complaint')))
      then case when private.said_none(p_kind, p_channel, p_consents) then 'no_consent'
        when not p_apart or exists (
          select from public.suppressions s
          where s.organization_id = p_organization and s.channel = p_channel
            and s.address in (p_address, case p_channel when 'whatsapp' then p_other_address end)
            and (s.reason = 'complaint'
              or p_kind = 'marketing' and (s.reason <> 'bounce' or s.opt_out is not null)))
        then 'suppressed' else 'bounced' end
    -- Most guests have visited and have no consent on record, so the function call is skipped for them.
    when p_kind = 'marketing' and (p_consents <> '{}' or p_visits = 0)
      and private.consent_basis(p_consents, p_visits, p_channel) = 'none' then
      case when private.said_none(p_kind, p_channel, p_consents) then 'no_consent' else 'not_asked' end
    when p_channel = 'sms' and private.is_landline(p_address) then 'not_mobile'
    when p_closed is not null then p_closed
    when p_channel = 'whatsapp' and p_free_text and not exists (
        select from public.whatsapp_windows w
        where w.organization_id = p_organization and w.address = p_address
          and w.last_inbound_at > p_now - interval '24 hours') then 'needs_template' end
$$;
comment on function private.blocked_by(uuid, text, text, text, text, jsonb, integer, boolean, text, timestamptz, boolean) is
  'One row: why a message of the kind cannot go by the channel to p_address of a guest with these consents and visits; null: it can. p_other_address: the id of a WhatsApp account. p_free_text: it has no approved WhatsApp template. p_closed: why nothing can go by the channel. bounced: the address is suppressed, and nobody said no; without p_apart it is suppressed, too. not_asked: nothing allows it, and nobody said no.';

create or replace function private.way_of(p_channel text, p_fallback text, p_own text, p_other text,
  p_own_closed text, p_other_closed text, p_own_reason text, p_other_reason text)
returns table (channel text, address text, reason text)
language sql immutable rows 1
as $$
  select case when chosen.other then p_fallback else p_channel end,
    case when chosen.other then p_other else p_own end,
    -- replace() and not a second case, which would look everything up once more.
    replace(replace(case when chosen.other then p_other_reason else p_own_reason end,
      'bounced', 'suppressed'), 'not_asked', 'no_consent')
  -- The fallback serves guests whom the first channel cannot reach, never those who said no to it. When both
  -- channels are blocked, a reason of the guest's comes before a missing provider.
  from (
    select p_fallback is not null
      and coalesce(p_own_reason, 'suppressed') not in ('suppressed', 'no_consent')
      and (p_other_reason is null
        or (p_own is null, p_own_closed is not null) > (p_other is null, p_other_closed is not null)) is true)
    as chosen (other)
$$;
comment on function private.way_of(text, text, text, text, text, text, text, text) is
  'One row: the channel, the address and the reason (null: it goes) of a message, from the addresses of its channel and fallback, why each is closed (closed_by) and why each is blocked (blocked_by).';

create or replace function private.ways_to(p_organization uuid, p_kind text, p_channel text, p_fallback text,
  p_free_text boolean, p_closed jsonb, p_now timestamptz, p_email text, p_phone text, p_whatsapp_id text,
  p_consents jsonb, p_visits integer)
returns table (channel text, address text, reason text)
language sql stable rows 1
as $$
  select way.channel, way.address, way.reason
  from (
    select private.address_by(p_channel, p_email, p_phone, p_whatsapp_id) as own,
      private.address_by(p_fallback, p_email, p_phone, p_whatsapp_id) as other,
      private.closed_by(p_closed, p_channel, p_kind) as own_closed,
      private.closed_by(p_closed, p_fallback, p_kind) as other_closed) as place
  cross join lateral private.blocked_by(p_organization, p_kind, p_channel, place.own, p_whatsapp_id,
    p_consents, p_visits, p_free_text, place.own_closed, p_now) as first
  cross join lateral private.blocked_by(p_organization, p_kind, p_fallback, place.other, p_whatsapp_id,
    p_consents, p_visits, p_free_text, place.other_closed, p_now) as second
  cross join lateral private.way_of(p_channel, p_fallback, place.own, place.other, place.own_closed,
    place.other_closed, first.reason, second.reason) as way
$$;
comment on function private.ways_to(uuid, text, text, text, boolean, jsonb, timestamptz, text, text, text, jsonb, integer) is
  'One row: the channel by which a message of the kind goes to a guest, the address, and the reason why it does not go (null: it goes). p_closed: channels by which nothing can go now, with the reason (no_provider; no_app_url is for marketing alone). p_free_text: as blocked_by.';

create or replace function private.ways_query(p_guests text, p_organization uuid, p_kind text, p_channel text,
  p_fallback text, p_free_text boolean, p_closed jsonb, p_now timestamptz)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_address constant text := 'private.address_by(%L, guest.email, guest.phone, guest.whatsapp_id)';
  v_own text := format(v_address, p_channel);
  v_other text := case when p_fallback is null then 'null' else format(v_address, p_fallback) end;
  v_own_closed text := private.closed_by(p_closed, p_channel, p_kind);
  v_other_closed text := private.closed_by(p_closed, p_fallback, p_kind);
  -- offset 0: a channel is asked once a guest, however often its answer is used. Only a fallback asks whether
  -- an address bounced.
  v_ask constant text := 'select guest.*, %s as %I from (%s) as guest
    cross join lateral private.blocked_by(%L, %L, %L, %s, guest.whatsapp_id, guest.consents,
      guest.total_visits, %L, %L, %L, %L) as way offset 0';
  v_asked text := format(v_ask, 'way.reason', 'own_reason', p_guests, p_organization, p_kind, p_channel,
    v_own, p_free_text, v_own_closed, p_now, p_fallback is not null);
begin
  if p_fallback is not null then
    v_asked := format(v_ask, 'case when guest.own_reason is not null then way.reason end', 'other_reason',
      v_asked, p_organization, p_kind, p_fallback, v_other, p_free_text, v_other_closed, p_now, true);
  end if;
  return format('select guest.*, way.channel, way.address, way.reason from (%s) as guest
    cross join lateral private.way_of(%L, %L, %s, %s, %L, %L, guest.own_reason, %s) as way',
    v_asked, p_channel, p_fallback, v_own, v_other, v_own_closed, v_other_closed,
    case when p_fallback is null then 'null' else 'guest.other_reason' end);
end
$$;
comment on function private.ways_query(text, uuid, text, text, text, boolean, jsonb, timestamptz) is
  'ways_to for many guests, as SQL: the rows of the query p_guests (with email, phone, whatsapp_id, consents and total_visits), each with its channel, address and reason, too.';
grant execute on function private.address_by(text, text, text, text), private.said_none(text, text, jsonb),
  private.blocked_by(uuid, text, text, text, text, jsonb, integer, boolean, text, timestamptz, boolean),
  private.way_of(text, text, text, text, text, text, text, text),
  private.ways_to(uuid, text, text, text, boolean, jsonb, timestamptz, text, text, text, jsonb, integer),
  private.ways_query(text, uuid, text, text, text, boolean, jsonb, timestamptz) to service_role;

create or replace function private.uncounted_for(a public.automations, p_days integer) returns uuid[]
language sql stable set search_path = ''
as $$
  -- A follow-up after the cap's days is due at a time of day: that may be some hours before they are over.
  select case when a.step > 1 and a.after_days >= p_days then array(
    select s.id from public.automations s where s.campaign_id = a.campaign_id) end
$$;
comment on function private.uncounted_for(public.automations, integer) is
  'The automations whose messages do not count against a frequency cap of so many days for this one: the other messages of its campaign, when it is a follow-up after that time. Null: all count.';

create or replace function private.counted_messages(p_since timestamptz, p_claimed boolean,
  p_uncounted uuid[], p_locations uuid[] default null)
returns table (customer_id uuid, id uuid)
language sql stable
as $$
  select m.customer_id, m.id from public.messages m
  where m.kind = 'marketing' and coalesce(m.sent_at, m.created_at) > p_since
    and case when p_claimed then m.status in ('sending', 'sent', 'delivered', 'unknown') or m.maybe_accepted
      else m.status in ('queued', 'sending', 'sent', 'delivered', 'unknown') end
    and (p_uncounted is null or (m.automation_id = any(p_uncounted)) is not true)
    and (p_locations is null or m.location_id = any(p_locations))
$$;
comment on function private.counted_messages(timestamptz, boolean, uuid[], uuid[]) is
  'The marketing messages since then that count against a guest''s frequency cap: for a plan those that wait to be sent, too, for a claim (p_claimed) those that went before. p_uncounted: as uncounted_for. p_locations: as far as someone bound to these may know.';

create or replace function private.brands_to_mute(a public.automations) returns uuid[]
language sql stable set search_path = ''
as $$
  select coalesce(case when own.id is not null then array[own.id] end, (
    select array_agg(b.id) from public.brands b where b.organization_id = a.organization_id))
  from (select private.brand_of(a) as id) as own
$$;
comment on function private.brands_to_mute(public.automations) is
  'What a guest must have muted for a message of the automation not to go to them: its brand, else all of the group; null: the group has none.';

create or replace function private.monthly_days() returns integer
language sql immutable set search_path = ''
as $$ select 30 $$;
comment on function private.monthly_days() is
  'The days in which a guest who asked for one message a month at most (customers.write_frequency) gets no other one.';

create or replace function private.after_quiet_hours(p_now timestamptz, p_timezone text, p_from time,
  p_until time)
returns timestamptz
-- In plpgsql, as consent_basis: an SQL function with a search_path of its own is planned for each statement.
language plpgsql immutable set search_path = ''
as $$
declare
  v_local timestamp := p_now at time zone p_timezone;
  v_clock time := v_local;
begin
  return case
    when p_from < p_until and v_clock >= p_from and v_clock < p_until
      or p_from > p_until and v_clock < p_until then (v_local::date + p_until) at time zone p_timezone
    when p_from > p_until and v_clock >= p_from then (v_local::date + 1 + p_until) at time zone p_timezone
    else p_now end;
end
$$;
comment on function private.after_quiet_hours(timestamptz, text, time, time) is
  'p_now, or the end of the quiet hours that p_now falls into. Quiet hours may span midnight; when both times are equal there are none.';

create or replace function private.send_windows(p_organization uuid, p_kind text, p_now timestamptz,
  p_starts_local timestamp default null)
returns table (location_id uuid, send_at timestamptz, detail jsonb)
language sql stable
as $$
  select l.id, case when p_kind = 'marketing' then held.until else due.at end,
    case when p_kind = 'marketing' and held.until > due.at then jsonb_strip_nulls(jsonb_build_object(
      'until', held.until, 'location', case when l.quiet_from is not null then l.id end)) end
  from public.organizations o
  cross join lateral (
    select k.id, k.timezone, k.quiet_from, k.quiet_until from public.locations k
    where k.organization_id = o.id
    union all
    select null, o.timezone, null, null) as l
  cross join lateral (
    select greatest(p_now, p_starts_local at time zone l.timezone) as at) as due
  cross join lateral (
    select private.after_quiet_hours(due.at, l.timezone, coalesce(l.quiet_from, o.quiet_from),
      coalesce(l.quiet_until, o.quiet_until)) as until) as held
  where o.id = p_organization
$$;
comment on function private.send_windows(uuid, text, timestamptz, timestamp) is
  'For each location, and once (null) for guests without one: from when a message of the kind may go that is due at p_now, or at p_starts_local of the location''s clock if that is later. detail: {until, location (when the quiet hours are its own, and not the group''s)} of one that has to wait.';

create or replace function private.detail_of(p_organization uuid, p_customer uuid, p_message uuid,
  p_channel text, p_address text, p_reason text, p_since timestamptz, p_claimed boolean, p_uncounted uuid[])
returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  if p_reason = 'suppressed' then
    return (
      select jsonb_strip_nulls(jsonb_build_object('suppression', s.reason, 'opt_out', s.opt_out))
      from public.suppressions s
      where s.organization_id = p_organization and s.channel = p_channel
        and s.address in (p_address, case p_channel when 'whatsapp' then (
          select c.whatsapp_id from public.customers c where c.id = p_customer) end)
      order by private.suppression_rank(s.reason) desc limit 1);
  elsif p_reason in ('frequency_cap', 'recently_written', 'guest_frequency') then
    return (
      select jsonb_build_object('message', m.id)
      from private.counted_messages(p_since, p_claimed, p_uncounted) as counted
      join public.messages m on m.id = counted.id
      where counted.customer_id = p_customer and m.id is distinct from p_message
      order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1);
  end if;
  return null;
end
$$;
comment on function private.detail_of(uuid, uuid, uuid, text, text, text, timestamptz, boolean, uuid[]) is
  'What stands behind the reason why p_message (null: a planned one) does not go: {suppression: its reason, opt_out: the one behind a bounce}, or {message: the latest of counted_messages(p_since, p_claimed, p_uncounted)}; else null.';

create or replace function private.runs_of_step(a public.automations, p_run uuid) returns uuid[]
language sql stable set search_path = ''
as $$
  select case when a.campaign_id is null then array_remove(array[p_run], null) else array(
    select run.id from public.automations s join public.automation_runs run on run.automation_id = s.id
    where s.campaign_id = a.campaign_id and s.step = a.step) end
$$;
comment on function private.runs_of_step(public.automations, uuid) is
  'The runs among which an address gets one message: p_run, or of a campaign those of all versions of the step.';

create or replace function private.taken_by(m public.messages, a public.automations, p_channel text,
  p_address text)
returns text
language plpgsql stable set search_path = ''
as $$
begin
  -- One run has one message by a channel for a customer and a reservation (messages_run_key).
  if exists (
      select from public.messages other
      where other.run_id = m.run_id and other.customer_id = m.customer_id and other.channel = p_channel
        and other.reservation_id is not distinct from m.reservation_id) then
    return 'merged';
  elsif m.kind = 'marketing' and p_channel <> 'email' and exists (
      select from public.customers c
      join public.messages other on other.run_id = any(private.runs_of_step(a, m.run_id))
        and other.customer_id = c.id and other.channel <> 'email'
        and (other.status <> 'skipped' or other.reason = 'control_group')
      where c.organization_id = m.organization_id and (c.phone = p_address or c.whatsapp_id = p_address)
        and c.id <> m.customer_id and private.address_of(c, other.channel) = p_address) then
    return 'duplicate';
  end if;
  return null;
end
$$;
comment on function private.taken_by(public.messages, public.automations, text, text) is
  'Why a waiting message of the automation cannot move to the channel: merged (the guest was, with one who has it there), duplicate (another guest with p_address has it); null: it can.';
grant execute on function private.uncounted_for(public.automations, integer),
  private.counted_messages(timestamptz, boolean, uuid[], uuid[]),
  private.brands_to_mute(public.automations), private.monthly_days(),
  private.after_quiet_hours(timestamptz, text, time, time),
  private.send_windows(uuid, text, timestamptz, timestamp),
  private.detail_of(uuid, uuid, uuid, text, text, text, timestamptz, boolean, uuid[]),
  private.runs_of_step(public.automations, uuid),
  private.taken_by(public.messages, public.automations, text, text) to service_role;
