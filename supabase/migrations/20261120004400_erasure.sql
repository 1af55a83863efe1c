-- A person's rights: all their data as a file, and erasure everywhere. What refers to the person is
-- found by its index; free text is searched where rows are few (tickets, events, imports, job runs), by trigrams where
-- they may be more. Bookings of others are not: their notes are of those guests.

-- The texts of notices are deleted with their record, and no notice of it is sent any more.
create function private.forget_notices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.messages m set content = '{}',
    reason = case when m.status = 'queued' then 'deleted' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  from old_rows o
  where m.organization_id = o.organization_id and m.kind = 'notification' and split_part(m.dedupe_key, ':', 2) = o.id::text
    and m.status <> 'sending';
  return null;
end
$$;
comment on function private.forget_notices() is 'Trigger: empties the notices about deleted tickets and events; queued ones are skipped.';
create trigger tickets_forget_notices after delete on public.tickets
  referencing old table as old_rows for each statement execute function private.forget_notices();
create trigger calendar_events_forget_notices after delete on public.calendar_events
  referencing old table as old_rows for each statement execute function private.forget_notices();

create function private.folded_pattern(p_words text[]) returns text
language sql immutable set search_path = ''
as $$
  select string_agg(word.pattern, '[\s,._-]+' order by word.place)
  from (
    select w.place, string_agg(case letter
      when 'a' then '[aáàâäãåāąAÁÀÂÄÃÅĀĄ]' when 'c' then '[cçćčCÇĆČ]' when 'd' then '[dďđDĎĐ]' when 'e' then '[eéèêëēęěEÉÈÊËĒĘĚ]'
      when 'g' then '[gğGĞ]' when 'i' then '[iíìîïīıIÍÌÎÏĪİ]' when 'l' then '[lłLŁ]' when 'n' then '[nñńňNÑŃŇ]'
      when 'o' then '[oóòôöõøōőOÓÒÔÖÕØŌŐ]' when 'r' then '[rřRŘ]' when 's' then '[sśšşșSŚŠŞȘ]' when 't' then '[tťţțTŤŢȚ]'
      when 'u' then '[uúùûüūůűUÚÙÛÜŪŮŰ]' when 'y' then '[yýÿYÝŸ]' when 'z' then '[zźżžZŹŻŽ]'
      else case when letter ~ '[[:alnum:]]' then letter else '\' || letter end end
      -- Accents may be characters of their own, as in file names.
      || '[\u0300-\u036f]*', '' order by l.place) as pattern
    from unnest(p_words) with ordinality as w (word, place)
    cross join lateral regexp_split_to_table(w.word, '') with ordinality as l (letter, place)
    group by w.place
  ) as word
$$;
comment on function private.folded_pattern(text[]) is
  'A regular expression for normalised words one after the other, whatever their case, accents and the punctuation between them.';

create function private.phone_pattern(p_phone text) returns text
language sql immutable set search_path = ''
as $$
  select '(?:\+|00)?' || string_agg(case when d.place <= least(3, length(p_phone) - 9) then '(?:' || d.digit || '[\s()./-]*)?'
    else d.digit || case when d.place < length(p_phone) - 1 then '[\s()./-]*' else '' end end, '' order by d.place)
  from regexp_split_to_table(substr(p_phone, 2), '') with ordinality as d (digit, place)
$$;
comment on function private.phone_pattern(text) is
  'A regular expression for an E.164 number with or without its country code, with any separators between the digits.';

create type private.traces as (addresses text[], linked text, anywhere text, names text[]);

create function private.traces_of(p_customer uuid) returns private.traces
language plpgsql stable set search_path = ''
as $$
declare
  c public.customers;
  t private.traces;
  v_forms text[];
  v_words text[];
  v_shared text[];
begin
  select * into c from public.customers where id = p_customer;
  t.addresses := array(
    select distinct a.address from (
      select unnest(array[c.email, c.phone, c.whatsapp_id])
      union all
      select coalesce(l.email, l.phone, l.whatsapp_id) from public.customer_aliases l where l.customer_id = p_customer
      union all
      select unnest(array[r.customer_email, r.customer_phone]) from public.reservations r where r.customer_id = p_customer
      union all
      select m.recipient from public.messages m where m.customer_id = p_customer
    ) as a (address) where a.address is not null limit 200);
  t.names := array(
    select distinct n.name from (
      select private.normalize_text(replace(concat_ws(' ', c.first_name, c.last_name), ',', ' '))
      union all
      select private.normalize_text(replace(l.name, ',', ' ')) from public.customer_aliases l where l.customer_id = p_customer
      union all
      select private.normalize_text(replace(r.customer_name, ',', ' ')) from public.reservations r where r.customer_id = p_customer
    ) as n (name) where n.name <> '' limit 50);
  -- Every rotation ("García López, Ana"), and the first name with the first surname, both ways.
  v_forms := array(
    select distinct private.folded_pattern(form.words) from (
      select w.words[turn:] || w.words[:turn - 1] as words
      from (select string_to_array(name, ' ') as words from unnest(t.names) as name) as w
      cross join generate_series(1, least(cardinality(w.words), 8)) as turn
      where cardinality(w.words) > 1
      union
      select case turn when 1 then array[f.first, f.last] else array[f.last, f.first] end
      from (select split_part(private.normalize_text(c.first_name), ' ', 1) as first,
        split_part(private.normalize_text(c.last_name), ' ', 1) as last) as f
      cross join generate_series(1, 2) as turn
      where f.first <> '' and f.last <> ''
    ) as form);
  -- A single word counts as the person's name only in rows linked to them.
  v_words := array(
    select distinct private.folded_pattern(array[word]) from unnest(t.names) as name
    cross join lateral unnest(string_to_array(name, ' ')) as word
    where length(word) > 2 and word not in ('del', 'los', 'las', 'van', 'von', 'der', 'den', 'san', 'dos', 'das'));
  v_shared := array(
    select o.phone from private.phone_owners(c.organization_id, array(select a from unnest(t.addresses) as a where a ~ '^\+[0-9]+$')) as o
    where o.customer_id <> p_customer);
  select '(?<![[:alnum:]])(?:' || string_agg(p.pattern, '|') || ')(?![[:alnum:]])',
    '(?<![[:alnum:]])(?:' || string_agg(p.pattern, '|') filter (where p.anywhere) || ')(?![[:alnum:]])'
  into t.linked, t.anywhere
  from (
    select case when a ~ '^\+[0-9]+$' then private.phone_pattern(a) else regexp_replace(a, '([^[:alnum:]])', '\\\1', 'g') end as pattern,
      a <> all(v_shared) as anywhere
    from unnest(t.addresses) as a
    union all select f, true from unnest(v_forms) as f
    union all select w, false from unnest(v_words) as w
  ) as p;
  return t;
end
$$;
comment on function private.traces_of(uuid) is
  'The search terms for a customer: addresses, names (normalised), and regular expressions (flag i): linked for rows about them, with single words of the name; anywhere for others.';

create function private.redacted(p_text text, p_pattern text) returns text
language sql immutable set search_path = ''
as $$ select coalesce(regexp_replace(p_text, p_pattern, '[…]', 'gi'), p_text) $$;
comment on function private.redacted(text, text) is 'The text with […] in place of matches of the pattern.';

create function private.redacted(p_value jsonb, p_pattern text) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  return case jsonb_typeof(p_value)
    when 'string' then to_jsonb(private.redacted(p_value #>> '{}', p_pattern))
    when 'array' then (select coalesce(jsonb_agg(private.redacted(e.value, p_pattern) order by e.place), '[]')
      from jsonb_array_elements(p_value) with ordinality as e (value, place))
    when 'object' then (select coalesce(jsonb_object_agg(private.redacted(e.key, p_pattern), private.redacted(e.value, p_pattern)), '{}')
      from jsonb_each(p_value) as e)
    else p_value end;
end
$$;
comment on function private.redacted(jsonb, text) is 'The same in every text of a value.';

create function private.unquoted(p_text text) returns text
language sql immutable set search_path = ''
as $$ select regexp_replace(p_text, '(«).*(»)|(“).*(”)', '\1\3[…]\2\4') $$;
comment on function private.unquoted(text) is 'The text with […] in place of what it quotes.';

create function private.redact_desk(p_customer uuid, p_organization uuid, t private.traces) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_linked uuid[];
  v_others uuid[];
begin
  -- Tickets and events of a namesake are theirs.
  v_linked := array(select k.id from public.tickets k where k.customer_id = p_customer
    union all select e.id from public.calendar_events e where e.customer_id = p_customer);
  v_others := array(
    select found.id from (
      select k.id, k.customer_id from public.tickets k
      where k.organization_id = p_organization and k.search_text ~* t.anywhere
      union
      select k.id, k.customer_id from public.ticket_comments m join public.tickets k on k.id = m.ticket_id
      where k.organization_id = p_organization and m.body ~* t.anywhere
      union
      -- A subject may name them.
      select k.id, k.customer_id from public.ticket_changes h join public.tickets k on k.id = h.ticket_id
      where k.organization_id = p_organization and h.field = 'subject' and h.before ~* t.anywhere
      union
      select e.id, e.customer_id from public.calendar_events e
      where e.organization_id = p_organization and (e.title || ' ' || coalesce(e.description, '')) ~* t.anywhere
    ) as found
    left join public.customers c on c.id = found.customer_id
    where found.id <> all(v_linked)
      and (c.id is null or private.normalize_text(concat_ws(' ', c.first_name, c.last_name)) <> all(t.names)));
  with part as (
    select id, t.linked as pattern from unnest(v_linked) as id
    union all select id, t.anywhere from unnest(v_others) as id where t.anywhere is not null
  ), tickets as (
    update public.tickets k set subject = private.redacted(k.subject, p.pattern),
      description = private.redacted(k.description, p.pattern)
    from part p where k.id = p.id
  ), comments as (
    update public.ticket_comments m set body = private.redacted(m.body, p.pattern) from part p where m.ticket_id = p.id
  ), events as (
    update public.calendar_events e set title = private.redacted(e.title, p.pattern),
      description = private.redacted(e.description, p.pattern)
    from part p where e.id = p.id
  )
  update public.messages m set content = private.redacted(m.content, p.pattern)
  from part p
  where m.organization_id = p_organization and m.kind = 'notification' and split_part(m.dedupe_key, ':', 2) = p.id::text;
  update public.shift_notes n set body = left(private.redacted(n.body, t.anywhere), 2000)
  where n.organization_id = p_organization and n.body ~* t.anywhere;
  -- Sent reports are no longer needed; a queued one is sent without the name.
  update public.messages m set content = case when m.status in ('queued', 'sending')
    then private.redacted(m.content, t.linked) else '{}' end
  from public.profiles p
  where p.organization_id = p_organization and m.organization_id = p_organization and m.kind = 'notification'
    and split_part(m.dedupe_key, ':', 2) = p.id::text and m.dedupe_key like 'morning:%' and m.content <> '{}';
  -- The erasure itself is not a change to notify.
  delete from public.ticket_changes h
  where h.ticket_id = any(v_linked || v_others) and h.field = 'subject' and h.created_at >= now();
  update public.ticket_changes h set before = private.redacted(h.before, p.pattern), after = private.redacted(h.after, p.pattern)
  from (
    select id, t.linked as pattern from unnest(v_linked) as id
    union all select id, t.anywhere from unnest(v_others) as id where t.anywhere is not null
  ) as p
  where h.ticket_id = p.id and h.field = 'subject';
end
$$;
comment on function private.redact_desk(uuid, uuid, private.traces) is
  'Removes a customer from tickets, comments, events, the notices about them (those linked, and those that name them), shift notes and morning reports.';

create function private.redact_records(p_customer uuid, p_organization uuid, t private.traces) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A failed row of a file contains only the person's data.
  update public.import_runs i set file_name = private.redacted(i.file_name, t.anywhere),
    errors = private.redacted(i.errors, t.anywhere), failed_rows = kept.failed_rows,
    failed_row_count = case when i.failed_rows is null then i.failed_row_count
      else jsonb_array_length(kept.failed_rows -> 'rows') end
  from public.import_runs o
  cross join lateral (
    select case when o.failed_rows is null then null else jsonb_set(o.failed_rows, '{rows}', (
      select coalesce(jsonb_agg(r.value order by r.place), '[]')
      from jsonb_array_elements(o.failed_rows -> 'rows') with ordinality as r (value, place)
      where array_to_string(array(select jsonb_array_elements_text(r.value)), ' ') !~* t.anywhere)) end as failed_rows
  ) as kept
  where o.id = i.id and i.organization_id = p_organization and t.anywhere is not null
    and (o.file_name ~* t.anywhere or o.errors::text ~* t.anywhere or kept.failed_rows <> o.failed_rows);
  -- With a piece of its id: two names without the person may be one, and names are unique.
  update public.segments s set definition = private.redacted(s.definition, t.anywhere), name = case when s.name ~* t.anywhere
    then left(private.redacted(s.name, t.anywhere), 100) || ' ' || left(s.id::text, 8) else s.name end
  where s.organization_id = p_organization and (s.name ~* t.anywhere or s.definition::text ~* t.anywhere);
  update public.campaigns c set name = private.redacted(c.name, t.anywhere)
  where c.organization_id = p_organization and c.name ~* t.anywhere;
  update public.automations a set name = c.name from public.campaigns c
  where a.campaign_id = c.id and c.organization_id = p_organization and a.name <> c.name;
  update public.automation_runs run set automation_name = a.name from public.automations a
  where run.automation_id = a.id and a.type = 'campaign' and a.organization_id = p_organization and run.automation_name <> a.name;
  update public.job_runs j set result = private.redacted(j.result, t.anywhere)
  where j.organization_id = p_organization and j.result::text ~* t.anywhere;
  update public.audit_log g set subject = private.redacted(g.subject, t.anywhere), details = private.redacted(g.details, t.anywhere)
  where g.organization_id = p_organization and g.subject_type in ('ticket', 'calendar_event', 'import', 'segment', 'campaign')
    and (g.subject ~* t.anywhere or g.details::text ~* t.anywhere);
  update public.audit_log g set details = private.redacted(g.details, t.linked)
  where g.subject_id = p_customer and g.details::text ~* t.linked;
end
$$;
comment on function private.redact_records(uuid, uuid, private.traces) is
  'Removes a customer from imports, names of segments and campaigns, job runs and the audit log, whose lines stay.';

create function public.erase_customer(p_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  t private.traces;
begin
  perform private.refuse_unconfirmed();
  perform private.lock_identities(v_organization);
  perform 1 from public.customers where id = p_id and organization_id = v_organization for update;
  if not found then
    return 'not_found';
  end if;
  t := private.traces_of(p_id);
  -- Without name and address there is nothing to search for.
  if t.linked is not null then
    perform private.redact_desk(p_id, v_organization, t);
    perform private.redact_records(p_id, v_organization, t);
  end if;
  -- The score stays, without a name, for the figures. In the ticket their words are between quotes of their language.
  update public.tickets k set description = private.unquoted(k.description)
  from public.feedback f where f.customer_id = p_id and k.id = f.ticket_id;
  update public.ticket_comments m set body = private.unquoted(m.body)
  from public.feedback f where f.customer_id = p_id and m.ticket_id = f.ticket_id and m.author_id is null;
  -- The e-mails about the ticket repeat them.
  update public.messages m set content = '{}', reason = case when m.status = 'queued' then 'erased' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  from public.feedback f
  where f.customer_id = p_id and m.organization_id = v_organization and m.kind = 'notification'
    and split_part(m.dedupe_key, ':', 2) = f.ticket_id::text and m.status <> 'sending';
  update public.feedback set words = null, reply = null, customer_id = null where customer_id = p_id;
  -- Reservations of an import contain only the link to the person.
  delete from public.reservations where customer_id = p_id and source = 'import';
  delete from private.push_notices n using public.reservations r where r.customer_id = p_id and n.reservation_id = r.id;
  update public.reservations set customer_id = null, customer_name = null, customer_email = null,
    customer_phone = null, notes = null, staff_marks = staff_marks - 'notes', erased_at = now()
  where customer_id = p_id;
  delete from private.engagement_events e using public.messages m where m.customer_id = p_id and e.message_id = m.id;
  delete from public.message_engagement g using public.messages m where m.customer_id = p_id and g.message_id = m.id;
  -- Providers put addresses into their reasons.
  update public.messages set recipient = null, content = '{}', customer_id = null,
    reason = case when status = 'queued' then 'erased' end,
    status = case when status = 'queued' then 'skipped' else status end
  where customer_id = p_id;
  delete from public.customers where id = p_id;
  -- That the address wants no messages stays, for writing to it again would be worse; what was said about the person goes.
  update public.suppressions set author = null, note = null
  where organization_id = v_organization and address = any(t.addresses) and num_nonnulls(author, note) > 0;
  -- Who waits for a table is no customer yet: a telephone is all that says who it is.
  -- The messages outlive the waitlist, whose ended entries are deleted after 30 days.
  delete from public.messages m
  where m.organization_id = v_organization and m.channel in ('sms', 'whatsapp') and m.recipient = any(t.addresses)
    and m.customer_id is null and split_part(m.dedupe_key, ':', 1) in ('waitlist', 'offer', 'offer-answer');
  delete from public.waitlist w where w.organization_id = v_organization and w.phone = any(t.addresses);
  -- When they last wrote by WhatsApp; another guest may write from the same phone.
  delete from public.whatsapp_windows w
  where w.organization_id = v_organization and (w.address = any(t.addresses) or w.whatsapp_id = any(t.addresses))
    and not exists (
      select 1 from public.customers c
      where c.organization_id = v_organization and (c.phone = w.address or c.whatsapp_id = w.address));
  update public.whatsapp_windows w set whatsapp_id = null
  where w.organization_id = v_organization and w.whatsapp_id = any(t.addresses) and not exists (
    select 1 from public.customers c where c.organization_id = v_organization and c.whatsapp_id = w.whatsapp_id);
  perform private.audit(v_organization, 'customer.erased', p_id);
  return 'erased';
end
$$;
comment on function public.erase_customer(uuid) is
  'Erases a person (GDPR art. 17): the customer goes, reservations and messages stay without personal data. erased or not_found.';

create function public.export_customer(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_customer public.customers;
  v_everywhere constant boolean := private.works_everywhere();
  v_locations constant uuid[] := array(select private.my_locations());
begin
  perform private.refuse_unconfirmed();
  select * into v_customer from public.customers
  where id = p_id and organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and exists (
      select 1 from public.profiles p
      where p.id = (select private.caller()) and p.role in ('super_admin', 'admin', 'ceo'));
  if v_customer.id is null then
    return null;
  end if;
  perform private.audit(v_customer.organization_id, 'customer.exported', p_id);
  return jsonb_build_object(
    'exported_at', now(),
    'customer', private.customer_json(v_customer),
    'recorded_consents', v_customer.consents,
    'former_addresses', (
      select coalesce(jsonb_agg(coalesce(a.email, a.phone, a.whatsapp_id) order by a.created_at, a.id), '[]')
      from public.customer_aliases a where a.customer_id = p_id and a.name is null),
    'former_names', (
      select coalesce(jsonb_agg(a.name order by a.created_at, a.id), '[]')
      from public.customer_aliases a where a.customer_id = p_id and a.name is not null),
    'merges', (
      select coalesce(jsonb_agg(jsonb_build_object('merged_at', m.merged_at, 'author', m.author_name,
        'undone_at', m.undone_at, 'record', s.gone - array['organization_id', 'sort_name', 'sort_visit', 'search_text',
          'birth_day', 'email_key']) order by m.merged_at, m.id), '[]')
      from public.customer_merges m left join private.merged_customers s on s.merge_id = m.id
      where m.kept_id = p_id),
    'facts', (
      select coalesce(jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note,
        'recorded_by', f.recorded_by, 'recorded_at', f.recorded_at) order by f.kind, f.code), '[]')
      from public.customer_facts f where f.customer_id = p_id),
    'rhythm', (
      select jsonb_build_object('visit_days', k.visit_days, 'first_day', k.first_day, 'last_day', k.last_day,
        'usual_days', k.usual_days, 'at_risk_on', k.at_risk_on, 'lost_on', k.lost_on)
      from public.customer_rhythms k where k.customer_id = p_id),
    'reservations', (
      select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'external_id', r.external_id, 'location', l.name,
        'customer_name', r.customer_name, 'customer_email', r.customer_email, 'customer_phone', r.customer_phone,
        'reservation_date', r.reservation_date, 'reservation_time', to_char(r.reservation_time, 'HH24:MI'),
        'party_size', r.party_size, 'status', r.status, 'pms_status', r.pms_status, 'visited', r.visited,
        'notes', r.notes, 'staff_marks', r.staff_marks, 'total_amount', r.total_amount,
        'source', r.source, 'zone_name', r.zone_name, 'table_name', r.table_name, 'created_at', r.created_at)
        order by r.service_order, r.id), '[]')
      from public.reservations r join public.locations l on l.id = r.location_id
      where r.customer_id = p_id and r.location_id = any(v_locations)),
    'waitlist', (
      select coalesce(jsonb_agg(jsonb_build_object('location', l.name, 'name', w.name, 'phone', w.phone,
        'party_size', w.party_size, 'notes', w.notes, 'joined_at', w.joined_at, 'outcome', w.outcome)
        order by w.joined_at, w.id), '[]')
      from public.waitlist w join public.locations l on l.id = w.location_id
      where w.organization_id = v_customer.organization_id and w.phone = v_customer.phone
        and w.location_id = any(v_locations)),
    'points', (
      select coalesce(jsonb_agg(private.points_json(p) order by p.created_at, p.id), '[]')
      from public.loyalty_points p left join public.reservations r on r.id = p.reservation_id
      where p.customer_id = p_id and (p.reservation_id is null or r.location_id = any(v_locations))),
    'messages', (
      select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'automation', u.name,
        'channel', m.channel, 'recipient', m.recipient, 'status', m.status, 'reason', m.reason,
        'simulated', m.simulated, 'content', m.content, 'created_at', m.created_at, 'sent_at', m.sent_at, 'delivered_at', m.delivered_at,
        'engagement', (
          select coalesce(jsonb_agg(jsonb_build_object('kind', g.kind, 'link', nullif(g.link, ''), 'actor', g.actor,
            'first_at', g.first_at, 'times', g.times) order by g.first_at, g.kind, g.link, g.actor), '[]')
          from public.message_engagement g where g.message_id = m.id),
        'engagement_events', (
          select coalesce(jsonb_agg(jsonb_build_object('kind', e.kind, 'link', nullif(e.link, ''), 'agent', e.agent,
            'at', e.at) order by e.at, e.receipt), '[]')
          from private.engagement_events e where e.message_id = m.id))
        order by m.created_at, m.id), '[]')
      from public.messages m left join public.automations u on u.id = m.automation_id
      where m.customer_id = p_id and (v_everywhere or m.location_id = any(v_locations))),
    'feedback', (
      select coalesce(jsonb_agg(jsonb_build_object('location', l.name, 'score', f.score, 'words', f.words,
        'language', f.language, 'answered_at', f.answered_at, 'changed_at', f.changed_at,
        'reply', f.reply, 'replied_at', f.replied_at)
        order by f.answered_at, f.id), '[]')
      from public.feedback f join public.locations l on l.id = f.location_id
      where f.customer_id = p_id and f.location_id = any(v_locations)),
    'tickets', (
      select coalesce(jsonb_agg(jsonb_build_object('number', k.number, 'subject', k.subject, 'description', k.description,
        'status', k.status, 'priority', k.priority, 'created_at', k.created_at, 'resolved_at', k.resolved_at,
        'former_subjects', (
          select coalesce(jsonb_agg(h.before order by h.created_at, h.id), '[]')
          from public.ticket_changes h where h.ticket_id = k.id and h.field = 'subject'),
        'comments', (
          select coalesce(jsonb_agg(jsonb_build_object('body', m.body, 'created_at', m.created_at)
            order by m.created_at, m.id), '[]')
          from public.ticket_comments m where m.ticket_id = k.id)) order by k.number), '[]')
      from public.tickets k
      where k.customer_id = p_id and (v_everywhere or k.location_id is null or k.location_id = any(v_locations))),
    'calendar_events', (
      select coalesce(jsonb_agg(jsonb_build_object('title', e.title, 'description', e.description,
        'event_datetime', e.event_datetime, 'ends_at', e.ends_at, 'location', l.name, 'created_at', e.created_at)
        order by e.event_datetime, e.id), '[]')
      from public.calendar_events e left join public.locations l on l.id = e.location_id
      where e.customer_id = p_id and (v_everywhere or e.location_id is null or e.location_id = any(v_locations))),
    'suppressions', (
      select coalesce(jsonb_agg(jsonb_build_object('channel', s.channel, 'address', s.address, 'reason', s.reason,
        'author', s.author, 'note', s.note, 'created_at', s.created_at) order by s.created_at, s.id), '[]')
      from public.suppressions s
      where s.organization_id = v_customer.organization_id and s.channel in ('email', 'sms', 'whatsapp')
        and (s.address in (v_customer.email, v_customer.phone, v_customer.whatsapp_id) or s.address in (
          select coalesce(a.email, a.phone, a.whatsapp_id) from public.customer_aliases a
          where a.customer_id = p_id))),
    'whatsapp_windows', (
      select coalesce(jsonb_agg(jsonb_build_object('address', w.address, 'last_inbound_at', w.last_inbound_at)
        order by w.last_inbound_at, w.address), '[]')
      from public.whatsapp_windows w
      where w.organization_id = v_customer.organization_id
        and w.address = any(private.whatsapp_addresses_of(p_id))),
    'audit', (
      select coalesce(jsonb_agg(jsonb_build_object('action', g.action, 'details', g.details,
        'created_at', g.created_at) order by g.created_at, g.id), '[]')
      from public.audit_log g where g.subject_id = p_id));
end
$$;
comment on function public.export_customer(uuid) is
  'Everything held about a person (GDPR art. 15 and 20) in the caller''s locations, or null when the caller may not see them.';

revoke execute on function private.forget_notices(), private.folded_pattern(text[]), private.phone_pattern(text),
  private.traces_of(uuid), private.redacted(text, text), private.redacted(jsonb, text),
  private.redact_desk(uuid, uuid, private.traces), private.redact_records(uuid, uuid, private.traces) from public;
revoke execute on function public.erase_customer(uuid), public.export_customer(uuid) from public, anon;
grant execute on function public.erase_customer(uuid), public.export_customer(uuid) to authenticated;
