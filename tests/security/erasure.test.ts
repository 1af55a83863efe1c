import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stackClient } from '../factories/group'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { columnsOf } from './support/catalogue'

let g: Guests
let boss: Client
beforeAll(async () => {
  g = await startGuests([
    {
      name: 'Norte',
      slug: 'norte',
      averageSpend: 20,
      rules: { Bronce: { min_spend: 0, min_visits: 1 }, Plata: { min_spend: 50, min_visits: 1 } },
    },
    { name: 'Sur', slug: 'sur', averageSpend: null, timezone: 'Atlantic/Canary' },
  ])
  boss = await g.hire('admin')
})
beforeEach(() =>
  g.sql(
    emptyTables(
      'customers',
      'reservations',
      'messages',
      'suppressions',
      'whatsapp_windows',
      'tickets',
      'calendar_events',
      'import_runs',
      'job_runs',
      'audit_log',
      'segments',
      'campaigns',
    ),
  ),
)
afterAll(() => g?.app.close())

/** Her names, addresses and numbers, those of before the merge too, in every notation that is planted. */
const PERSON = {
  email: 'xiomara.zurbaran@correo.example',
  phone: '+34698712345',
  first_name: 'Xiomara',
  last_name: 'Zurbarán Quiñonero',
}
const FORMER = {
  email: 'xio.former@correo.example',
  phone: '+34677654321',
  first_name: 'Xiomarita',
  last_name: 'Zurbarana',
}
/** What a search without case, accents, blanks and punctuation would find her by. */
const TRACES = ['xiomar', 'zurbar', 'quinonero', '698712345', '677654321', 'correo.example', 'xwhats.traza']

/**
 * Where she may still be found. That an address wants no messages outlives the person: GDPR art. 17 (3) (b) and 21 (3),
 * to forget it would be to write to her again.
 */
const EXCEPTIONS = [
  'public.suppressions.address',
  // Names, definitions, and the log of records that are not about her.
  'public.segments.name',
  'public.segments.definition',
  'public.campaigns.name',
  'public.automations.name',
  'public.audit_log.subject',
  'public.audit_log.details',
]

/** The columns of the app's own tables, text, arrays and JSON alike, in which she is found. */
async function traces(): Promise<string[]> {
  const searched = (await columnsOf(g.app.stack)).filter(({ type }) => /text|json|uuid|char/.test(type))
  const fold = (value: string) =>
    `regexp_replace(lower(extensions.unaccent(${value})), '[\\s()/-]+', '', 'g') ~ '${TRACES.join('|')}'`
  const places = searched.map(
    ({ schema, table, column }) =>
      `select '${schema}.${table}.${column}' as place where exists (
         select from ${schema}."${table}" where ${fold(`"${column}"::text`)})`,
  )
  const rows = await g.sql<{ place: string }>(places.join(' union all '))
  return rows.map(({ place }) => place).sort()
}

async function post(path: string, body: unknown): Promise<{ id: string }> {
  const made = await g.ask(boss, 'POST', path, body)
  expect(made.status, `${path}: ${JSON.stringify(made.body)}`).toBe(201)
  return made.body.data
}

/** Puts her into everything the product writes down, through the product where it has a way. */
async function plant(): Promise<string> {
  const { id } = await post('/api/customers', {
    ...PERSON,
    notes: 'Xiomara: alérgica',
    company: 'Zurbarán SL',
    city: 'Villa Zurbarán',
    language: 'eu',
  })
  const former = await post('/api/customers', FORMER)
  await g.sync([
    {
      id: 'x1',
      client_email: PERSON.email,
      client_phone: '698712345',
      client_name: 'Xiomara',
      client_surname: 'Zurbarán Quiñonero',
      notes: 'Xiomara: ventana',
    },
  ])
  const booking = await g.ask(boss, 'GET', '/api/reservations?date=2026-05-01')
  await g.ask(boss, 'PATCH', `/api/reservations/${booking.body.data[0].id}`, { notes: 'Para Xiomara' })
  await g.sql(
    `insert into public.feedback (organization_id, location_id, customer_id, reservation_id, score, words, language, answered_at, reply, replied_at)
     select organization_id, location_id, customer_id, id, 3, 'Soy Xiomara Zurbarán', 'es', now(), 'Gracias, Xiomara', now()
     from public.reservations where id = $1`,
    [booking.body.data[0].id],
  )

  // Tickets, comments and events: linked to her, linked to no one, and with single names only where linked to her.
  const [linked, loose] = [
    await post('/api/tickets', {
      subject: 'XIOMARA perdió su abrigo',
      description: 'Llama Zurbaran al 698 71 23 45',
      customer_id: former.id,
    }),
    await post('/api/tickets', {
      subject: 'Zurbarán Xiomara: factura',
      description: 'Zurbarán Quiñonero, Xiomara pide copia a xiomara.zurbaran@CORREO.example',
      location_id: g.places.Norte,
    }),
  ]
  for (const { id: ticket } of [linked, loose])
    await g.ask(boss, 'POST', `/api/tickets/${ticket}/comments`, {
      body: 'Escribe xiomara  ZURBARAN quinonero desde el +34 677-654-321',
    })
  await g.sql(`update public.tickets set subject = 'Factura de Xiomara Zurbaran' where id = $1`, [loose.id])
  const when = { event_datetime: '2030-05-01T18:00:00Z', reminder_minutes: 60 }
  const events = [
    await post('/api/calendar-events', {
      ...when,
      title: 'Cumpleaños de Xiomara',
      description: 'Tel. 0034698712345',
      customer_id: id,
    }),
    await post('/api/calendar-events', {
      ...when,
      title: 'Cata con Xiomara Zurbarán',
      description: '(677) 65 43 21',
      location_id: g.places.Norte,
    }),
  ]
  const service = stackClient(g.app.stack, 'service')
  const queue = { p_organization: g.group.id, p_limit: 100 }
  await service.rpc('queue_ticket_notifications', { ...queue, p_now: '2030-05-01T10:00:00Z' }).throwOnError()
  await g.sql(
    `update public.calendar_events set assignee_id = (select id from public.profiles where role = 'admin' limit 1)`,
  )
  for (const name of ['queue_event_reminders', 'queue_event_notifications'] as const)
    await service.rpc(name, { ...queue, p_now: '2030-05-01T17:30:00Z' }).throwOnError()
  await g.ask(boss, 'DELETE', `/api/calendar-events/${events[1]?.id}`)

  // Imports, job runs, messages, WhatsApp, opt-outs; what only providers and jobs write is written as they do.
  await g.sql(
    `insert into public.import_runs (organization_id, location_id, file_name, status, errors, failed_rows, failed_row_count)
     values ($1, $2, 'reservas_Xiomara-Zurbarán.csv', 'partial', '["Fila 2: xiomara.zurbaran@correo.example"]',
       '{"columns": ["Nombre", "Apellidos", "Correo", "Motivo"], "rows": [["Xiomara", "Zurbarán", "", "fecha"],
         ["", "", "xio.former@correo.example", "fecha"], ["Eva", "Marín", "eva@otra.example", "fecha"]]}', 3)`,
    [g.group.id, g.places.Norte],
  )
  await g.sql(
    `insert into public.job_runs (organization_id, job, status, result) values
       ($1, 'sync', 'partial', '{"issues": [{"code": "refused_row", "detail": "Fila de xiomara.zurbaran@correo.example"}], "count": 12}')`,
    [g.group.id],
  )
  await g.sql(
    `insert into public.messages (organization_id, kind, purpose, customer_id, channel, recipient, status, reason, dedupe_key, content)
     values ($1, 'marketing', 'post_visit', $2, 'email', $3, 'failed', 'bounced', 'k1', '{"body": "Hola Xiomara"}')`,
    [g.group.id, former.id, FORMER.email],
  )
  await g.sql(
    `insert into public.whatsapp_windows (organization_id, address, last_inbound_at, whatsapp_id)
     values ($1, $2, now(), null), ($1, $3, now(), 'xwhats.traza')`,
    [g.group.id, PERSON.phone, FORMER.phone],
  )
  // One from before she was known, and one of hers that is answered, with the ticket that quotes her.
  await g.sql(
    `with ticket as (
       insert into public.tickets (organization_id, subject, description, customer_id)
       values ($1, 'Mensaje de Xiomara Zurbarán', 'SMS: «Hola, soy Xiomara, la del 698712345»', $2) returning id
     ), opened as (
       insert into public.conversations (organization_id, customer_id, channel, address, sender_name, last_message_at, last_inbound_at)
       values ($1, null, 'whatsapp', $3, 'Xiomara', now(), now()), ($1, $2, 'sms', $4, null, now(), now())
       returning id, customer_id
     )
     insert into public.conversation_messages (organization_id, conversation_id, direction, text, provider_id, ticket_id, at)
     select $1, o.id, 'in', 'Hola, soy Xiomara', 'SM' || o.id, case when o.customer_id is not null then t.id end, now()
     from opened o cross join ticket t`,
    [g.group.id, former.id, PERSON.phone, FORMER.phone],
  )
  await g.sql(`update public.customers set whatsapp_id = 'xwhats.traza' where id = $1`, [former.id])
  const wish = { consent: { email: { opted_out: true, reason: 'Lo pidió Xiomara' } } }
  expect((await g.ask(boss, 'PATCH', `/api/customers/${former.id}`, wish)).status).toBe(200)
  await g.ask(boss, 'POST', `/api/customers/${id}/points`, {
    kind: 'adjusted',
    points: 5,
    reason: 'Regalo a Xiomara',
  })
  for (const name of ['Mesa de Xiomara Zurbarán', 'Xiomara Zurbarán'])
    await post('/api/segments', {
      name,
      shared: true,
      definition: {
        or: [
          { field: 'search', text: 'Xiomara Zurbarán' },
          { field: 'points', min: 1 },
        ],
      },
    })
  await post('/api/campaigns', {
    name: 'Cena con Xiomara Zurbarán',
    messages: [{ step: 1, channel: 'sms', body: 'Ven' }],
  })
  const merged = await g.ask(boss, 'POST', `/api/customers/${id}/merge`, { duplicate_id: former.id })
  expect(merged.status).toBe(200)
  return id
}

describe('erasing a person', () => {
  it('leaves no trace in any column of any table, but an opt-out, and names and lines of other records', async () => {
    const id = await plant()
    const before = await traces()
    for (const place of [
      'tickets.subject',
      'ticket_comments.body',
      'ticket_changes.before',
      'calendar_events.title',
      'messages.content',
      'conversations.sender_name',
      'conversation_messages.text',
      'import_runs.file_name',
      'import_runs.failed_rows',
      'job_runs.result',
      'whatsapp_windows.address',
      'customer_aliases.name',
      'audit_log.details',
      'segments.name',
      'segments.definition',
      'campaigns.name',
      'automations.name',
      'suppressions.note',
    ])
      expect(before).toContain(`public.${place}`)

    expect((await g.ask(boss, 'DELETE', `/api/customers/${id}`)).status).toBe(204)
    expect((await traces()).filter((place) => !EXCEPTIONS.includes(place))).toEqual([])
  })

  it('keeps the rest of what was written, and what is of others', async () => {
    const other = await post('/api/customers', {
      first_name: 'Eva',
      last_name: 'Marín',
      email: 'eva@otra.example',
    })
    const about = await post('/api/tickets', {
      subject: 'Eva Marín vino con Xiomara Zurbarán',
      customer_id: other.id,
      location_id: g.places.Norte,
    })
    const id = await plant()
    const namesake = await post('/api/customers', { first_name: 'Xiomara', last_name: 'Zurbarán Quiñonero' })
    const theirs = await post('/api/tickets', {
      subject: 'Xiomara Zurbarán Quiñonero llama',
      customer_id: namesake.id,
    })
    expect((await g.ask(boss, 'DELETE', `/api/customers/${id}`)).status).toBe(204)
    const subject = async (ticket: string) =>
      (await g.ask(boss, 'GET', `/api/tickets/${ticket}`)).body.data.subject
    expect(await subject(about.id)).toBe('Eva Marín vino con Xiomara Zurbarán')
    expect(await subject(theirs.id)).toBe('Xiomara Zurbarán Quiñonero llama')
    const tickets = await g.sql(
      `select subject, description from public.tickets where id not in ($1, $2) order by number`,
      [about.id, theirs.id],
    )
    expect(tickets).toEqual([
      { subject: '[…] perdió su abrigo', description: 'Llama […] al […]' },
      { subject: 'Factura de […]', description: '[…] pide copia a […]' },
      { subject: 'Mensaje de […]', description: 'SMS: «[…]»' },
    ])
    const [run] = await g.sql(
      `select file_name, failed_rows -> 'rows' as rows, failed_row_count as count from public.import_runs`,
    )
    expect(run).toEqual({
      file_name: 'reservas_[…].csv',
      rows: [['Eva', 'Marín', 'eva@otra.example', 'fecha']],
      count: 1,
    })
    const [job] = await g.sql(`select result from public.job_runs where job = 'sync'`)
    expect(job).toEqual({ result: { issues: [{ code: 'refused_row', detail: 'Fila de […]' }], count: 12 } })
  })

  it('takes no word of a guest whose name is a pattern for one', async () => {
    const { id } = await post('/api/customers', { first_name: '.*', last_name: '(?i)[a-z]+' })
    const ticket = await post('/api/tickets', { subject: 'Lámpara rota', description: 'En la mesa 3' })
    await g.ask(boss, 'POST', '/api/tickets', { subject: 'Se queja .* (?i)[a-z]+', customer_id: id })
    expect((await g.ask(boss, 'DELETE', `/api/customers/${id}`)).status).toBe(204)
    expect((await g.ask(boss, 'GET', `/api/tickets/${ticket.id}`)).body.data).toMatchObject({
      subject: 'Lámpara rota',
      description: 'En la mesa 3',
    })
  })

  it.each(['+ana@correo.example', '++*?(@correo.example', '[a\\@correo.example'])(
    'takes the e-mail %s as it is, and nothing else',
    async (email) => {
      const { id } = await post('/api/customers', { first_name: 'Ana' })
      await g.sql('update public.customers set email = $2 where id = $1', [id, email])
      const ticket = await post('/api/tickets', { subject: 'Queja', description: `De ${email}, mesa 3` })
      expect((await g.ask(boss, 'DELETE', `/api/customers/${id}`)).status).toBe(204)
      expect((await g.ask(boss, 'GET', `/api/tickets/${ticket.id}`)).body.data).toMatchObject({
        description: 'De […], mesa 3',
      })
    },
  )
})

it('exports tickets with their comments, events and former names', async () => {
  const id = await plant()
  const { body } = await g.ask(boss, 'GET', `/api/customers/${id}/export`)
  expect(body.former_names).toEqual(['Xiomarita Zurbarana'])
  expect(body.tickets).toMatchObject([
    {
      subject: 'XIOMARA perdió su abrigo',
      comments: [{ body: 'Escribe xiomara  ZURBARAN quinonero desde el +34 677-654-321' }],
    },
    { subject: 'Mensaje de Xiomara Zurbarán' },
  ])
  expect(body.conversations).toMatchObject([{ texts: [{ text: 'Hola, soy Xiomara' }] }])
  expect(body.calendar_events).toMatchObject([
    { title: 'Cumpleaños de Xiomara', description: 'Tel. 0034698712345' },
  ])
})
