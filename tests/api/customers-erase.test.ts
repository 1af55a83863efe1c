import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'

let g: Guests
let boss: Client
let host: Client
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
  host = await g.hire('operaciones', 'Sur')
})
beforeEach(() =>
  g.sql(
    emptyTables('customers', 'reservations', 'messages', 'suppressions', 'whatsapp_windows', 'audit_log'),
  ),
)
afterAll(() => g?.app.close())

const ANA = {
  client_email: 'ana@correo.example',
  client_phone: '612345678',
  client_name: 'Anacleta',
  client_surname: 'Ruizseñor',
  notes: 'Alérgica al marisco',
}
const TRACES = ['ana@correo.example', '612345678', 'Anacleta', 'anacleta', 'Alérgica']
const booking = (id: string, more: object = {}) => ({ id, ...ANA, ...more })

const idOf = async (email = ANA.client_email) =>
  (await g.sql<{ id: string }>('select id::text from public.customers where email = $1', [email]))[0]?.id ??
  ''
const erase = (id: string, client = boss) => g.ask(client, 'DELETE', `/api/customers/${id}`)
const customers = () => g.sql('select email, total_visits as visits from public.customers order by email')
const bookings = () =>
  g.sql(
    `select external_id as id, status, party_size as pax, customer_name as name, customer_email as email, notes
     from public.reservations order by external_id`,
  )

/** The tables in which a text of the person is found. */
async function traces(): Promise<string[]> {
  const tables = await g.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await g.sql(`select 1 from public.${name} t where to_jsonb(t)::text ~ $1 limit 1`, [
      TRACES.join('|'),
    ])
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

async function write(customerId: string, key: string, status: string) {
  await g.sql(
    `insert into public.messages (organization_id, kind, purpose, customer_id, channel, recipient, status, reason, dedupe_key, content)
     values ($1, 'marketing', 'post_visit', $2, 'email', 'ana@correo.example', $4, 'provider_timeout', $3, '{"body": "Hola Anacleta"}')`,
    [g.group.id, customerId, key, status],
  )
}

const wroteByWhatsApp = () =>
  g.sql(
    `insert into public.whatsapp_windows (organization_id, address, last_inbound_at) values ($1, '+34612345678', now())`,
    [g.group.id],
  )

describe('erasing a customer', () => {
  it('leaves nothing of the person, and the figures of the day', async () => {
    await g.sync([booking('1'), booking('2', { status: 'no_show' })])
    await g.sync([booking('3', { pax: 5 })], 'Sur')
    await g.sync([{ id: '4', client_email: 'eva@correo.example', client_name: 'Eva' }])
    const id = await idOf()
    await g.sql(
      `insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
         reservation_date, reservation_time, party_size, source)
       values ($1, $2, $3, 'import:ana@correo.example', 'Anacleta', '2026-05-01', '12:00', 1, 'import')`,
      [g.group.id, g.places.Norte, id],
    )
    await write(id, 'sent', 'sent')
    await write(id, 'queued', 'queued')
    await g.sql(
      `insert into public.customer_aliases (organization_id, customer_id, phone) values ($1, $2, '+34612345678')`,
      [g.group.id, id],
    )
    await wroteByWhatsApp()
    await g.ask(boss, 'PATCH', `/api/customers/${id}`, { notes: 'Anacleta' })
    expect(await traces()).toEqual([
      'customer_aliases',
      'customers',
      'messages',
      'reservations',
      'whatsapp_windows',
    ])

    expect(await erase(id, host)).toEqual(refusal('FOREIGN_LOCATION'))
    expect(await erase(id)).toEqual({ status: 204, body: null })
    expect(await traces()).toEqual([])
    expect(await customers()).toEqual([{ email: 'eva@correo.example', visits: 1 }])
    const gone = { name: null, email: null, notes: null }
    expect(await bookings()).toEqual([
      { id: '1', status: 'completed', pax: 2, ...gone },
      { id: '2', status: 'no_show', pax: 2, ...gone },
      { id: '3', status: 'completed', pax: 5, ...gone },
      { id: '4', status: 'completed', pax: 2, name: 'Eva', email: 'eva@correo.example', notes: null },
    ])
    expect(await g.sql('select dedupe_key as key, status, reason from public.messages order by 1')).toEqual([
      { key: 'queued', status: 'skipped', reason: 'erased' },
      { key: 'sent', status: 'sent', reason: 'provider_timeout' },
    ])
    const day = await g.ask(boss, 'GET', '/api/reservations?date=2026-05-01')
    expect(day.body.data).toHaveLength(4)
    expect(
      await g.sql(
        `select subject_id::text as id, details from public.audit_log where action = 'customer.erased'`,
      ),
    ).toEqual([{ id, details: {} }])
    expect(await erase(id)).toEqual(refusal('NOT_FOUND'))
    expect(await g.ask(boss, 'GET', `/api/customers/${id}`)).toMatchObject({ status: 404 })
  })

  it('outlives the next syncs, whatever the PMS changes in the old booking', async () => {
    await g.sync([booking('1'), booking('2')])
    await erase(await idOf())
    expect(await g.sync([booking('1'), booking('2')])).toMatchObject({ created: 0, updated: 0, customers: 0 })
    const changes = [
      { status: 'no_show', pax: 7 },
      { client_phone: '699999999' },
      { client_email: 'ana2@correo.example' },
      { client_name: 'Anacleta María', notes: 'Alérgica a todo' },
    ]
    for (const change of changes) await g.sync([booking('1', { status: 'no_show', pax: 7, ...change })])
    expect(await traces()).toEqual([])
    expect(await customers()).toEqual([])
    expect((await bookings())[0]).toEqual({
      id: '1',
      status: 'no_show',
      pax: 7,
      name: null,
      email: null,
      notes: null,
    })
  })

  it('lets the person come back: a new booking creates a new customer', async () => {
    await g.sync([booking('1'), booking('2')])
    const before = await idOf()
    await erase(before)
    await g.sync([booking('1'), booking('3')])
    expect(await customers()).toEqual([{ email: 'ana@correo.example', visits: 1 }])
    expect(await idOf()).not.toBe(before)
    const owned = await g.sql(
      'select external_id as id from public.reservations where customer_id is not null',
    )
    expect(owned).toEqual([{ id: '3' }])
  })

  it('forgets when their phone last wrote, unless another customer has the same phone', async () => {
    await g.sync([booking('1'), booking('2', { client_email: 'eva@correo.example', client_name: 'Eva' })])
    await wroteByWhatsApp()
    await erase(await idOf())
    expect(await traces()).toContain('whatsapp_windows')
    await erase(await idOf('eva@correo.example'))
    expect(await traces()).toEqual([])
  })

  it('keeps the opt-outs', async () => {
    await g.sync([booking('1')])
    await g.sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       values ($1, 'email', 'ana@correo.example', 'unsubscribe')`,
      [g.group.id],
    )
    await erase(await idOf())
    expect(await traces()).toEqual(['suppressions'])
  })
})

describe('exporting a customer', () => {
  it('gives everything held, of every location, as a download, and logs it', async () => {
    await g.sync([booking('1')])
    await g.sync([booking('2', { date: '2026-05-02' })], 'Sur')
    await g.sync([{ id: '3', client_email: 'eva@correo.example' }])
    const id = await idOf()
    await write(id, 'sent', 'delivered')
    await g.sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       values ($1, 'sms', '+34612345678', 'stop'), ($1, 'email', 'eva@correo.example', 'unsubscribe')`,
      [g.group.id],
    )
    await g.sql(
      `insert into public.customer_aliases (organization_id, customer_id, email) values ($1, $2, 'vieja@correo.example')`,
      [g.group.id, id],
    )
    await g.ask(boss, 'PATCH', `/api/customers/${id}`, { company: 'Acme' })
    const customer = (await g.ask(boss, 'GET', `/api/customers/${id}`)).body.data

    const response = await boss.request('GET', `/api/customers/${id.toUpperCase()}/export`)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="customer-${id}.json"`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const body = await response.json()
    // The facts have the allergies, with their notes.
    const { allergies: _, ...exported } = customer
    expect(body.customer).toEqual(exported)
    expect(body.former_addresses).toEqual(['vieja@correo.example'])
    expect(body.reservations).toMatchObject([
      {
        external_id: '1',
        location: 'Norte',
        customer_email: 'ana@correo.example',
        reservation_time: '21:00',
      },
      { external_id: '2', location: 'Sur', customer_phone: '+34612345678', notes: 'Alérgica al marisco' },
    ])
    expect(body.messages).toMatchObject([
      { status: 'delivered', recipient: 'ana@correo.example', content: { body: 'Hola Anacleta' } },
    ])
    expect(body.suppressions).toMatchObject([{ channel: 'sms', address: '+34612345678', reason: 'stop' }])
    expect(body.audit).toMatchObject([
      { action: 'customer.consent_changed', details: { fields: ['consent.sms'] } },
      { action: 'customer.changed', details: { fields: ['company'] } },
      { action: 'customer.exported', details: {} },
    ])
    expect(JSON.stringify(body)).not.toContain('eva@')
  })

  it('is complete for a regular with thousands of reservations', async () => {
    await g.sync([booking('1')])
    const id = await idOf()
    await g.sql(
      `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time, party_size)
       select $1, $2, $3, date '2010-01-01' + n, '21:00', 2 from generate_series(1, 5000) as n`,
      [g.group.id, g.places.Norte, id],
    )
    const { body } = await g.ask(boss, 'GET', `/api/customers/${id}/export`)
    expect(body.reservations).toHaveLength(5001)
  })
})
