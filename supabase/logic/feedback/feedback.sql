-- Feedback: saving, listing and answering it. The link is in a message about the visit; a bad score opens a
-- ticket for the location in the same transaction.

create or replace function private.move_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.feedback set customer_id = new.customer_id, location_id = new.location_id
    where reservation_id = new.id;
  return null;
end
$$;
comment on function private.move_feedback() is 'Trigger: feedback belongs to the guest and the location of its visit.';

create or replace trigger reservations_move_feedback after update of customer_id, location_id
  on public.reservations
  for each row when ((old.customer_id, old.location_id) is distinct from (new.customer_id, new.location_id))
  execute function private.move_feedback();

create or replace function private.surveyed_visit(p_message uuid) returns setof public.reservations
language sql stable set search_path = ''
as $$
  select r.* from public.messages m
  join public.reservations r on r.id = m.reservation_id and r.customer_id = m.customer_id
  where m.id = p_message and r.visited
$$;
comment on function private.surveyed_visit(uuid) is
  'The visit that a message is about; none when the guest did not come after all, or the visit or the message is no longer theirs.';

create or replace function private.survey_state(p_sent timestamptz, p_answered timestamptz, p_now timestamptz)
  returns text
language sql immutable set search_path = ''
as $$
  select case when p_answered is null then case when p_now < p_sent + interval '30 days' then 'open'
    else 'expired' end
    when p_now < p_answered + interval '1 day' then 'answered' else 'closed' end
$$;
comment on function private.survey_state(timestamptz, timestamptz, timestamptz) is
  'open, answered (may be changed), closed (answered more than a day ago), or expired: 30 days after the message.';

create or replace function public.feedback_survey(p_message uuid, p_now timestamptz default now())
  returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('first_name', c.first_name, 'location_name', l.name, 'score', f.score,
    'state', private.survey_state(coalesce(m.sent_at, m.created_at), f.answered_at, p_now),
    'review_urls', case when f.score = 5 then l.review_urls else '{}' end,
    'language', c.language, 'group_language', o.language)
  from private.surveyed_visit(p_message) as r
  join public.messages m on m.id = p_message
  join public.customers c on c.id = r.customer_id
  join public.locations l on l.id = r.location_id
  join public.organizations o on o.id = r.organization_id
  left join public.feedback f on f.reservation_id = r.id
$$;
comment on function public.feedback_survey(uuid, timestamptz) is
  'What the survey of a message shows, {first_name, location_name, score, state: see private.survey_state, review_urls: after five stars, language: the guest''s own or null, group_language}; null: the link leads nowhere.';

create or replace function private.ticket_of_feedback(f public.feedback, r public.reservations,
  p_words jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  -- In the language of the words; staff have two, so else in the group's, else in Spanish.
  v_words jsonb := coalesce(p_words -> f.language, (select p_words -> o.language
    from public.organizations o where o.id = f.organization_id), p_words -> 'es');
  v_values jsonb := jsonb_build_object('score', f.score, 'words', f.words,
    'date', to_char(r.reservation_date, v_words ->> 'date'), 'time', to_char(r.reservation_time, 'HH24:MI'));
  v_ticket uuid;
begin
  v_values := v_values || jsonb_build_object('answer', private.worded(
    v_words ->> case when f.words is null then 'score' else 'score_and_words' end, v_values));
  if f.ticket_opened_at is null and f.score <= 2 then
    insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
      created_at)
    select f.organization_id,
      left(private.worded(v_words ->> 'subject', v_values || jsonb_build_object('name', coalesce(
        nullif(concat_ws(' ', c.first_name, c.last_name), ''), r.customer_name, v_words ->> 'nobody'))), 200),
      private.worded(v_words ->> 'description', v_values), 'high', f.location_id, f.customer_id, f.changed_at
    from public.customers c where c.id = f.customer_id
    returning id into v_ticket;
    update public.feedback set ticket_id = v_ticket, ticket_opened_at = f.changed_at where id = f.id;
  elsif f.ticket_id is not null and (select count(*) from public.ticket_comments c
    where c.ticket_id = f.ticket_id) < 50 then
    insert into public.ticket_comments (ticket_id, author_name, body, created_at)
    values (f.ticket_id, v_words ->> 'author', private.worded(v_words ->> 'comment', v_values), f.changed_at);
    update public.tickets set changes = changes + 1 where id = f.ticket_id;
  end if;
end
$$;
comment on function private.ticket_of_feedback(public.feedback, public.reservations, jsonb) is
  'After an answer: the first bad score of a visit opens a ticket; a later change is a comment on it. Both are in the language of the answer, where p_words has it. p_words: those of lib/tickets/guest-ticket-words.json for feedback, by language.';

-- With its owner's rights, for the tickets.
create or replace function public.save_feedback(p_message uuid, p_score integer, p_words text,
  p_language text, p_ticket_words jsonb, p_now timestamptz default now()) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_message public.messages;
  v_visit public.reservations;
  v_old public.feedback;
  v_new public.feedback;
  v_state text;
begin
  select * into v_message from public.messages where id = p_message;
  if v_message.id is null then
    return 'not_found';
  end if;
  -- One after another, also with merges and the sync, which take the same lock.
  perform private.lock_identities(v_message.organization_id);
  select * into v_visit from private.surveyed_visit(p_message);
  if v_visit.id is null then
    return 'not_found';
  end if;
  select * into v_old from public.feedback where reservation_id = v_visit.id;
  v_state := private.survey_state(coalesce(v_message.sent_at, v_message.created_at), v_old.answered_at,
    p_now);
  if v_state in ('closed', 'expired') then
    return v_state;
  end if;
  insert into public.feedback as f (organization_id, location_id, customer_id, reservation_id, score, words,
    language, answered_at, changed_at)
  values (v_visit.organization_id, v_visit.location_id, v_visit.customer_id, v_visit.id, p_score,
    nullif(btrim(p_words), ''), p_language, p_now, p_now)
  -- The page does not show the earlier words, so none leaves them.
  on conflict (reservation_id) do update
    set score = excluded.score, words = coalesce(excluded.words, f.words),
    language = excluded.language, changed_at = excluded.changed_at
  returning * into v_new;
  if (v_old.score, v_old.words) is distinct from (v_new.score, v_new.words) then
    perform private.ticket_of_feedback(v_new, v_visit, p_ticket_words);
  end if;
  return 'saved';
end
$$;
comment on function public.save_feedback(uuid, integer, text, text, jsonb, timestamptz) is
  'Saves or changes the answer to the survey of a message: saved, closed, expired, or not_found: the link leads nowhere.';

-- With its owner's rights, for the audit log.
create or replace function public.save_survey_language(p_message uuid, p_language text) returns void
language sql volatile security definer set search_path = ''
as $$
  with changed as (
    update public.customers c set language = p_language
    from private.surveyed_visit(p_message) as r
    join public.organizations o on o.id = r.organization_id
    -- Whoever chooses what they are written in anyway has none of their own, as on the page of preferences.
    where c.id = r.customer_id and coalesce(c.language, o.language) <> p_language
    returning c.organization_id, c.id
  )
  insert into public.audit_log (organization_id, actor, action, subject_type, subject_id, details)
  select c.organization_id, 'guest', 'customer.wishes_changed', 'customer', c.id,
    jsonb_build_object('fields', jsonb_build_array('language'))
  from changed c
$$;
comment on function public.save_survey_language(uuid, text) is
  'Makes the language that a guest chose on the survey of a message theirs, whoever set another one before; nothing when the link leads nowhere.';

create or replace function public.reply_to_feedback(p_feedback uuid, p_reply text, p_subject text,
  p_channels text[], p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  f public.feedback;
  v_channel text;
  v_address text;
  v_message uuid;
begin
  p_now := private.clock(p_now);
  -- A line break in a subject would start another header.
  if p_subject ~ '[[:cntrl:]]' then
    raise exception 'a subject is one line' using errcode = '22023';
  end if;
  select * into f from public.feedback
  where id = p_feedback
    and location_id = any(array(select private.my_locations('canAccessClientes'))) for update;
  if f.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif f.replied_at is not null then
    return jsonb_build_object('outcome', 'replied');
  end if;
  select offer.channel, contact.address into v_channel, v_address
  from public.customers c
  -- An e-mail has room for an answer; free text by WhatsApp needs an open conversation.
  cross join (values (1, 'email'), (2, 'whatsapp'), (3, 'sms')) as offer (place, channel)
  cross join lateral (select case offer.channel when 'email' then c.email
    when 'whatsapp' then coalesce(c.phone, c.whatsapp_id) else c.phone end) as contact (address)
  where c.id = f.customer_id and offer.channel = any(p_channels) and contact.address is not null
    and case offer.channel
      when 'whatsapp' then public.whatsapp_open(f.organization_id, contact.address, p_now)
      when 'sms' then not private.is_landline(contact.address) else true end
    -- They may have written because of a message that they then stopped.
    and not exists (
      select 1 from public.suppressions s
      where s.organization_id = f.organization_id and s.channel = offer.channel
        and s.address in (contact.address, case offer.channel when 'whatsapp' then c.whatsapp_id end))
  order by offer.place limit 1;
  if v_channel is null then
    return jsonb_build_object('outcome', 'unreachable');
  end if;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, customer_id,
    reservation_id, location_id, channel, recipient, dedupe_key, content, not_before, created_at)
  values (f.organization_id, 'transactional', 'feedback_reply', 'feedback', f.id, f.customer_id,
    f.reservation_id, f.location_id, v_channel, v_address,
    'feedback:' || f.id, case v_channel when 'email' then jsonb_build_object('subject', p_subject)
      else '{}' end
      || jsonb_build_object('body', btrim(p_reply)), p_now, p_now)
  returning id into v_message;
  update public.feedback
  set reply = btrim(p_reply), replied_by = private.caller_name(), replied_at = p_now,
    reply_message_id = v_message
  where id = f.id;
  perform private.audit(f.organization_id, 'feedback.replied', f.id,
    jsonb_build_object('location_id', f.location_id));
  return jsonb_build_object('outcome', 'queued', 'channel', v_channel, 'message_id', v_message, 'at', p_now);
end
$$;
comment on function public.reply_to_feedback(uuid, text, text, text[], timestamptz) is
  'Writes back to the guest who answered a survey, once, by the first of p_channels that reaches them: {outcome: queued (channel, message_id, at: since when it may be sent), replied (before), unreachable or not_found}.';

create or replace function public.feedback_trend(p_location uuid default null,
  p_now timestamptz default now())
returns table (location_id uuid, location text, week date, answers bigint, average numeric)
language sql stable set search_path = ''
as $$
  with places as (
    select l.id, l.name, l.timezone,
      date_trunc('week', (select private.clock(p_now)) at time zone l.timezone)::date as this_week
    from public.locations l where p_location is null or l.id = p_location
  ), counted as (
    select p.id, date_trunc('week', f.answered_at at time zone p.timezone)::date as week, count(*) as answers,
      avg(f.score) as average
    from places p join public.feedback f on f.location_id = p.id
    where f.answered_at > (select private.clock(p_now)) - interval '13 weeks'
      and f.answered_at <= (select private.clock(p_now))
    group by 1, 2
  )
  select p.id, p.name, p.this_week - 7 * ago, coalesce(c.answers, 0), round(c.average, 2)
  from places p
  cross join generate_series(0, 11) as ago
  left join counted c on c.id = p.id and c.week = p.this_week - 7 * ago
  order by p.name, p.id, ago desc
$$;
comment on function public.feedback_trend(uuid, timestamptz) is
  'Answers and their average for each of the caller''s locations and each of the last 12 weeks (from Monday, local), the earliest first; average is null without answers.';

create or replace function public.feedback_scores(p_from timestamptz, p_to timestamptz,
  p_location uuid default null)
returns table (location_id uuid, location text, score smallint, answers bigint, with_words bigint)
language sql stable set search_path = ''
as $$
  select l.id, l.name, f.score, count(*), count(f.words)
  from public.feedback f join public.locations l on l.id = f.location_id
  where f.answered_at >= p_from and f.answered_at < p_to
    and (p_location is null or f.location_id = p_location)
  group by l.id, l.name, f.score
  order by l.name, l.id, f.score
$$;
comment on function public.feedback_scores(timestamptz, timestamptz, uuid) is
  'How many answers of a period (p_to excluded) have each score, by the caller''s locations.';
grant execute on function private.surveyed_visit(uuid),
  private.survey_state(timestamptz, timestamptz, timestamptz)
  to service_role;
grant execute on function public.feedback_survey(uuid, timestamptz),
  public.save_feedback(uuid, integer, text, text, jsonb, timestamptz),
  public.save_survey_language(uuid, text) to service_role;
grant execute on function public.reply_to_feedback(uuid, text, text, text[], timestamptz) to authenticated;
grant execute on function public.feedback_trend(uuid, timestamptz),
  public.feedback_scores(timestamptz, timestamptz, uuid) to authenticated;
