-- All that is held about a person, as a file for them.

create or replace function private.exported_reservations(p_customer uuid, p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'external_id', r.external_id, 'location',
    l.name,
    'customer_name', r.customer_name, 'customer_email', r.customer_email, 'customer_phone',
    r.customer_phone,
    'reservation_date', r.reservation_date, 'reservation_time', to_char(r.reservation_time, 'HH24:MI'),
    'party_size', r.party_size, 'status', r.status, 'pms_status', r.pms_status, 'visited', r.visited,
    'notes', r.notes, 'staff_marks', r.staff_marks, 'total_amount', r.total_amount,
    'source', r.source, 'zone_name', r.zone_name, 'table_name', r.table_name,
    'tables', private.table_names(r.table_name), 'created_at', r.created_at)
    order by r.service_order, r.id), '[]')
  from public.reservations r join public.locations l on l.id = r.location_id
  where r.customer_id = p_customer and r.location_id = any(p_locations)
$$;
comment on function private.exported_reservations(uuid, uuid[]) is 'A person''s reservations at these locations, for their file.';

create or replace function private.exported_messages(p_customer uuid, p_everywhere boolean,
  p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'automation', u.name,
    'channel', m.channel, 'recipient', m.recipient, 'status', m.status, 'reason', m.reason,
    'detail', m.detail, 'simulated', m.simulated, 'content', m.content, 'created_at', m.created_at,
    'sent_at', m.sent_at, 'delivered_at', m.delivered_at,
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
  where m.customer_id = p_customer and (p_everywhere or m.location_id = any(p_locations))
$$;
comment on function private.exported_messages(uuid, boolean, uuid[]) is 'The messages to a person with what they did with each, for their file: of these locations, or all.';

create or replace function private.exported_tickets(p_customer uuid, p_everywhere boolean,
  p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
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
  where k.customer_id = p_customer
    and (p_everywhere or k.location_id is null or k.location_id = any(p_locations))
$$;
comment on function private.exported_tickets(uuid, boolean, uuid[]) is 'The tickets about a person with their comments, for their file: of these locations and of none, or all.';

create or replace function private.exported_conversations(p_customer uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('channel', k.channel, 'address', k.address,
    'sender_name', k.sender_name, 'last_message_at', k.last_message_at,
    'texts', (
      select coalesce(jsonb_agg(jsonb_build_object('direction', m.direction, 'text', m.text, 'media', m.media,
        'sent_by', m.sent_by, 'at', m.at) order by m.at, m.id), '[]')
      from public.conversation_messages m where m.conversation_id = k.id)) order by k.last_message_at, k.id),
    '[]')
  from public.conversations k where k.customer_id = p_customer
$$;
comment on function private.exported_conversations(uuid) is 'The conversations with a person, for their file.';

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
    'reservations', private.exported_reservations(p_id, v_locations),
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
    'messages', private.exported_messages(p_id, v_everywhere, v_locations),
    'control_groups', (
      select coalesce(jsonb_agg(jsonb_build_object('automation', u.name, 'held', e.held,
        'enrolled_at', e.enrolled_at) order by e.enrolled_at, e.id), '[]')
      from private.enrolments e join public.automations u on u.id = e.automation_id
      where e.customer_id = p_id and v_everywhere),
    'feedback', (
      select coalesce(jsonb_agg(jsonb_build_object('location', l.name, 'score', f.score, 'words', f.words,
        'language', f.language, 'answered_at', f.answered_at, 'changed_at', f.changed_at,
        'reply', f.reply, 'replied_at', f.replied_at)
        order by f.answered_at, f.id), '[]')
      from public.feedback f join public.locations l on l.id = f.location_id
      where f.customer_id = p_id and f.location_id = any(v_locations)),
    'conversations', private.exported_conversations(p_id),
    'tickets', private.exported_tickets(p_id, v_everywhere, v_locations),
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
grant execute on function public.export_customer(uuid) to authenticated;
