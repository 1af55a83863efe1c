import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'
import { changesBetween, inWords, snapshotOf } from './support/second-reader'

/** What an erasure may change of rows that are not the guest's own, and who may erase whom. */
let g: Guests
let boss: Client
let host: Client
let norte: string
let sur: string
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  host = await g.hire('operaciones', 'Norte')
  norte = g.places.Norte ?? ''
  sur = g.places.Sur ?? ''
})
beforeEach(() =>
  g.sql(
    emptyTables(
      'customers',
      'reservations',
      'messages',
      'tickets',
      'calendar_events',
      'shift_notes',
      'waitlist',
      'import_runs',
      'job_runs',
      'audit_log',
      'segments',
      'campaigns',
      'suppressions',
      'whatsapp_windows',
    ),
  ),
)
afterAll(() => g?.app.close())

const ANA = { first_name: 'Ana', last_name: 'Ruiz', email: 'ana@correo.example', phone: '+34612345678' }
const erase = (id: string, client = boss) => g.ask(client, 'DELETE', `/api/customers/${id}`)

async function guest(fields: object = ANA): Promise<string> {
  const made = await g.ask(boss, 'POST', '/api/customers', fields)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.data.id
}
/** A booking of the customer at the location. */
const book = (customer: string, place: string) =>
  g.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time, party_size)
     values ($1, $2, $3, '2026-05-01', '21:00', 2)`,
    [g.group.id, place, customer],
  )
/** A ticket behind the API. */
const ticket = async (subject: string, place: string | null = null, customer: string | null = null) => {
  const [made] = await g.sql<{ id: string }>(
    `insert into public.tickets (organization_id, location_id, customer_id, subject) values ($1, $2, $3, $4) returning id::text`,
    [g.group.id, place, customer, subject],
  )
  return made?.id ?? ''
}
const subjects = async () =>
  (await g.sql<{ subject: string }>('select subject from public.tickets order by number')).map(
    (t) => t.subject,
  )

describe('someone bound to locations', () => {
  const RECORDS: [string, (id: string, place: string | null) => Promise<unknown>][] = [
    ['a ticket', (id, place) => ticket('Abrigo', place, id)],
    [
      'an event',
      (id, place) =>
        g.sql(
          `insert into public.calendar_events (organization_id, location_id, customer_id, title, event_datetime)
           values ($1, $2, $3, 'Cata', '2026-05-01T18:00:00Z')`,
          [g.group.id, place, id],
        ),
    ],
    [
      'a message',
      (id, place) =>
        g.sql(
          `insert into public.messages (organization_id, kind, purpose, customer_id, location_id, channel, status, dedupe_key)
           values ($1, 'marketing', 'post_visit', $3, $2, 'email', 'sent', 'k')`,
          [g.group.id, place, id],
        ),
    ],
  ]

  it.each(RECORDS)('erases a guest with %s of their locations, and no other', async (_, record) => {
    for (const place of [sur, null]) {
      const id = await guest()
      await book(id, norte)
      await record(id, place)
      const before = await snapshotOf(g.app.stack)
      expect(await erase(id, host)).toEqual(refusal('FOREIGN_LOCATION'))
      expect(changesBetween(before, await snapshotOf(g.app.stack)).map(inWords)).toEqual([])
      expect((await erase(id)).status).toBe(204)
      await g.sql(emptyTables('messages'))
    }
    const id = await guest()
    await book(id, norte)
    await record(id, norte)
    expect((await erase(id, host)).status).toBe(204)
  })

  it('erases no guest with a booking elsewhere, nor one whose usual location it is, by the database either', async () => {
    const booked = await guest()
    await book(booked, norte)
    await book(booked, sur)
    const usual = await guest({ first_name: 'Luis', location_id: sur })
    for (const id of [booked, usual]) expect(await erase(id, host)).toEqual(refusal('FOREIGN_LOCATION'))
    const person = await g.group.person('operaciones', [norte])
    for (const id of [booked, usual])
      expect((await person.db.rpc('erase_customer', { p_id: id })).data).toBe('foreign_location')
    expect(await g.sql('select 1 from public.customers')).toHaveLength(2)
  })

  it('makes no guest of another location their own, to erase them then', async () => {
    const person = await g.group.person('operaciones', [norte])
    const usual = await guest({ ...ANA, location_id: sur })
    for (const location_id of [norte, null]) {
      const moved = await g.ask(host, 'PATCH', `/api/customers/${usual}`, { location_id })
      expect(moved).toEqual(refusal('FOREIGN_LOCATION'))
      const { data } = await person.db.rpc('save_customer', { p_id: usual, p_fields: { location_id } })
      expect(data).toEqual({ outcome: 'foreign_location' })
    }
    expect((await g.ask(host, 'PATCH', `/api/customers/${usual}`, { notes: 'Vino' })).status).toBe(200)
    expect(await erase(usual, host)).toEqual(refusal('FOREIGN_LOCATION'))
    expect((await g.ask(boss, 'PATCH', `/api/customers/${usual}`, { location_id: norte })).status).toBe(200)
    expect((await erase(usual, host)).status).toBe(204)
  })

  it('erases no guest of another location who was merged into one of theirs', async () => {
    const usual = await guest({ ...ANA, location_id: sur })
    const own = await guest({ first_name: 'Eva', location_id: norte })
    const merged = await g.ask(host, 'POST', `/api/customers/${own}/merge`, { duplicate_id: usual })
    expect(merged.status, JSON.stringify(merged.body)).toBe(200)
    expect(await erase(own, host)).toEqual(refusal('FOREIGN_LOCATION'))
    expect((await erase(own)).status).toBe(204)
  })

  it('changes no text elsewhere, nor one of no location, nor who waits elsewhere with that phone', async () => {
    for (const place of [norte, sur, null]) await ticket('Escribe ana@correo.example', place)
    for (const place of [norte, sur])
      await g.sql(
        `insert into public.waitlist (organization_id, location_id, name, phone, party_size) values ($1, $2, 'Marta', $3, 2)`,
        [g.group.id, place, ANA.phone],
      )
    await g.sql(
      `insert into public.job_runs (organization_id, job, status, result) values ($1, 'sync', 'partial', '{"error": "ana@correo.example"}')`,
      [g.group.id],
    )
    expect((await erase(await guest(), host)).status).toBe(204)
    expect(await subjects()).toEqual([
      'Escribe […]',
      'Escribe ana@correo.example',
      'Escribe ana@correo.example',
    ])
    expect(await g.sql('select location_id::text as at from public.waitlist')).toEqual([{ at: sur }])
    expect(await g.sql(`select result from public.job_runs where job = 'sync'`)).toEqual([
      { result: { error: 'ana@correo.example' } },
    ])
  })
})

describe('the texts about nobody', () => {
  it('lose an address everywhere, and the full name where the guest has booked', async () => {
    const id = await guest()
    await book(id, norte)
    for (const place of [norte, sur, null]) await ticket('Ana Ruiz, o RUIZ, ana: 612 34 56 78', place)
    await ticket('Ana, y el señor Ruiz', norte)
    expect((await erase(id)).status).toBe(204)
    expect(await subjects()).toEqual([
      '[…], o […]: […]',
      'Ana Ruiz, o RUIZ, ana: […]',
      'Ana Ruiz, o RUIZ, ana: […]',
      'Ana, y el señor Ruiz',
    ])
  })

  it.each([
    ['part of a longer address', 'de maria.ana@correo.example y ana@correo.example.org', ANA],
    ['part of a longer number', 'pedido 9612345678', ANA],
    ['a date', 'el 2026-12-01 o el 01.12.2026', { first_name: 'Olaf', phone: '+4520261201' }],
    ['a short number', 'pedido 4101000', { first_name: 'Olga', phone: '+3544101000' }],
  ])('keep %s', async (_, text, fields) => {
    const id = await guest(fields)
    await book(id, norte)
    await ticket(text, norte)
    expect((await erase(id)).status).toBe(204)
    expect(await subjects()).toEqual([text])
  })

  it('keep an address that another guest has, too', async () => {
    const id = await guest()
    await guest({ first_name: 'Leo', phone: ANA.phone })
    await ticket('Llama el 612 34 56 78')
    await g.sql(
      `insert into public.waitlist (organization_id, location_id, name, phone, party_size)
       values ($1, $2, 'Leo', $3, 2), ($1, $2, 'ana ruíz', $3, 2)`,
      [g.group.id, norte, ANA.phone],
    )
    expect((await erase(id)).status).toBe(204)
    expect(await subjects()).toEqual(['Llama el 612 34 56 78'])
    expect(await g.sql('select name from public.waitlist')).toEqual([{ name: 'Leo' }])
  })
})

it('what is about another guest stays whole, by its customer and by its booking', async () => {
  const id = await guest()
  await book(id, norte)
  const leo = await guest({ first_name: 'Leo' })
  await book(leo, norte)
  const text = 'Vino con Ana Ruiz (ana@correo.example)'
  await ticket(text, norte, leo)
  const byBooking = await ticket(text, norte)
  await g.sql(
    'update public.tickets set reservation_id = (select id from public.reservations where customer_id = $2) where id = $1',
    [byBooking, leo],
  )
  expect((await erase(id)).status).toBe(204)
  expect(await subjects()).toEqual([text, text])
})

it('a ticket about the guest’s booking is theirs', async () => {
  const id = await guest()
  await book(id, norte)
  const mine = await ticket('Ana pide trona', norte)
  await g.sql(
    'update public.tickets set reservation_id = (select id from public.reservations) where id = $1',
    [mine],
  )
  expect((await erase(id)).status).toBe(204)
  expect(await subjects()).toEqual(['[…] pide trona'])
})

it('names and definitions stay, and the line of the log names those that hold an address', async () => {
  const id = await guest()
  await book(id, norte)
  const [segment] = await g.sql<{ id: string }>(
    `insert into public.segments (organization_id, name, shared, definition) values
       ($1, 'Ana Ruiz', true, '{"field": "search", "text": "ana@correo.example"}'),
       ($1, 'Otros', true, '{"field": "search", "text": "Ana Ruiz"}') returning id::text`,
    [g.group.id],
  )
  const [campaign] = await g.sql<{ id: string }>(
    `insert into public.campaigns (organization_id, name) values ($1, 'Para ana@correo.example') returning id::text`,
    [g.group.id],
  )
  const stored = () =>
    g.sql(
      `select to_jsonb(s) as row from public.segments s union all select to_jsonb(c) from public.campaigns c order by 1`,
    )
  const before = await stored()
  expect((await erase(id)).status).toBe(204)
  expect(await stored()).toEqual(before)
  const [line] = await g.sql(`select details from public.audit_log where action = 'customer.erased'`)
  expect(line).toEqual({
    details: { to_mend: [`campaign ${campaign?.id}`, `segment ${segment?.id}`] },
  })
})

it('in the log only lines about the guest and theirs lose values; kind, time and author stay', async () => {
  const id = await guest()
  await book(id, norte)
  const [mine, other] = [await ticket('Ana llama', norte, id), await ticket('Ana Ruiz llama', sur)]
  const details = JSON.stringify({ fields: ['email'], before: { email: ANA.email, status: 'open' } })
  await g.sql(
    `insert into public.audit_log (organization_id, actor, action, subject_type, subject_id, subject, details)
     select $1::uuid, 'Ana Ruiz <ana@correo.example>', 'customer.changed', 'customer', $2::uuid, null, $5::jsonb
     union all select $1::uuid, 'Ana Ruiz', 'ticket.deleted', 'ticket', k.id, '#1 ' || k.subject,
       jsonb_build_object('before', jsonb_build_object('subject', k.subject, 'status', 'open'))
     from public.tickets k where k.id in ($3, $4)`,
    [g.group.id, id, mine, other, details],
  )
  const lines = () =>
    g.sql<Record<string, unknown>>(
      `select id, actor, action, created_at, subject, details, subject_id::text as about from public.audit_log
       where action in ('customer.changed', 'ticket.deleted') order by id`,
    )
  const before = await lines()
  expect((await erase(id)).status).toBe(204)
  expect(await lines()).toEqual(
    before.map((line) => {
      if (line.about === id)
        return { ...line, details: { fields: ['email'], before: { email: '[…]', status: 'open' } } }
      if (line.about !== mine) return line
      return {
        ...line,
        subject: '#1 […] llama',
        details: { before: { subject: '[…] llama', status: 'open' } },
      }
    }),
  )
})

it('a notice about the guest’s ticket keeps its template and codes, whatever the guest is called', async () => {
  const id = await guest({ first_name: 'Ticket', last_name: 'Notification Open' })
  const mine = await ticket('Ticket Notification llama', norte, id)
  const content = { template: 'ticket_notification', status: 'open', name: 'Open Ticket', is_new: true }
  await g.sql(
    `insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient, dedupe_key, content)
     values ($1, 'notification', 'ticket_notification', 'ticket', $2, 'email', 'jefa@equipo.example', 'k', $3)`,
    [g.group.id, mine, JSON.stringify({ ...content, subject: 'Ticket Notification llama' })],
  )
  expect((await erase(id)).status).toBe(204)
  expect(await g.sql('select status, content from public.messages')).toEqual([
    { status: 'queued', content: { ...content, subject: '[…] llama' } },
  ])
})
