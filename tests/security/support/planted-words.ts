import type { Guests } from '../../support/guests'

/**
 * Writes each of these words into everything of the group that has texts, names or definitions and is not of a guest
 * with that name: at both locations, at none, and in what is about another guest. The texts of `place` that are about
 * nobody spare some of the words.
 */
export async function plantWords(
  g: Guests,
  words: string[],
  { sparing, place }: { sparing: string[]; place: string },
): Promise<void> {
  const plant = (query: string) =>
    g.sql(
      `with words as (
      select w.word, w.n, replace(lower(w.word), ' ', '_') as code from unnest($2::text[]) with ordinality as w (word, n)
    ), places as (
      select l.id as place from public.locations l where l.organization_id = $1 union all select null
    ), texts as (
      select * from words cross join places where not (places.place is not distinct from $3 and words.word = any($4))
    ), here as (select * from texts where place is not null
    ), other as (
      select c.id as customer from public.customers c where c.organization_id = $1 and c.email = 'otra@correo.example'
    ), used as (select $1::uuid as organization, $2::text[], $3::uuid, $4::text[])
    ${query}`,
      [g.group.id, words, g.places[place] ?? null, sparing],
    )

  await plant(`insert into public.customers (organization_id, first_name, last_name, email, notes, tags, company)
    select organization, 'Eva', 'Marín', 'otra@correo.example', words, tags, 'No Show'
    from used, (select string_agg('«' || word || '»', ' ') as words, (array_agg(word))[1:50] as tags from words) as w`)
  await plant(`insert into public.reservations (organization_id, location_id, customer_id, customer_name, notes, reservation_date,
      reservation_time, party_size, external_id)
    select organization, place, customer, word, '«' || word || '»', '2026-05-01', '21:00', 2, 'w' || n || place
    from used, words, other, places where place is not null`)
  await plant(`insert into public.feedback (organization_id, location_id, customer_id, reservation_id, score, words, language, answered_at)
    select r.organization_id, r.location_id, r.customer_id, r.id, 4, r.notes, 'es', '2026-05-02T10:00:00Z'
    from used, other join public.reservations r on r.customer_id = customer`)
  // About nobody, and about the other guest.
  await plant(`insert into public.tickets (organization_id, location_id, customer_id, subject, description)
    select organization, place, null, word, 'Nota: ' || word from used, texts
    union all select organization, place, customer, word, word from used, words, places, other`)
  await plant(`insert into public.ticket_comments (ticket_id, author_name, body)
    select k.id, k.subject, '«' || k.subject || '»' from used join public.tickets k on k.organization_id = organization`)
  await plant(`insert into public.ticket_changes (ticket_id, author_name, field, before, after)
    select k.id, k.subject, 'subject', k.subject, 'Otro' from used join public.tickets k on k.organization_id = organization`)
  await plant(`insert into public.calendar_events (organization_id, location_id, customer_id, title, description, event_datetime)
    select organization, place, null, word, 'Nota: ' || word, '2026-05-01T18:00:00Z'::timestamptz from used, texts
    union all select organization, place, customer, word, word, '2026-05-01T18:00:00Z' from used, words, places, other`)
  await plant(`insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, status, recipient, dedupe_key, content)
    select k.organization_id, 'notification', 'ticket_notification', 'ticket', k.id, 'email', 'queued', 'jefa@equipo.example', format('ticket:%s:change:1', k.id),
      jsonb_build_object('template', code, 'subject', k.subject, 'description', k.description, 'status', code, 'location', word)
    from used join public.tickets k on k.organization_id = organization join words w on w.word = k.subject`)
  await plant(`insert into public.shift_notes (organization_id, location_id, day, body, author_name)
    select organization, place, '2026-05-01', word, word from used, here`)
  await plant(`insert into public.waitlist (organization_id, location_id, name, notes, party_size)
    select organization, place, word, word, 2 from used, here`)
  await plant(`insert into public.import_runs (organization_id, location_id, file_name, status, errors, failed_rows, failed_row_count)
    select organization, place, word || '.csv', 'partial', jsonb_build_array('Fila 2: ' || word),
      jsonb_build_object('columns', array[code], 'rows', jsonb_build_array(array[word])), 1 from used, texts`)
  await plant(`insert into public.job_runs (organization_id, job, status, result)
    select organization, code, 'partial', jsonb_build_object('issues', jsonb_build_array(
      jsonb_build_object('code', code, 'location', word, 'detail', word))) from used, words`)
  // Names and definitions, and the log.
  await plant(`insert into public.segments (organization_id, name, shared, definition)
    select organization, word, true, jsonb_build_object('and', jsonb_build_array(
      jsonb_build_object('field', code, 'op', word), jsonb_build_object('field', 'search', 'text', word))) from used, words`)
  await plant(
    `insert into public.campaigns (organization_id, name) select organization, word from used, words`,
  )
  await plant(`insert into public.automations (organization_id, name, type, channel, subject, body, content_variables, criteria, tags)
    select organization, word, 'birthday', 'email', word, 'Hola ' || word, jsonb_build_object('1', word),
      jsonb_build_object('days_before', 7, 'segment', word), array[word] from used, words`)
  await plant(`insert into public.email_templates (organization_id, name, design)
    select organization, word, jsonb_build_object('blocks', jsonb_build_array(jsonb_build_object('type', code, 'text', word)))
    from used, words`)
  await plant(
    `insert into public.brands (organization_id, name, slug) select organization, word, 'marca-' || n from used, words`,
  )
  await plant(`insert into public.audit_log (organization_id, actor, action, subject_type, subject_id, subject, details)
    select k.organization_id, k.subject, 'ticket.deleted', 'ticket', k.id, k.subject, jsonb_build_object(
      'fields', array[code], 'before', jsonb_build_object('subject', k.subject, code, k.subject))
    from used join public.tickets k on k.organization_id = organization join words w on w.word = k.subject
    union all select s.organization_id, s.name, 'segment.changed', 'segment', s.id, s.name, jsonb_build_object(
      'before', jsonb_build_object('name', s.name)) from used join public.segments s on s.organization_id = organization`)
}
