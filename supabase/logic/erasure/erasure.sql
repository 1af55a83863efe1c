-- The erasure of a person. What refers to the person is found by its index; free text of nobody is searched
-- (traces.sql) where rows are few (tickets, events, imports, job runs), by trigrams where they may be more.
-- Rows about other guests are not: they stay whole, and so do names, definitions and lines of the audit log.

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
        and concat_ws(' ', c.name, a.subject, a.body, a.email_design, a.versions) ~* p_pattern
      union
      select 'automation', a.id from public.automations a
      where a.organization_id = p_organization and a.campaign_id is null and a.deleted_at is null
        and concat_ws(' ', a.name,
        a.subject, a.body, a.content_variables, a.email_design, a.versions, a.criteria,
        array_to_string(a.tags, ' '))
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

create or replace function private.forget_words(p_organization uuid, p_tickets uuid[]) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Their words are between quotes of their language.
  update public.tickets k set description = private.unquoted(k.description) where k.id = any(p_tickets);
  update public.ticket_comments m set body = private.unquoted(m.body) where m.ticket_id = any(p_tickets)
    and m.author_id is null;
  -- The e-mails about the ticket repeat them.
  update public.messages m
    set content = '{}', reason = case when m.status = 'queued' then 'erased' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  from unnest(p_tickets) as told
  where m.organization_id = p_organization and m.kind = 'notification' and m.about_id = told
    and m.status <> 'sending';
end
$$;
comment on function private.forget_words(uuid, uuid[]) is
  'Removes what a guest wrote from the tickets that quote it, and from the e-mails about these.';

create or replace function private.forget_feedback(p_customer uuid, p_organization uuid) returns void
language sql volatile set search_path = ''
as $$
  select private.forget_words(p_organization, array(
    select k.id from public.feedback f join public.tickets k on k.id = f.ticket_id
    where f.customer_id = p_customer and coalesce(k.customer_id = p_customer, true)));
  -- The score stays, without a name, for the figures.
  update public.feedback set words = null, reply = null, customer_id = null where customer_id = p_customer
$$;
comment on function private.forget_feedback(uuid, uuid) is
  'Removes a customer from their feedback, and their words from its tickets and the e-mails about these.';

create or replace function private.forget_conversations(p_customer uuid, p_organization uuid,
  t private.traces) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  -- Also those from before we knew them, by an address that is nobody else's.
  v_gone uuid[] := array(
    select k.id from public.conversations k where k.customer_id = p_customer
    union
    select k.id from public.conversations k
    where k.organization_id = p_organization and k.address = any(t.own) and k.customer_id is null);
begin
  perform private.forget_words(p_organization, array(
    select k.id from public.conversation_messages m join public.tickets k on k.id = m.ticket_id
    where m.conversation_id = any(v_gone) and coalesce(k.customer_id = p_customer, true)));
  update public.messages m set recipient = null, content = '{}', customer_id = null, detail = null,
    reason = case when m.status = 'queued' then 'erased' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  where m.about_type = 'conversation' and m.about_id = any(v_gone);
  delete from public.conversations k where k.id = any(v_gone);
end
$$;
comment on function private.forget_conversations(uuid, uuid, private.traces) is
  'Removes the conversations with a customer, our texts in them, and their words from the tickets and the e-mails about these.';

create or replace function private.forget_addresses(p_organization uuid, t private.traces, p_reach uuid[])
  returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Who waits for a table is no customer yet: a telephone is all that says who it is, and the name when it is
  -- a family's. The messages outlive the waitlist, whose ended entries are deleted after 30 days.
  with gone as (
    delete from public.waitlist w
    where w.organization_id = p_organization and w.phone = any(t.addresses)
      and (w.phone = any(t.own) or private.fold(w.name) = any(t.names))
      and (p_reach is null or w.location_id = any(p_reach))
    returning w.id
  )
  delete from public.messages m
  where m.organization_id = p_organization and m.channel in ('sms', 'whatsapp')
    and m.recipient = any(t.addresses)
    and m.customer_id is null and m.purpose in ('waitlist_call', 'table_offer', 'table_offer_answer')
    and (m.recipient = any(t.own) or m.about_id in (select id from gone))
    and (p_reach is null or m.location_id = any(p_reach));
  -- When they last wrote by WhatsApp; another guest may write from the same phone.
  delete from public.whatsapp_windows w
  where w.organization_id = p_organization
    and (w.address = any(t.addresses) or w.whatsapp_id = any(t.addresses))
    and not exists (
      select 1 from public.customers c
      where c.organization_id = p_organization and (c.phone = w.address or c.whatsapp_id = w.address));
  update public.whatsapp_windows w set whatsapp_id = null
  where w.organization_id = p_organization and w.whatsapp_id = any(t.addresses) and not exists (
    select 1 from public.customers c where c.organization_id = p_organization
      and c.whatsapp_id = w.whatsapp_id);
end
$$;
comment on function private.forget_addresses(uuid, private.traces, uuid[]) is
  'Removes the entries of the waitlist by an erased customer''s telephone (in p_reach, or everywhere), with their messages, and when they last wrote by WhatsApp.';

create or replace function public.erase_customer(p_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_reach uuid[] := case when not private.works_everywhere() then array(select private.my_locations()) end;
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
  perform private.forget_feedback(p_id, v_organization);
  perform private.forget_conversations(p_id, v_organization, t);
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
  update public.messages set recipient = null, content = '{}', customer_id = null, detail = null,
    reason = case when status = 'queued' then 'erased' else reason end,
    status = case when status = 'queued' then 'skipped' else status end
  where customer_id = p_id;
  delete from public.customers where id = p_id;
  -- That the address wants no messages stays, for writing to it again would be worse; what was said about the
  -- person goes.
  update public.suppressions set author = null, note = null
  where organization_id = v_organization and address = any(t.own) and num_nonnulls(author, note) > 0;
  perform private.forget_addresses(v_organization, t, v_reach);
  perform private.audit(v_organization, 'customer.erased', p_id,
    case when v_remains = '{}' then '{}' else jsonb_build_object('to_mend', v_remains) end);
  return 'erased';
end
$$;
comment on function public.erase_customer(uuid) is
  'Erases a person (GDPR art. 17): the customer goes, reservations and messages stay without personal data. erased, not_found, or foreign_location: the caller is bound to locations and the person has records outside them. What holds an address by its name or definition stays, and the audit line names it.';
grant execute on function public.erase_customer(uuid) to authenticated;
