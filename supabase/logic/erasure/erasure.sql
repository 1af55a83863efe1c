-- A person's rights: all their data as a file, and erasure. What refers to the person is found by its index;
-- free text of nobody is searched (traces.sql) where rows are few (tickets, events, imports, job runs), by
-- trigrams where they may be more. Rows about other guests are not: they stay whole, and so do names,
-- definitions and lines of the audit log.

-- The texts of notices are deleted with their record, and no notice of it is sent any more.
create or replace function private.forget_notices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.messages m set content = '{}',
    reason = case when m.status = 'queued' then 'deleted' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  from old_rows o
  where m.organization_id = o.organization_id and m.kind = 'notification' and m.about_id = o.id
    and m.status <> 'sending';
  return null;
end
$$;
comment on function private.forget_notices() is 'Trigger: empties the notices about deleted tickets and events; queued ones are skipped.';

create or replace trigger tickets_forget_notices after delete on public.tickets
  referencing old table as old_rows for each statement execute function private.forget_notices();
create or replace trigger calendar_events_forget_notices after delete on public.calendar_events
  referencing old table as old_rows for each statement execute function private.forget_notices();

create or replace function private.tickets_of(p_customer uuid) returns table (id uuid, location_id uuid)
language sql stable set search_path = ''
as $$
  select k.id, k.location_id from public.tickets k where k.customer_id = p_customer
  union
  select k.id, k.location_id from public.reservations r join public.tickets k on k.reservation_id = r.id
  where r.customer_id = p_customer and k.customer_id is null
  union
  select k.id, k.location_id from public.feedback f join public.tickets k on k.id = f.ticket_id
  where f.customer_id = p_customer and k.customer_id is null
$$;
comment on function private.tickets_of(uuid) is 'The tickets about a customer, also by the booking or the feedback they are about.';

create or replace function private.lives_elsewhere(p_customer uuid, p_locations uuid[]) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from (
      select c.location_id from public.customers c where c.id = p_customer and c.location_id is not null
      union all select r.location_id from public.reservations r where r.customer_id = p_customer
      union all select m.location_id from public.messages m where m.customer_id = p_customer
      union all select r.location_id from public.loyalty_points p
        join public.reservations r on r.id = p.reservation_id
      where p.customer_id = p_customer
      union all select f.location_id from public.feedback f where f.customer_id = p_customer
      union all select k.location_id from private.tickets_of(p_customer) as k
      union all select e.location_id from public.calendar_events e where e.customer_id = p_customer
      -- Whose usual location it was before a merge.
      union all select l.id from public.customer_merges m
      join private.merged_customers k on k.merge_id = m.id
      join public.locations l on l.id::text in (k.gone ->> 'location_id', k.kept_before ->> 'location_id')
      where m.kept_id = p_customer and m.undone_at is null
    ) as record (location_id)
    where coalesce(record.location_id <> all(p_locations), true))
$$;
comment on function private.lives_elsewhere(uuid, uuid[]) is
  'Whether a customer has a record of another location than these, or of none.';

create or replace function private.redact_desk(p_customer uuid, p_organization uuid, t private.traces)
  returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_own uuid[] := array(select k.id from private.tickets_of(p_customer) as k
    union all select e.id from public.calendar_events e where e.customer_id = p_customer);
  v_ids uuid[];
  v_patterns text[];
begin
  select array_agg(part.id), array_agg(part.pattern) into v_ids, v_patterns from (
    select id, t.linked as pattern from unnest(v_own) as id
    union all
    select found.id, private.pattern_for(t, found.location_id) from (
      select k.id, k.location_id, k.reservation_id from public.tickets k
      where k.organization_id = p_organization and k.customer_id is null and k.search_text ~* t.named
      union
      select k.id, k.location_id, k.reservation_id from public.ticket_comments m
        join public.tickets k on k.id = m.ticket_id
      where k.organization_id = p_organization and k.customer_id is null and m.body ~* t.named
      union
      -- A subject may name them.
      select k.id, k.location_id, k.reservation_id from public.ticket_changes h
        join public.tickets k on k.id = h.ticket_id
      where k.organization_id = p_organization and k.customer_id is null and h.field = 'subject'
        and h.before ~* t.named
      union
      select e.id, e.location_id, null from public.calendar_events e
      where e.organization_id = p_organization and e.customer_id is null
        and (e.title || ' ' || coalesce(e.description, '')) ~* t.named
    ) as found
    -- What is about somebody else stays whole.
    where found.id <> all(v_own)
      and not exists (select from public.reservations r where r.id = found.reservation_id
        and r.customer_id is not null)
      and not exists (select from public.feedback f where f.ticket_id = found.id
        and f.customer_id is not null)
  ) as part where part.pattern is not null;
  update public.tickets k set subject = private.redacted(k.subject, p.pattern),
    description = private.redacted(k.description, p.pattern)
  from unnest(v_ids, v_patterns) as p (id, pattern)
  where k.id = p.id and (k.subject ~* p.pattern or k.description ~* p.pattern);
  update public.ticket_comments m set body = private.redacted(m.body, p.pattern)
  from unnest(v_ids, v_patterns) as p (id, pattern) where m.ticket_id = p.id and m.body ~* p.pattern;
  update public.calendar_events e set title = private.redacted(e.title, p.pattern),
    description = private.redacted(e.description, p.pattern)
  from unnest(v_ids, v_patterns) as p (id, pattern)
  where e.id = p.id and (e.title ~* p.pattern or e.description ~* p.pattern);
  update public.messages m set content = private.redacted(m.content, p.pattern)
  from unnest(v_ids, v_patterns) as p (id, pattern)
  where m.organization_id = p_organization and m.kind = 'notification' and m.about_id = p.id
    and m.content::text ~* p.pattern;
  -- The erasure itself is not a change to notify: its own lines of this transaction go.
  delete from public.ticket_changes h
  where h.ticket_id = any(v_ids) and h.field = 'subject' and h.xmin = pg_current_xact_id()::xid;
  update public.ticket_changes h set before = private.redacted(h.before, p.pattern),
    after = private.redacted(h.after, p.pattern)
  from unnest(v_ids, v_patterns) as p (id, pattern)
  where h.ticket_id = p.id and h.field = 'subject' and (h.before ~* p.pattern or h.after ~* p.pattern);
end
$$;
comment on function private.redact_desk(uuid, uuid, private.traces) is
  'Removes a customer from their tickets and events with comments and notices, and from those of nobody that hold their address, or their full name where they have booked.';

create or replace function private.redact_mornings(p_customer uuid, p_organization uuid, t private.traces)
  returns void
language sql volatile set search_path = ''
as $$
  with notes as (
    update public.shift_notes n set body = private.redacted(n.body, private.pattern_for(t, n.location_id))
    where n.organization_id = p_organization and n.body ~* t.named
      and n.body ~* private.pattern_for(t, n.location_id)
    returning n.location_id, n.day
  ), days as (
    select r.location_id, r.service_date as day from public.reservations r where r.customer_id = p_customer
    union select location_id, day from notes union select location_id, day + 1 from notes
  ), mails as (
    select distinct m.id
    from public.profiles p
    join public.messages m on m.organization_id = p_organization and m.about_id = p.id
      and m.purpose = 'morning_report' and m.content <> '{}'
    join days d on d.day::text = m.content #>> '{morning,date}'
    where p.organization_id = p_organization
      and (not exists (select from public.profile_locations pl where pl.profile_id = p.id)
        or exists (select from public.profile_locations pl where pl.profile_id = p.id
          and pl.location_id = d.location_id))
  )
  -- Sent reports are no longer needed; a queued one is sent without the guest, and notes without what names
  -- them.
  update public.messages m set content = case when m.status not in ('queued', 'sending') then '{}'
    else jsonb_set(jsonb_set(m.content || private.redacted(m.content - 'morning', t.linked),
      '{morning,guests}', (
      select coalesce(jsonb_agg(g.value order by g.place), '[]')
      from jsonb_array_elements(m.content #> '{morning,guests}') with ordinality as g (value, place)
      where g.value ->> 'customer_id' is distinct from p_customer::text), false), '{morning,notes}', (
      select coalesce(jsonb_agg(n.value || jsonb_build_object('body',
        private.redacted(n.value ->> 'body', private.pattern_for(t, (n.value ->> 'location_id')::uuid)))
          order by n.place), '[]')
      from jsonb_array_elements(m.content #> '{morning,notes}') with ordinality as n (value, place)),
        false) end
  from mails where m.id = mails.id
$$;
comment on function private.redact_mornings(uuid, uuid, private.traces) is
  'Removes a customer from shift notes, and from the morning reports of the days of their bookings and of those notes.';

create or replace function private.redact_records(p_organization uuid, t private.traces) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A failed row of a file contains only the person's data.
  update public.import_runs i set file_name = private.redacted(i.file_name, kept.pattern),
    errors = private.redacted(i.errors, kept.pattern, true), failed_rows = kept.failed_rows,
    failed_row_count = case when i.failed_rows is null then i.failed_row_count
      else jsonb_array_length(kept.failed_rows -> 'rows') end
  from public.import_runs o
  cross join lateral (select private.pattern_for(t, o.location_id) as pattern) as p
  cross join lateral (
    select p.pattern, case when o.failed_rows is null then null else jsonb_set(o.failed_rows, '{rows}', (
      select coalesce(jsonb_agg(r.value order by r.place), '[]')
      from jsonb_array_elements(o.failed_rows -> 'rows') with ordinality as r (value, place)
      where array_to_string(array(select jsonb_array_elements_text(r.value)), ' ') !~* p.pattern)) end
        as failed_rows
  ) as kept
  where o.id = i.id and i.organization_id = p_organization and kept.pattern is not null
    and (o.file_name ~* kept.pattern or o.errors::text ~* kept.pattern or kept.failed_rows <> o.failed_rows);
  -- A run of a job is of no location.
  update public.job_runs j set result = private.redacted(j.result, t.address)
  where t.reach is null and j.organization_id = p_organization and j.result::text ~* t.address;
end
$$;
comment on function private.redact_records(uuid, private.traces) is
  'Removes a customer from the files of imports and the results of jobs.';

create or replace function private.redact_log(p_customer uuid, t private.traces) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  update public.audit_log g set subject = private.redacted(g.subject, t.linked),
    details = case when about.texts then private.redacted(g.details, t.linked)
      else private.impersonal(g.details) end
  from (
    select p_customer as id, 'customer' as type, false as texts
    union all select m.gone_id, 'customer', false from public.customer_merges m
    where m.kept_id = p_customer and m.undone_at is null
    union all select r.id, 'reservation', false from public.reservations r where r.customer_id = p_customer
    union all select k.id, 'ticket', true from private.tickets_of(p_customer) as k
    union all select e.id, 'calendar_event', true from public.calendar_events e
      where e.customer_id = p_customer
  ) as about
  where g.subject_id = about.id and g.subject_type = about.type
    and (g.subject ~* t.linked or g.details <> '{}');
end
$$;
comment on function private.redact_log(uuid, private.traces) is
  'Removes the values of a person from the audit lines about them, their bookings, tickets and events; all other lines stay.';

create or replace function private.definitions_with(p_organization uuid, p_pattern text) returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select found.kind || ' ' || found.id from (
      select 'segment' as kind, s.id from public.segments s
      where s.organization_id = p_organization and (s.name || ' ' || s.definition::text) ~* p_pattern
      union
      select 'campaign', c.id from public.campaigns c left join public.automations a on a.campaign_id = c.id
      where c.organization_id = p_organization
        and concat_ws(' ', c.name, a.subject, a.body, a.email_design) ~* p_pattern
      union
      select 'automation', a.id from public.automations a
      where a.organization_id = p_organization and a.campaign_id is null and a.deleted_at is null
        and concat_ws(' ', a.name,
        a.subject, a.body, a.content_variables, a.email_design, a.criteria, array_to_string(a.tags, ' '))
          ~* p_pattern
      union
      select 'email_template', e.id from public.email_templates e
      where e.organization_id = p_organization and concat_ws(' ', e.name, e.design) ~* p_pattern
      union
      select 'email_look', l.id from public.email_looks l
      where l.organization_id = p_organization
        and concat_ws(' ', l.sender_name, l.from_email, l.reply_to, l.footer) ~* p_pattern
      union
      select 'brand', b.id from public.brands b where b.organization_id = p_organization
        and b.name ~* p_pattern
      union
      select 'location', l.id from public.locations l
      where l.organization_id = p_organization and concat_ws(' ', l.name, l.address) ~* p_pattern
    ) as found order by 1)
$$;
comment on function private.definitions_with(uuid, text) is
  'The definitions and names in which the pattern is found, as "segment <id>". An erasure leaves them for a person to mend.';

create or replace function public.erase_customer(p_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_reach uuid[] := case when not private.works_everywhere() then array(select private.my_locations()) end;
  v_told uuid[];
  v_remains text[];
  t private.traces;
begin
  perform private.refuse_unconfirmed();
  perform private.lock_identities(v_organization);
  perform 1 from public.customers where id = p_id and organization_id = v_organization for update;
  if not found then
    return 'not_found';
  elsif v_reach is not null and private.lives_elsewhere(p_id, v_reach) then
    return 'foreign_location';
  end if;
  t := private.traces_of(p_id, v_reach);
  v_remains := private.definitions_with(v_organization, t.address);
  perform private.redact_desk(p_id, v_organization, t), private.redact_mornings(p_id, v_organization, t),
    private.redact_records(v_organization, t), private.redact_log(p_id, t);
  -- The score stays, without a name, for the figures. In the ticket their words are between quotes of their
  -- language.
  v_told := array(
    select k.id from public.feedback f join public.tickets k on k.id = f.ticket_id
    where f.customer_id = p_id and coalesce(k.customer_id = p_id, true));
  update public.tickets k set description = private.unquoted(k.description) where k.id = any(v_told);
  update public.ticket_comments m set body = private.unquoted(m.body) where m.ticket_id = any(v_told)
    and m.author_id is null;
  -- The e-mails about the ticket repeat them.
  update public.messages m
    set content = '{}', reason = case when m.status = 'queued' then 'erased' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  from unnest(v_told) as told
  where m.organization_id = v_organization and m.kind = 'notification' and m.about_id = told
    and m.status <> 'sending';
  update public.feedback set words = null, reply = null, customer_id = null where customer_id = p_id;
  -- Reservations of an import contain only the link to the person.
  delete from public.reservations where customer_id = p_id and source = 'import';
  delete from private.push_notices n using public.reservations r where r.customer_id = p_id
    and n.reservation_id = r.id;
  update public.reservations set customer_id = null, customer_name = null, customer_email = null,
    customer_phone = null, notes = null, staff_marks = staff_marks - 'notes', erased_at = now()
  where customer_id = p_id;
  delete from private.engagement_events e using public.messages m where m.customer_id = p_id
    and e.message_id = m.id;
  delete from public.message_engagement g using public.messages m where m.customer_id = p_id
    and g.message_id = m.id;
  -- Providers put addresses into their reasons.
  update public.messages set recipient = null, content = '{}', customer_id = null,
    reason = case when status = 'queued' then 'erased' end,
    status = case when status = 'queued' then 'skipped' else status end
  where customer_id = p_id;
  delete from public.customers where id = p_id;
  -- That the address wants no messages stays, for writing to it again would be worse; what was said about the
  -- person goes.
  update public.suppressions set author = null, note = null
  where organization_id = v_organization and address = any(t.own) and num_nonnulls(author, note) > 0;
  -- Who waits for a table is no customer yet: a telephone is all that says who it is, and the name when it is
  -- a family's. The messages outlive the waitlist, whose ended entries are deleted after 30 days.
  with gone as (
    delete from public.waitlist w
    where w.organization_id = v_organization and w.phone = any(t.addresses)
      and (w.phone = any(t.own) or private.fold(w.name) = any(t.names))
      and (v_reach is null or w.location_id = any(v_reach))
    returning w.id
  )
  delete from public.messages m
  where m.organization_id = v_organization and m.channel in ('sms', 'whatsapp')
    and m.recipient = any(t.addresses)
    and m.customer_id is null and m.purpose in ('waitlist_call', 'table_offer', 'table_offer_answer')
    and (m.recipient = any(t.own) or m.about_id in (select id from gone))
    and (v_reach is null or m.location_id = any(v_reach));
  -- When they last wrote by WhatsApp; another guest may write from the same phone.
  delete from public.whatsapp_windows w
  where w.organization_id = v_organization
    and (w.address = any(t.addresses) or w.whatsapp_id = any(t.addresses))
    and not exists (
      select 1 from public.customers c
      where c.organization_id = v_organization and (c.phone = w.address or c.whatsapp_id = w.address));
  update public.whatsapp_windows w set whatsapp_id = null
  where w.organization_id = v_organization and w.whatsapp_id = any(t.addresses) and not exists (
    select 1 from public.customers c where c.organization_id = v_organization
      and c.whatsapp_id = w.whatsapp_id);
  perform private.audit(v_organization, 'customer.erased', p_id,
    case when v_remains = '{}' then '{}' else jsonb_build_object('to_mend', v_remains) end);
  return 'erased';
end
$$;
comment on function public.erase_customer(uuid) is
  'Erases a person (GDPR art. 17): the customer goes, reservations and messages stay without personal data. erased, not_found, or foreign_location: the caller is bound to locations and the person has records outside them. What holds an address by its name or definition stays, and the audit line names it.';

create or replace function public.export_customer(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_customer public.customers;
  v_everywhere constant boolean := private.works_everywhere();
  v_locations constant uuid[] := array(select private.my_locations());
begin
  if not exists (
    select 1 from public.profiles p
    where p.id = (select private.caller()) and p.role in ('super_admin', 'admin', 'ceo')) then
    return null;
  end if;
  perform private.take_export('customer');
  select * into v_customer from public.customers
  where id = p_id and organization_id = any(array(select private.my_organizations('canAccessClientes')));
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
        'undone_at', m.undone_at, 'record',
        s.gone - array['organization_id', 'sort_name', 'sort_visit', 'search_text',
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
      select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'external_id', r.external_id, 'location',
        l.name,
        'customer_name', r.customer_name, 'customer_email', r.customer_email, 'customer_phone',
        r.customer_phone,
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
        'simulated', m.simulated, 'content', m.content, 'created_at', m.created_at, 'sent_at', m.sent_at,
        'delivered_at', m.delivered_at,
        'engagement', (
          select coalesce(jsonb_agg(jsonb_build_object('kind', g.kind, 'link', nullif(g.link, ''), 'actor',
            g.actor,
            'first_at', g.first_at, 'times', g.times) order by g.first_at, g.kind, g.link, g.actor), '[]')
          from public.message_engagement g where g.message_id = m.id),
        'engagement_events', (
          select coalesce(jsonb_agg(jsonb_build_object('kind', e.kind, 'link', nullif(e.link, ''), 'agent',
            e.agent,
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
      select coalesce(jsonb_agg(jsonb_build_object('number', k.number, 'subject', k.subject, 'description',
        k.description,
        'status', k.status, 'priority', k.priority, 'created_at', k.created_at, 'resolved_at', k.resolved_at,
        'former_subjects', (
          select coalesce(jsonb_agg(h.before order by h.created_at, h.id), '[]')
          from public.ticket_changes h where h.ticket_id = k.id and h.field = 'subject'),
        'comments', (
          select coalesce(jsonb_agg(jsonb_build_object('body', m.body, 'created_at', m.created_at)
            order by m.created_at, m.id), '[]')
          from public.ticket_comments m where m.ticket_id = k.id)) order by k.number), '[]')
      from public.tickets k
      where k.customer_id = p_id
        and (v_everywhere or k.location_id is null or k.location_id = any(v_locations))),
    'calendar_events', (
      select coalesce(jsonb_agg(jsonb_build_object('title', e.title, 'description', e.description,
        'event_datetime', e.event_datetime, 'ends_at', e.ends_at, 'location', l.name, 'created_at',
        e.created_at)
        order by e.event_datetime, e.id), '[]')
      from public.calendar_events e left join public.locations l on l.id = e.location_id
      where e.customer_id = p_id
        and (v_everywhere or e.location_id is null or e.location_id = any(v_locations))),
    'suppressions', (
      select coalesce(jsonb_agg(jsonb_build_object('channel', s.channel, 'address', s.address, 'reason',
        s.reason,
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
grant execute on function public.erase_customer(uuid), public.export_customer(uuid) to authenticated;
