import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { automationResults } from '@/lib/automations/results'
import { createGroup, type Group, type Person } from '../factories/group'
import { createAutomation, createCustomer, createReservation } from '../factories/messaging'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { LOOKUPS, lookUp } from '../support/lookups'
import { answer, signedIn } from '../support/sign-in'

const NOON = new Date('2026-11-20T11:00:00Z')
const DAY = 86_400_000
const ago = (days: number) => new Date(NOON.getTime() - days * DAY).toISOString()

let app: TestApp
let group: Group
let other: Group
let boss: Person
let one: string
let two: string
let ana: string

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Fruto', [{ name: 'Norte', slug: 'norte', averageSpend: 30 }])
  other = await createGroup(app.stack, 'Otro Fruto')
  boss = await group.person('marketing')
})
beforeEach(async () => {
  await app.stack.sql(emptyTables('automations', 'messages', 'customers', 'reservations'))
  one = await createAutomation(app.stack, group.id, { type: 'vip_reward' })
  two = await createAutomation(app.stack, group.id, { type: 'vip_reward' })
  ana = await createCustomer(app.stack, group.id, { first_name: 'Ana' })
})
afterAll(() => app?.close())

let count = 0
const told = (automation: string, days: number, more: Record<string, unknown> = {}) => {
  const row = {
    organization_id: group.id,
    automation_id: automation,
    customer_id: ana,
    kind: 'marketing',
    purpose: 'post_visit',
    channel: 'sms',
    status: 'sent',
    dedupe_key: `m${++count}`,
    created_at: ago(days),
    sent_at: ago(days),
    ...more,
  }
  const columns = Object.keys(row).join(', ')
  return app.stack.sql(
    `insert into public.messages (${columns})
     select ${columns} from jsonb_populate_record(null::public.messages, $1::jsonb)`,
    [JSON.stringify(row)],
  )
}
const booked = (days: number, more: Record<string, unknown> = {}) =>
  createReservation(app.stack, group.id, {
    location_id: group.locations[0]?.id,
    customer_id: ana,
    reservation_date: '2026-11-25',
    created_at: ago(days),
    ...more,
  })
const session = () => ({
  db: boss.db,
  user_id: boss.id,
  role: 'admin' as const,
  organization: group.organization,
})
const results = (automation: string, days = 90) => automationResults(session(), automation, days, NOON)
const yields = async (automation: string, days?: number) => {
  const { reservations, covers, revenue } = await results(automation, days)
  return [reservations, covers, revenue]
}

describe.each(LOOKUPS)('reservations, looked up %s,', (how) => {
  beforeAll(() => lookUp(app.stack.sql, how))

  it('are credited to the message before them, with covers, and with the revenue of the visits', async () => {
    await told(one, 20)
    await booked(19, { status: 'completed', total_amount: 80.5 })
    await booked(18, { status: 'completed', party_size: 3 })
    await booked(17, { status: 'confirmed', party_size: 4, total_amount: 999 })
    await booked(17, { status: 'seated', party_size: 2, service_over: true })
    expect(await yields(one)).toEqual([4, 11, 230.5])
    expect(await results(one)).toMatchObject({ estimated_revenue: 150 })
  })

  it.each([
    ['at the very moment', 40, 40, 1],
    ['a moment before', 40, 40 + 1 / DAY, 0],
    ['after exactly 30 days', 40, 10, 1],
    ['a moment later', 40, 10 - 1 / DAY, 0],
  ])('count %s or not', async (_, message, reservation, expected) => {
    await told(one, message)
    await booked(reservation)
    expect((await yields(one))[0]).toBe(expected)
  })

  it('go to the last message of all automations, and to one alone', async () => {
    await told(one, 20)
    await told(two, 10)
    await booked(15)
    await booked(5)
    expect([await yields(one), await yields(two)]).toEqual([
      [1, 2, 0],
      [1, 2, 0],
    ])
    await app.stack.sql(emptyTables('messages', 'reservations'))
    await told(one, 20)
    await told(two, 20)
    await told(one, 20)
    await booked(5)
    expect(Number((await yields(one))[0]) + Number((await yields(two))[0])).toBe(1)
  })

  it.each([
    ['a skipped message', { status: 'skipped' }, {}],
    ['a failed one', { status: 'failed' }, {}],
    ['one of unknown outcome', { status: 'unknown' }, {}],
    ['a confirmation', { kind: 'transactional' }, {}],
    ['a message to nobody any more', { customer_id: null }, {}],
    ['a cancelled reservation', {}, { status: 'cancelled' }],
    ['a no-show', {}, { status: 'no_show' }],
    ['an imported one', {}, { source: 'import' }],
    ['nobody’s', {}, { customer_id: null }],
  ])('are not credited: %s', async (_, message, reservation) => {
    await told(one, 20, message)
    await booked(10, reservation)
    expect(await yields(one)).toEqual([0, 0, 0])
  })

  it('are for a service after the message, however late the PMS tells of them', async () => {
    // The dinner was the evening before the message; the sync brought it an hour after.
    await told(one, 20)
    const dinner = { reservation_date: '2026-10-30', reservation_time: '21:00', status: 'completed' }
    await booked(20 - 1 / 24, dinner)
    expect(await yields(one)).toEqual([0, 0, 0])
    // It is the success of the message before it.
    await told(two, 22)
    expect([await yields(one), await yields(two)]).toEqual([
      [0, 0, 0],
      [1, 2, 60],
    ])
  })

  it('a skipped message takes no credit from the one before it', async () => {
    await told(one, 20)
    await told(two, 12, { status: 'skipped' })
    await booked(10)
    expect((await yields(one))[0]).toBe(1)
  })

  it('agree with a plain count over drawn messages and reservations', async () => {
    const people = [
      ana,
      await createCustomer(app.stack, group.id, {}),
      await createCustomer(app.stack, group.id, {}),
    ]
    let seed = 7
    const draw = (sides: number) => {
      seed = (seed * 16_807) % 2_147_483_647
      return Math.floor((seed / 2_147_483_647) * sides)
    }
    const sent = Array.from({ length: 40 }, () => ({
      by: draw(2) ? one : two,
      to: people[draw(3)] ?? '',
      at: draw(80) + draw(97) / 100,
    }))
    const made = Array.from({ length: 60 }, () => ({
      of: people[draw(3)],
      at: draw(80) + draw(97) / 100,
      // Days before noon, from Madrid's noon: some are past when the row comes, some still ahead.
      service: draw(90) - 9,
      size: 1 + draw(6),
    }))
    for (const { by, to, at } of sent) await told(by, at, { customer_id: to })
    for (const { of, at, service, size } of made)
      await booked(at, {
        customer_id: of,
        party_size: size,
        reservation_date: ago(service).slice(0, 10),
        reservation_time: '12:00',
      })
    const expected = { [one]: [0, 0, 0], [two]: [0, 0, 0] }
    for (const { of, at, service, size } of made) {
      const before = sent
        .filter((message) => message.to === of && message.at >= Math.max(at, service))
        .sort((a, b) => a.at - b.at)[0]
      const tally = before && before.at - at <= 30 ? expected[before.by] : undefined
      if (tally) tally.splice(0, 2, Number(tally[0]) + 1, Number(tally[1]) + size)
    }
    expect({ [one]: await yields(one), [two]: await yields(two) }).toEqual(expected)
    expect(Number(expected[one]?.[0])).toBeGreaterThan(5)
  })
})

describe('GET /api/automations/{id}/results', () => {
  it('counts the messages of the period by outcome', async () => {
    for (const status of ['sent', 'delivered', 'skipped', 'failed', 'unknown', 'queued', 'sending'])
      await told(one, 10, { status })
    await told(one, 40)
    expect(await results(one, 30)).toEqual({
      from: ago(30),
      to: NOON.toISOString(),
      messages: {
        ...{ total: 7, sent: 2, delivered: 1, simulated: 0, skipped: 1, failed: 2, pending: 2 },
        ...{ emails: 0, opened: 0, maybe_opened: 0, clicked: 0 },
      },
      reservations: 0,
      covers: 0,
      revenue: 0,
      estimated_revenue: 0,
      links: [],
    })
    expect((await results(one)).messages.total).toBe(8)
  })

  it('takes whole days, 1 to 365', async () => {
    const client = await signedIn(boss)
    const ask = (days: string) => client.request('GET', `/api/automations/${one}/results?days=${days}`)
    expect((await answer(await ask('365'))).body.data).toMatchObject({ reservations: 0 })
    for (const days of ['0', '366', '1.5', 'x', '1e400']) expect((await ask(days)).status).toBe(400)
  })

  it('shows nothing of another organization’s messages and reservations', async () => {
    await told(one, 10, { organization_id: other.id })
    expect((await results(one)).messages.total).toBe(0)
  })
})
