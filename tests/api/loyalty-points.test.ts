import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { csvRows } from '../support/csv-rows'
import { emptyTables } from '../support/empty-tables'
import { everyPage, type Guests, startGuests } from '../support/guests'
import { invalid, refusal } from '../support/refusal'

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
beforeEach(() => g.sql(emptyTables('reservations', 'customers', 'audit_log')))
afterAll(() => g?.app.close())

// Two people at 20 € a head: 40 €.
const ANA = { id: '1', client_email: 'ana@correo.example', client_name: 'Ana', pax: 2 }
const EVA = { client_email: 'eva@correo.example', client_name: 'Eva' }

async function guest(email = ANA.client_email) {
  const { data } = (await g.ask(boss, 'GET', `/api/customers?search=${email}`)).body
  return data[0] as { id: string; points: number; loyalty_tier: { name: string } | null }
}
const pathOf = async (email?: string) => `/api/customers/${(await guest(email)).id}/points`
/** The ledger, the oldest entry first: `earned 40 ×1`. */
async function ledger(email?: string) {
  const { data } = (await g.ask(boss, 'GET', await pathOf(email))).body
  const lines = data.map((entry: { kind: string; points: number; multiplier: number | null }) =>
    [entry.kind, entry.points, entry.multiplier === null ? '' : `×${entry.multiplier}`].join(' ').trim(),
  )
  return lines.reverse()
}
const balance = async (email?: string) => (await guest(email)).points
const redeem = async (points: number, email?: string) =>
  g.ask(boss, 'POST', await pathOf(email), { kind: 'redeemed', points, reason: 'Botella de cava' })
const adjust = async (points: number, email?: string) =>
  g.ask(boss, 'POST', await pathOf(email), { kind: 'adjusted', points, reason: 'Disculpa por la espera' })
async function patch(body: object, id = '1') {
  const [row] = await g.sql<{ id: string }>('select id from public.reservations where external_id = $1', [id])
  const answer = await g.ask(boss, 'PATCH', `/api/reservations/${row?.id}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
const hold = (tier: string | null) =>
  g.sql(
    `update public.customers c set loyalty_tier_id = (
       select id from public.loyalty_tiers t where t.organization_id = c.organization_id and t.name = $1)`,
    [tier],
  )

describe('a visit earns', () => {
  it.each([
    [null, 40, 1],
    ['Bronce', 40, 1],
    ['Plata', 48, 1.2],
    ['Oro', 60, 1.5],
    ['Platino', 80, 2],
  ])('by the multiplier of the tier held then: %s', async (tier, points, multiplier) => {
    await g.sync([{ ...ANA, status: 'pending' }])
    expect([await balance(), await ledger()]).toEqual([0, []])
    await hold(tier)
    await g.sync([ANA])
    expect(await balance()).toBe(points)
    const { data } = (await g.ask(boss, 'GET', await pathOf())).body
    expect(data).toMatchObject([
      { kind: 'earned', points, multiplier, amount: 40, reason: null, author: null },
    ])
  })

  it('before it raises the tier: what comes next earns more', async () => {
    await g.sync([ANA])
    await g.sync([{ ...ANA, id: '2' }])
    expect((await guest()).loyalty_tier?.name).toBe('Plata')
    await g.sync([{ ...ANA, id: '3' }])
    expect(await ledger()).toEqual(['earned 40 ×1', 'earned 40 ×1', 'earned 48 ×1.2'])
    expect(await balance()).toBe(128)
  })

  it('once: neither the same rows again nor another change of theirs writes an entry', async () => {
    const rows = () =>
      g.sql(`select c.xmin::text, (select count(*)::int from public.loyalty_points) as entries
        from public.customers c`)
    await g.sync([ANA])
    const before = await rows()
    expect(before).toMatchObject([{ entries: 1 }])
    await g.sync([ANA])
    await g.sync([{ ...ANA, table_name: '7' }])
    expect(await rows()).toEqual(before)
  })

  it('by its amount, rounded down, and a corrected amount corrects it', async () => {
    await g.sync([ANA])
    await hold('Platino')
    await patch({ total_amount: 99.99 })
    await patch({ total_amount: 10.5 })
    await patch({ total_amount: 0 })
    expect(await ledger()).toEqual([
      'earned 40 ×1',
      'corrected 59 ×1',
      'corrected -89 ×1',
      'corrected -10 ×1',
    ])
    expect(await balance()).toBe(0)
  })

  it('nothing without an amount and an average spend, nor by an import', async () => {
    await g.sync([ANA], 'Sur')
    await g.sql(
      `insert into public.reservations (organization_id, location_id, customer_id, reservation_date,
         reservation_time, party_size, status, source, total_amount)
       select organization_id, $1, id, '2026-05-01', '12:00', 1, 'completed', 'import', 500 from public.customers`,
      [g.places.Norte],
    )
    await g.sync([{ ...ANA, pax: 3 }], 'Sur')
    expect([await balance(), await ledger()]).toEqual([0, []])
  })

  it('anew where the average spend changes', async () => {
    await g.sync([ANA])
    const location = `/api/locations/${g.places.Norte}`
    await g.ask(boss, 'PATCH', location, { average_spend_per_guest: 25 })
    expect(await balance()).toBe(50)
    await g.ask(boss, 'PATCH', location, { average_spend_per_guest: 20 })
    expect(await ledger()).toEqual(['earned 40 ×1', 'corrected 10 ×1', 'corrected -10 ×1'])
  })
})

describe('points go with the visit', () => {
  it('back with a no-show, and come again by the multiplier it had', async () => {
    await g.sync([{ ...ANA, state: 1, status: undefined }])
    await hold('Platino')
    await g.sync([{ ...ANA, state: -3, status: undefined }])
    expect(await balance()).toBe(0)
    await patch({ status: 'completed' })
    expect(await ledger()).toEqual(['earned 40 ×1', 'taken_back -40 ×1', 'earned 40 ×1'])
    expect(await balance()).toBe(40)
  })

  it('to the guest the PMS now names', async () => {
    await g.sync([ANA, { ...ANA, ...EVA, id: '2' }])
    await g.sync([{ ...ANA, ...EVA }])
    expect(await ledger()).toEqual(['earned 40 ×1', 'taken_back -40 ×1'])
    expect(await ledger(EVA.client_email)).toEqual(['earned 40 ×1', 'earned 40 ×1'])
    expect([await balance(), await balance(EVA.client_email)]).toEqual([0, 80])
  })

  it('to the guest that staff link, by the tier that one holds', async () => {
    await g.sync([{ ...ANA, ...EVA, id: '9', status: 'pending' }])
    await hold('Oro')
    const booking = {
      location_id: g.places.Norte,
      customer_email: ANA.client_email,
      reservation_date: '2026-05-01',
      reservation_time: '21:00',
      party_size: 2,
      status: 'completed',
      confirm: ['service_over'],
    }
    const { body } = await g.ask(boss, 'POST', '/api/reservations', booking)
    expect(await balance()).toBe(40)
    const eva = await guest(EVA.client_email)
    await g.ask(boss, 'PATCH', `/api/reservations/${body.data.id}`, { customer_id: eva.id })
    expect([await balance(), await balance(EVA.client_email)]).toEqual([0, 60])
  })

  it('along when two guests become one, and no entry is written for it', async () => {
    await g.sync([ANA, { ...ANA, ...EVA, id: '2' }])
    await hold('Plata')
    await g.sync([{ ...ANA, ...EVA }])
    await adjust(5)
    const duplicate = await guest(EVA.client_email)
    const merged = await g.ask(boss, 'POST', `/api/customers/${(await guest()).id}/merge`, {
      duplicate_id: duplicate.id,
    })
    // 40 as Eva's own, 48 as what came from Ana, and what staff gave.
    expect(merged).toMatchObject({ status: 200, body: { data: { points: 93 } } })
    expect((await ledger()).sort()).toEqual([
      'adjusted 5',
      'earned 40 ×1',
      'earned 40 ×1',
      'earned 48 ×1.2',
      'taken_back -40 ×1',
    ])
  })

  it('nowhere when the guest is erased', async () => {
    await g.sync([ANA])
    await redeem(10)
    expect((await g.ask(boss, 'DELETE', `/api/customers/${(await guest()).id}`)).status).toBe(204)
    expect(await g.sql('select * from public.loyalty_points')).toEqual([])
    const logged = await g.sql(
      `select details from public.audit_log where action = 'customer.points_redeemed'`,
    )
    expect(logged).toEqual([{ details: { points: -10 } }])
  })
})

describe('staff', () => {
  it('redeem and adjust with a reason, and the visits’ points stay apart', async () => {
    await g.sync([ANA])
    expect(await redeem(30)).toMatchObject({
      status: 201,
      body: {
        data: {
          entry: {
            ...{
              kind: 'redeemed',
              points: -30,
              reason: 'Botella de cava',
              author: expect.stringMatching(/^admin/),
            },
            ...{ reservation_id: null, amount: null, multiplier: null },
          },
          balance: 10,
        },
      },
    })
    expect((await adjust(-10)).body.data.balance).toBe(0)
    expect((await adjust(25)).body.data.balance).toBe(25)
    await g.sync([{ ...ANA, pax: 3 }])
    expect(await ledger()).toEqual([
      'earned 40 ×1',
      'redeemed -30',
      'adjusted -10',
      'adjusted 25',
      'corrected 20 ×1',
    ])
    expect(await balance()).toBe(45)
    const actions = await g.sql(
      `select action, details from public.audit_log where action like 'customer.points%' order by created_at`,
    )
    expect(actions).toEqual([
      { action: 'customer.points_redeemed', details: { points: -30 } },
      { action: 'customer.points_adjusted', details: { points: -10 } },
      { action: 'customer.points_adjusted', details: { points: 25 } },
    ])
  })

  it('never take more than there is, also not two at once', async () => {
    await g.sync([ANA])
    const refused = refusal('NOT_ENOUGH_POINTS')
    expect(await redeem(41)).toEqual(refused)
    expect(await adjust(-41)).toEqual(refused)
    const path = await pathOf()
    const body = { kind: 'redeemed', points: 15, reason: 'Postre' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => g.ask(boss, 'POST', path, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect(await balance()).toBe(10)
  })

  it('can make up for what a visit taken back left below 0', async () => {
    await g.sync([ANA])
    await redeem(40)
    await patch({ status: 'no_show' })
    expect(await balance()).toBe(-40)
    expect((await redeem(1)).status).toBe(409)
    expect((await adjust(15)).body.data.balance).toBe(-25)
  })

  it.each([
    ['points', { kind: 'redeemed', points: -5, reason: 'x' }],
    ['points', { kind: 'redeemed', points: 0, reason: 'x' }],
    ['points', { kind: 'adjusted', points: 1.5, reason: 'x' }],
    ['points', { kind: 'adjusted', points: 1_000_001, reason: 'x' }],
    ['reason', { kind: 'adjusted', points: 1, reason: ' ' }],
    ['reason', { kind: 'adjusted', points: 1, reason: 'x'.repeat(301) }],
    ['reason', { kind: 'adjusted', points: 1 }],
    ['kind', { kind: 'earned', points: 1, reason: 'x' }],
  ])('are refused a wrong %s', async (field, body) => {
    await g.sync([ANA])
    const answer = await g.ask(boss, 'POST', await pathOf(), body)
    expect(answer).toEqual(invalid(field))
  })
})

it('the ledger is read page by page, and goes with the guest’s data and the list', async () => {
  await g.sync([1, 2, 3, 4, 5].map((n) => ({ ...ANA, id: String(n) })))
  await redeem(7)
  const path = await pathOf()
  const paged = await everyPage(g.ask, boss, path, 2)
  expect(paged).toEqual((await g.ask(boss, 'GET', path)).body.data)
  expect(paged).toHaveLength(6)
  expect(paged[0]).toMatchObject({ kind: 'redeemed', points: -7 })
  expect((await g.ask(boss, 'GET', `${path}?cursor=x`)).status).toBe(400)

  const { id } = await guest()
  const held = (await g.ask(boss, 'GET', `/api/customers/${id}/export`)).body
  expect(held.customer.points).toBe(193)
  expect(held.points.map(({ points }: { points: number }) => points)).toEqual([40, 40, 40, 40, 40, -7])
  const csv = await (await boss.request('GET', '/api/customers/export?language=es')).text()
  const [head, row] = csvRows(csv)
  expect(row?.[head?.indexOf('Puntos') ?? -1]).toBe('193')
})
