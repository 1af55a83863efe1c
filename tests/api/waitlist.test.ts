import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Service, TapAnswer } from '@/lib/service/schema'
import type { WaitingParty } from '@/lib/waitlist/schema'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'
import { OF_TESTS, ofProduct } from '../support/server-clock'

let g: Guests
let host: Client
let norte: string
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: 20 },
  ])
  host = await g.hire('operaciones')
  norte = g.places.Norte ?? ''
})
afterAll(() => g?.app.close())
beforeEach(() => g.sql(emptyTables('waitlist', 'reservations', 'messages', 'private.service_taps')))

const ANA = { name: 'Ana Ruiz', phone: '600 11 12 22', party_size: 4, quoted_minutes: 25 }
const join = async (fields: object = {}) => {
  const body = { location_id: norte, ...ANA, ...fields }
  const answer = await g.ask(host, 'POST', '/api/waitlist', body)
  expect(answer.status).toBe(201)
  return answer.body.data as WaitingParty
}
const waiting = async (client = host) => {
  const { body } = await g.ask(client, 'GET', `/api/waitlist?location_id=${norte}`)
  return body.data as WaitingParty[]
}
const change = (id: string, body: object, client = host) =>
  g.ask(client, 'PATCH', `/api/waitlist/${id}`, body)
const messages = () =>
  g.sql('select channel, recipient, status, kind, content, simulated from public.messages')

describe('a party that waits', () => {
  it('is listed in the order in which it came, also in the service', async () => {
    const ana = await join()
    const luis = await join({ name: 'Luis', phone: null, quoted_minutes: null })
    expect(ana).toMatchObject({ phone: '+34600111222', party_size: 4, called_at: null, message: null })
    expect((await waiting()).map(({ id }) => id)).toEqual([ana.id, luis.id])
    const { body } = await g.ask(host, 'GET', `/api/service?location_id=${norte}`)
    expect((body.data as Service).waiting.map(({ name }) => name)).toEqual(['Ana Ruiz', 'Luis'])
  })

  it('has a phone that people can read beside the one to dial', async () => {
    const readable = { phone: '+34600111222', readable_phone: '+34 600 11 12 22' }
    expect(await join()).toMatchObject(readable)
    await join({ phone: null })
    const { body } = await g.ask(host, 'GET', `/api/service?location_id=${norte}`)
    const none = { phone: null, readable_phone: null }
    for (const parties of [await waiting(), (body.data as Service).waiting])
      expect(parties).toMatchObject([readable, none])
  })

  it('is called by SMS once, at once, though it has no consent: it waits for this', async () => {
    const { id } = await join()
    expect((await change(id, { action: 'call' })).body.data).toMatchObject({ channel: 'sms' })
    expect(await messages()).toEqual([
      {
        ...{
          channel: 'sms',
          recipient: '+34600111222',
          status: 'sent',
          kind: 'transactional',
          simulated: true,
        },
        content: {
          body: 'Tu mesa en Norte está lista. Te esperamos.',
          expires_at: expect.any(String),
        },
      },
    ])
    expect((await waiting())[0]).toMatchObject({ called_at: expect.any(String), message: { status: 'sent' } })
    expect(await change(id, { action: 'call' })).toMatchObject(refusal('CHANGED_MEANWHILE'))
    expect(await messages()).toHaveLength(1)
  })

  it('is called in English at a British number', async () => {
    const { id } = await join({ name: 'Ann Reid', phone: '+44 7911 123456' })
    await change(id, { action: 'call' })
    expect(await messages()).toMatchObject([
      { content: { body: 'Your table at Norte is ready. See you in a moment!' } },
    ])
  })

  it('is called in the language of the guest who has the number', async () => {
    const { id } = await join()
    await g.sql(
      `insert into public.customers (organization_id, first_name, phone, language) values ($1, 'Ona', '+34600111222', 'ca')`,
      [g.group.id],
    )
    await change(id, { action: 'call' })
    expect(await messages()).toMatchObject([
      { content: { body: "La teva taula a Norte està a punt. T'esperem." } },
    ])
    await g.sql(`delete from public.customers where first_name = 'Ona'`)
  })

  it('is called at once when the clock of the database is ahead', async () => {
    await g.sql(ofProduct())
    vi.useFakeTimers({ now: Date.now() - 60_000, toFake: ['Date'] })
    try {
      const { id } = await join()
      expect((await change(id, { action: 'call' })).body.data).toMatchObject({ channel: 'sms' })
      expect(await messages()).toMatchObject([{ status: 'sent' }])
    } finally {
      vi.useRealTimers()
      await g.sql(OF_TESTS)
    }
  })

  it('is called by WhatsApp when it wrote in the last 24 hours', async () => {
    await g.sql(
      `insert into public.whatsapp_windows (organization_id, address, last_inbound_at) values ($1, '+34600111222', now())`,
      [g.group.id],
    )
    const { id } = await join()
    expect((await change(id, { action: 'call' })).body.data).toMatchObject({ channel: 'whatsapp' })
  })

  it('is called by voice when it left no phone', async () => {
    const { id } = await join({ phone: null })
    expect((await change(id, { action: 'call' })).body.data).toMatchObject({ channel: null })
    expect(await messages()).toEqual([])
    expect((await waiting())[0]).toMatchObject({ called_at: expect.any(String), message: null })
  })

  it('is called by voice when its phone is a landline, which gets no SMS', async () => {
    const { id } = await join({ phone: '91 555 12 34' })
    expect((await change(id, { action: 'call' })).body.data).toMatchObject({ channel: null })
    expect(await messages()).toEqual([])
  })

  it('becomes a walk-in at its table', async () => {
    const { id } = await join({ notes: 'Con carrito' })
    const { body } = await change(id, { action: 'seat', table_name: '7' })
    expect(await waiting()).toEqual([])
    const [row] = await g.sql(
      'select customer_name, customer_phone, party_size, table_name, status, walk_in, notes from public.reservations where id = $1',
      [(body.data as { reservation_id: string }).reservation_id],
    )
    expect(row).toEqual({
      ...{ customer_name: 'Ana Ruiz', customer_phone: '+34600111222', party_size: 4, table_name: '7' },
      ...{ status: 'seated', walk_in: true, notes: 'Con carrito' },
    })
    expect(await change(id, { action: 'leave' })).toMatchObject(refusal('CHANGED_MEANWHILE'))
  })

  it('leaves, and comes back', async () => {
    const { id } = await join()
    expect((await change(id, { action: 'leave' })).status).toBe(200)
    expect(await waiting()).toEqual([])
    expect((await change(id, { action: 'return' })).status).toBe(200)
    expect((await waiting()).map((party) => party.id)).toEqual([id])
    expect(await change(id, { action: 'return' })).toMatchObject(refusal('CHANGED_MEANWHILE'))
  })
})

describe('the waitlist', () => {
  it('refuses a phone that is none', async () => {
    const body = { location_id: norte, ...ANA, phone: '12' }
    expect((await g.ask(host, 'POST', '/api/waitlist', body)).status).toBe(400)
  })

  it('forgets after 30 days who waited, and taps after 7', async () => {
    const { id } = await join()
    const kept = await join({ name: 'Luis' })
    await change(kept.id, { action: 'seat' })
    await g.sql(`update public.waitlist set joined_at = now() - interval '31 days' where id = $1`, [id])
    await g.sql(`update private.service_taps set taken_at = now() - interval '8 days'`)
    const [tidied] = await g.sql<{ done: object }>('select public.tidy_up($1) as done', [g.group.id])
    expect(tidied?.done).toMatchObject({ waitlist: 1, service_taps: 1 })
    expect(await g.sql('select name from public.waitlist')).toEqual([{ name: 'Luis' }])
  })

  it('forgets a customer who is erased, by the phone', async () => {
    const { id } = await join({ phone: '600 11 12 33' })
    await change(id, { action: 'call' })
    const admin = await g.hire('admin')
    const made = await g.ask(admin, 'POST', '/api/customers', { first_name: 'Ana', phone: '+34600111233' })
    const customer = (made.body.data as { id: string }).id
    const exported = await g.ask(admin, 'GET', `/api/customers/${customer}/export`)
    expect(exported.body).toMatchObject({ waitlist: [{ name: 'Ana Ruiz', location: 'Norte' }] })
    expect((await g.ask(admin, 'DELETE', `/api/customers/${customer}`)).status).toBe(204)
    expect(await waiting()).toEqual([])
    expect(await messages()).toEqual([])
  })
})

describe('taps of the waitlist, that a device keeps without a connection', () => {
  const at = () => new Date(Date.now() - 30 * 60_000).toISOString()
  const taps = async (...all: object[]) => {
    const { status, body } = await g.ask(host, 'POST', '/api/service/taps', { location_id: norte, taps: all })
    expect(status).toBe(200)
    return (body.data as TapAnswer[]).map(({ outcome }) => outcome)
  }
  const joining = (fields: object = {}) => ({ key: randomUUID(), action: 'wait_join', ...ANA, ...fields })
  // Not by the list of the service: half an hour ago may have been the one before.
  const parties = () =>
    g.sql(
      `select customer_name as name, table_name, walk_in, status,
         to_char(seated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as seated_at
       from public.reservations order by 1`,
    )

  it('join once, since the time when they were tapped, however often and by whatever way they come', async () => {
    const tapped = { ...joining(), at: at() }
    expect(await taps(tapped)).toEqual(['saved'])
    expect(await taps(tapped, tapped)).toEqual(['repeated', 'repeated'])
    // The form asked first, and its answer was lost.
    const { key } = tapped
    expect((await g.ask(host, 'POST', '/api/waitlist', { location_id: norte, ...ANA, key })).status).toBe(201)
    expect(await waiting()).toMatchObject([{ id: key, name: 'Ana Ruiz', phone: '+34600111222' }])
    expect((await waiting()).map(({ joined_at }) => joined_at)).toEqual([tapped.at])
    const form = { location_id: norte, ...ANA, name: 'Luis', key: randomUUID() }
    for (const status of [201, 201])
      expect((await g.ask(host, 'POST', '/api/waitlist', form)).status).toBe(status)
    expect(await taps({ ...joining(), key: form.key })).toEqual(['repeated'])
    expect((await waiting()).map(({ name }) => name)).toEqual(['Ana Ruiz', 'Luis'])
  })

  it('seat one that joined in the same minute without a connection, once', async () => {
    const tapped = joining()
    const seat = { key: randomUUID(), action: 'wait_seat', waiting_id: tapped.key, table_name: '7', at: at() }
    const finish = { key: randomUUID(), action: 'finish', of: seat.key }
    expect(await taps(tapped, seat, finish)).toEqual(['saved', 'saved', 'saved'])
    expect(await taps(tapped, seat, finish)).toEqual(['repeated', 'repeated', 'repeated'])
    expect(await waiting()).toEqual([])
    expect(await parties()).toMatchObject([
      { name: 'Ana Ruiz', table_name: '7', walk_in: true, status: 'completed', seated_at: seat.at },
    ])
  })

  it('join once when they come twice at the same time', async () => {
    const form = { location_id: norte, ...ANA, key: randomUUID() }
    const tapped = joining()
    const body = { location_id: norte, taps: [tapped] }
    const answers = await Promise.all([
      ...[1, 2, 3, 4].map(() => g.ask(host, 'POST', '/api/waitlist', form)),
      ...[1, 2, 3, 4].map(() => g.ask(host, 'POST', '/api/service/taps', body)),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200, 200, 200, 200])
    const outcomes = answers.slice(4).map((answer) => (answer.body.data as TapAnswer[])[0]?.outcome)
    expect(outcomes.sort()).toEqual(['repeated', 'repeated', 'repeated', 'saved'])
    expect(await waiting()).toHaveLength(2)
  })

  it('let go and bring back, once each', async () => {
    const { id } = await join()
    const leave = { key: randomUUID(), action: 'wait_leave', waiting_id: id }
    expect(await taps(leave, leave, { ...leave, key: randomUUID() })).toEqual([
      'saved',
      'repeated',
      'repeated',
    ])
    expect(await waiting()).toEqual([])
    const back = { key: randomUUID(), action: 'wait_return', waiting_id: id }
    expect(await taps(back, back)).toEqual(['saved', 'repeated'])
    // The first one once more, after its party came back.
    expect(await taps(leave)).toEqual(['repeated'])
    expect((await waiting()).map(({ name }) => name)).toEqual(['Ana Ruiz'])
    await taps({ ...leave, key: randomUUID() })
    expect(await taps(back)).toEqual(['repeated'])
    expect(await waiting()).toEqual([])
  })

  it('count once, also when another device had let them go before', async () => {
    const { id } = await join()
    await change(id, { action: 'leave' })
    const leave = { key: randomUUID(), action: 'wait_leave', waiting_id: id }
    expect(await taps(leave)).toEqual(['repeated'])
    await change(id, { action: 'return' })
    // Its answer was lost: it comes once more.
    expect(await taps(leave)).toEqual(['repeated'])
    expect((await waiting()).map(({ name }) => name)).toEqual(['Ana Ruiz'])
  })

  it('are a conflict when another device was faster: nobody is seated twice', async () => {
    const { id } = await join()
    await change(id, { action: 'seat', table_name: '7' })
    const seat = { key: randomUUID(), action: 'wait_seat', waiting_id: id, table_name: '8' }
    expect(await taps(seat)).toEqual(['conflict'])
    expect(await taps({ ...seat, key: randomUUID(), action: 'wait_leave', table_name: undefined })).toEqual([
      'conflict',
    ])
    expect(await parties()).toMatchObject([{ name: 'Ana Ruiz', table_name: '7', status: 'seated' }])
  })

  it('ask about a table that somebody else has, and seat with a yes to it', async () => {
    await taps({ key: randomUUID(), action: 'walk_in', party_size: 2, table_name: '7', customer_name: 'Eva' })
    const { id } = await join()
    const seat = { key: randomUUID(), action: 'wait_seat', waiting_id: id, table_name: '7' }
    const { body } = await g.ask(host, 'POST', '/api/service/taps', { location_id: norte, taps: [seat] })
    expect(body.data).toMatchObject([
      { key: seat.key, questions: ['TABLE_TAKEN'], current: { customer_name: 'Eva' } },
    ])
    expect(await waiting()).toHaveLength(1)
    expect(await taps({ ...seat, confirm: ['table_taken'] })).toEqual(['saved'])
    expect(await waiting()).toEqual([])
  })

  it('are not found for a party of another location or nobody, and full when 200 wait', async () => {
    const other = joining()
    await g.ask(host, 'POST', '/api/service/taps', { location_id: g.places.Sur, taps: [other] })
    for (const action of ['wait_seat', 'wait_leave', 'wait_return'])
      for (const waiting_id of [other.key, randomUUID()])
        expect(await taps({ key: randomUUID(), action, waiting_id })).toEqual(['not_found'])
    await g.sql(
      `insert into public.waitlist (organization_id, location_id, name, party_size)
       select $1, $2, 'Grupo ' || n, 2 from generate_series(1, 200) as n`,
      [g.group.id, norte],
    )
    expect(await taps(joining())).toEqual(['waitlist_full'])
  })
})
