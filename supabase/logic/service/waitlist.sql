-- The waitlist: parties join, are called by SMS or WhatsApp, and are seated or leave. Ended entries are kept
-- for 30 days (tidy_up).

create or replace function public.join_waitlist(p_location uuid, p_entry jsonb,
  p_now timestamptz default now()) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_id uuid := coalesce((p_entry ->> 'key')::uuid, gen_random_uuid());
begin
  if p_location is null or p_location <> all(array(select private.my_locations('canAccessOperaciones'))) then
    return null;
  end if;
  -- First this lock: a device that gave up waiting sends the party again while it is being added.
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  if exists (select from public.waitlist w where w.id = v_id and w.location_id = p_location) then
    return v_id;
  end if;
  insert into public.waitlist (id, organization_id, location_id, name, phone, party_size, quoted_minutes,
    notes, joined_at)
  select v_id, l.organization_id, l.id, e.name, e.phone, e.party_size, e.quoted_minutes,
    nullif(btrim(e.notes), ''), private.tapped_at(p_entry, private.clock(p_now))
  from public.locations l
  cross join jsonb_to_record(p_entry) as e (name text, phone text, party_size integer,
    quoted_minutes integer, notes text)
  where l.id = p_location
    and (select count(*) from public.waitlist w where w.location_id = l.id and w.outcome is null) < 200
  -- The key of a party of another location is not taken twice.
  on conflict (id) do nothing
  returning id into v_id;
  return v_id;
end
$$;
comment on function public.join_waitlist(uuid, jsonb, timestamptz) is
  'Adds a party {name, phone, party_size, quoted_minutes, notes, key, at} to a location''s waitlist, once for each key, and returns its id, which is the key if there is one; null without the right, and when 200 already wait.';

create or replace function public.list_waiting(p_location uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  -- The host, who otherwise reads no messages, sees whether this message was sent.
  select (
    select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'phone', w.phone, 'party_size',
      w.party_size,
      'quoted_minutes', w.quoted_minutes, 'notes', w.notes, 'joined_at', w.joined_at, 'called_at',
      w.called_at,
      'message', case when m.id is not null then jsonb_build_object('channel', m.channel, 'status', m.status,
        'reason', m.reason, 'simulated', m.simulated) end, 'offer', (
        select jsonb_build_object('table_name', o.table_name,
          'tables', private.table_names(o.table_name), 'at', o.starts_at, 'expires_at', o.expires_at,
          'outcome', o.outcome)
        from private.table_offers o where o.waitlist_id = w.id order by o.offered_at desc limit 1))
          order by w.joined_at, w.id), '[]')
    from public.waitlist w left join public.messages m on m.id = w.message_id
    where w.location_id = l.id and w.outcome is null)
  from public.locations l
  where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
$$;
comment on function public.list_waiting(uuid) is
  'The waiting parties of a location in order of arrival, each with the message that called them; null without the right.';

-- By the database's own clock: the service may choose p_now.
create or replace function private.call_limit(p_entry public.waitlist) returns text
language plpgsql volatile set search_path = ''
as $$
begin
  -- Two calls of a number at once: the second sees the message of the first.
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('call:' || p_entry.organization_id || p_entry.phone, 0));
  if exists (
    select 1 from public.messages m
    where m.organization_id = p_entry.organization_id and m.channel in ('sms', 'whatsapp')
      and m.recipient = p_entry.phone
      and m.purpose = 'waitlist_call' and m.created_at > now() - interval '2 minutes') then
    return 'called_just_now';
  elsif public.take_rate_limit('call:' || (select private.caller()), 60, 3600) > 0
    or public.take_rate_limit('call:' || p_entry.location_id, 60, 3600) > 0 then
    return 'too_many_calls';
  end if;
  return null;
end
$$;
comment on function private.call_limit(public.waitlist) is
  'Counts a message that calls a party. called_just_now: its phone got one within 2 minutes; too_many_calls: 60 within an hour, by the caller or at the location; null: it may go.';

create or replace function public.call_waiting(p_id uuid, p_channels text[], p_now timestamptz default now())
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_entry public.waitlist;
  v_channel text;
  v_refusal text;
  v_message uuid;
begin
  p_now := private.clock(p_now);
  select * into v_entry from public.waitlist w
  where w.id = p_id
    and w.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_entry.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_entry.outcome is not null or v_entry.called_at is not null then
    return jsonb_build_object('outcome', 'conflict');
  end if;
  -- WhatsApp allows free text only within 24 hours of the person's last message.
  v_channel := case when v_entry.phone is null then null
    when 'whatsapp' = any(p_channels) and public.whatsapp_open(v_entry.organization_id, v_entry.phone, p_now)
      then 'whatsapp'
    when 'sms' = any(p_channels) and not private.is_landline(v_entry.phone) then 'sms' end;
  if v_channel is not null then
    v_refusal := private.call_limit(v_entry);
    if v_refusal is not null then
      return jsonb_build_object('outcome', v_refusal);
    end if;
    insert into public.messages (organization_id, kind, purpose, about_type, about_id, location_id, channel,
      recipient, dedupe_key, content, not_before)
    select v_entry.organization_id, 'transactional', 'waitlist_call', 'waitlist', v_entry.id,
      v_entry.location_id, v_channel, v_entry.phone,
      'waitlist:' || v_entry.id,
      private.guest_text('table_ready',
        private.language_for(v_entry.organization_id, null, v_entry.phone),
        jsonb_build_object('location', l.name), p_now + interval '15 minutes'), p_now
    from public.locations l where l.id = v_entry.location_id
    returning id into v_message;
  end if;
  update public.waitlist set called_at = p_now, message_id = v_message where id = p_id;
  return jsonb_build_object('outcome', 'saved', 'channel', v_channel, 'message_id', v_message, 'at', p_now);
end
$$;
comment on function public.call_waiting(uuid, text[], timestamptz) is
  'Marks a waiting party as called and queues the message to it by one of the connected channels (null: staff call by voice): saved (at: since when it may be sent), not_found, conflict (called before, or no longer waiting), or called_just_now or too_many_calls (see private.call_limit).';

create or replace function private.end_waiting(p_id uuid, p_outcome text, p_tap jsonb, p_now timestamptz)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_entry public.waitlist;
  v_answer jsonb;
  v_contact jsonb;
  v_reservation uuid;
begin
  -- First this lock and then the party, as take_taps does with several taps at once.
  perform private.lock_identities(w.organization_id) from public.waitlist w
  where w.id = p_id and w.location_id = any(array(select private.my_locations('canAccessOperaciones')));
  select * into v_entry from public.waitlist w
  where w.id = p_id
    and w.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_entry.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif (v_entry.outcome is null) = (p_outcome is null) or v_entry.outcome in ('seated', 'booked') then
    return jsonb_build_object('outcome', 'conflict');
  end if;
  if p_outcome = 'seated' then
    v_answer := private.take_tap(v_entry.location_id, p_tap || jsonb_build_object('action', 'walk_in',
      'party_size', v_entry.party_size, 'customer_name', v_entry.name), p_now);
    if v_answer ->> 'outcome' <> 'saved' then
      return v_answer;
    end if;
    v_reservation := (v_answer ->> 'reservation_id')::uuid;
    v_contact := jsonb_build_object('customer_phone', v_entry.phone, 'notes', v_entry.notes);
    -- At the door staff are not asked whose phone it is: another guest's phone is stored without that guest.
    if public.save_reservation(v_contact, v_reservation) ->> 'outcome' = 'contact_of_another' then
      perform public.save_reservation(v_contact || '{"link": "none"}', v_reservation);
    end if;
  end if;
  update public.waitlist set outcome = p_outcome, ended_at = case when p_outcome is not null then p_now end
  where id = p_id;
  return jsonb_strip_nulls(jsonb_build_object('outcome', 'saved', 'reservation_id', v_reservation));
end
$$;
comment on function private.end_waiting(uuid, text, jsonb, timestamptz) is
  'public.end_waiting by a tap {key, at, table_name, confirm}.';

create or replace function public.end_waiting(p_id uuid, p_outcome text, p_table text default null,
  p_now timestamptz default now(), p_confirm jsonb default '[]')
returns jsonb
language sql volatile security definer set search_path = ''
as $$
  select private.end_waiting(p_id, p_outcome, jsonb_build_object('key', gen_random_uuid(),
    'table_name', p_table, 'confirm', p_confirm), private.clock(p_now))
$$;
comment on function public.end_waiting(uuid, text, text, timestamptz, jsonb) is
  'A waiting party is seated (and becomes a walk-in at p_table) or left; null brings back one that left: saved, not_found, conflict, or what the tap asks (private.refused_tap) and p_confirm does not answer.';

create or replace function private.take_waiting_tap(p_location uuid, p_tap jsonb, p_now timestamptz)
  returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  v_answer jsonb := jsonb_build_object('key', v_key);
  v_outcome text := case v_action when 'wait_seat' then 'seated' when 'wait_leave' then 'left' end;
  v_entry public.waitlist;
begin
  select * into v_entry from public.waitlist w where w.location_id = p_location
    and w.id = case when v_action = 'wait_join' then v_key else (p_tap ->> 'waiting_id')::uuid end;
  if v_action = 'wait_join' then
    return v_answer || jsonb_build_object('outcome', case when v_entry.id is not null then 'repeated'
      when public.join_waitlist(p_location, p_tap, p_now) is null then 'waitlist_full' else 'saved' end);
  elsif v_entry.id is null then
    return v_answer || '{"outcome": "not_found"}';
  elsif exists (select from private.service_taps t where t.key = v_key) then
    return v_answer || '{"outcome": "repeated"}';
  end if;
  -- Who left twice has left.
  v_answer := v_answer || case when v_action <> 'wait_seat' and v_entry.outcome is not distinct from v_outcome
    then '{"outcome": "repeated"}' else private.end_waiting(v_entry.id, v_outcome, p_tap, p_now) end;
  -- The walk-in that a seated party becomes has stored the key.
  insert into private.service_taps (key, organization_id, waitlist_id, action, before, after, taken_at)
  select v_key, v_entry.organization_id, v_entry.id, v_action, '{}', '{}', p_now
  where v_action <> 'wait_seat' and v_answer ->> 'outcome' in ('saved', 'repeated');
  return v_answer;
end
$$;
comment on function private.take_waiting_tap(uuid, jsonb, timestamptz) is
  'Applies one tap of the waitlist, once, under lock_identities: wait_join (its key becomes the party''s id), or wait_seat, wait_leave or wait_return of waiting_id. Answers as take_tap; waitlist_full: 200 wait already.';
grant execute on function public.join_waitlist(uuid, jsonb, timestamptz), public.list_waiting(uuid),
  public.call_waiting(uuid, text[], timestamptz), public.end_waiting(uuid, text, text, timestamptz, jsonb)
    to authenticated;
