-- Takes an erased person out of the texts of others: tickets, events, notes, morning reports, files of
-- imports, results of jobs and the audit log.

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
