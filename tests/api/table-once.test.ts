import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { usualStay } from '@/components/service/table-model'
import { addDays } from '@/lib/dates'
import { serviceMinute } from '@/lib/reservations/service-day'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

// Staff of two devices change the bookings of a coming night without ever saying yes to a question: no table is given twice, and
// a free table raises no question.
const NIGHTS = Number(process.env.TABLE_NIGHTS ?? 30)
const DAY = '2031-06-10'
const COMES = ['pending', 'confirmed']

interface Booking {
  time: string
  size: number
  status: string
  table: string | null
}

let g: Guests
let host: Client
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte', averageSpend: 20 }])
  host = await g.hire('operaciones')
})
afterAll(() => g?.app.close())

const time = fc.constantFrom('19:00', '20:30', '21:15', '22:00', '00:30')
const size = fc.integer({ min: 1, max: 8 })
const status = fc.constantFrom(
  'pending',
  'confirmed',
  'confirmed',
  'confirmed',
  'cancelled',
  'no_show',
  'completed',
)
const table = fc.option(fc.subarray(['S1', 'S2'], { minLength: 1 }).map((names) => names.join('+')))
const booking = fc.record({ time, size, status, table })
const step = fc.oneof(
  fc.record({ kind: fc.constant('book' as const), next: booking }),
  fc.record({
    kind: fc.constant('patch' as const),
    which: fc.nat(),
    next: fc.record({ time, size, status, table }, { requiredKeys: [] }),
  }),
  fc.record({
    kind: fc.constant('assign' as const),
    which: fc.nat(),
    next: fc.record({ table }),
  }),
)

const dateOf = (time: string) => (time < '06:00' ? addDays(DAY, 1) : DAY)
/** What the API calls the fields. */
const bodyOf = ({ time, size, status, table }: Partial<Booking>) => ({
  ...(time === undefined ? {} : { reservation_time: time, reservation_date: dateOf(time) }),
  ...(size === undefined ? {} : { party_size: size }),
  ...(status === undefined ? {} : { status }),
  ...(table === undefined ? {} : { table_name: table }),
})

const tablesOf = ({ table, status }: Booking) => (COMES.includes(status) ? (table?.split('+') ?? []) : [])
function clash(one: Booking, other: Booking): boolean {
  const [from, until] = [one, other].map(({ time }) => serviceMinute(time)) as [number, number]
  const meet = from < until + usualStay(other.size) && until < from + usualStay(one.size)
  return meet && tablesOf(one).some((name) => tablesOf(other).includes(name))
}

it(
  'no table is given twice unless somebody confirms it, and a free table raises no question',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        await g.sql(emptyTables('customers', 'reservations', 'private.service_taps'))
        const night = new Map<string, Booking>()
        for (const { kind, next, ...rest } of steps) {
          const id = 'which' in rest ? [...night.keys()][rest.which % night.size] : undefined
          if (kind !== 'book' && id === undefined) continue
          const before = id === undefined ? undefined : night.get(id)
          const wanted = { ...before, ...next } as Booking
          const others = [...night].filter(([each]) => each !== id).map(([, each]) => each)
          const answer = await ask(kind, id, next)
          if (answer.asked) {
            expect(answer.asked).toEqual(['TABLE_TAKEN'])
            expect({ wanted, others: others.filter((each) => clash(wanted, each)) }).not.toEqual({
              wanted,
              others: [],
            })
          } else {
            expect({ wanted, clashes: others.filter((each) => clash(wanted, each)) }).toEqual({
              wanted,
              clashes: [],
            })
            night.set(answer.id, wanted)
          }
        }
      }),
      { numRuns: NIGHTS },
    )
  },
  30_000 + NIGHTS * 1000,
)

it('who sits down before their day is asked who sits at the table now', async () => {
  await g.sql(emptyTables('customers', 'reservations', 'private.service_taps'))
  const tap = async (fields: object) => {
    const body = { location_id: g.places.Norte, taps: [{ key: randomUUID(), ...fields }] }
    return (await g.ask(host, 'POST', '/api/service/taps', body)).body.data[0]
  }
  await tap({ action: 'walk_in', party_size: 2, table_name: 'S1', customer_name: 'Luis Gil' })
  const { id } = await ask('book', '', { time: '21:15', size: 2, status: 'confirmed', table: 'S1' })
  const seat = { action: 'seat', reservation_id: id, table_name: 'S1' }
  expect(await tap(seat)).toMatchObject({ outcome: 'table_taken', current: { customer_name: 'Luis Gil' } })
  expect(await tap({ ...seat, confirm: ['table_taken'] })).toMatchObject({ outcome: 'saved' })
  // From then on they are asked about, too, however far away their day is.
  const early = await ask('book', '', { time: '21:15', size: 2, status: 'confirmed', table: 'S2' })
  expect(await tap({ action: 'seat', reservation_id: early.id, table_name: 'S2' })).toMatchObject({
    outcome: 'saved',
  })
  expect(await tap({ action: 'walk_in', party_size: 2, table_name: 'S2' })).toMatchObject({
    outcome: 'table_taken',
    current: { reservation_id: early.id },
  })
})

it('a booking entered as seated for a coming day is asked who has the table then', async () => {
  await g.sql(emptyTables('customers', 'reservations', 'private.service_taps'))
  await ask('book', '', { time: '21:15', size: 2, status: 'confirmed', table: 'S1' })
  const seated = { time: '21:15', size: 2, status: 'seated', table: 'S1' }
  expect(await ask('book', '', seated)).toMatchObject({ asked: ['TABLE_TAKEN'] })
  expect(await ask('book', '', { ...seated, table: 'S2' })).not.toHaveProperty('asked')
})

/** Books, changes or taps: the id of what was saved, or what was asked instead. */
async function ask(
  kind: 'book' | 'patch' | 'assign',
  id = '',
  next: Partial<Booking>,
): Promise<{ id: string; asked?: string[] }> {
  if (kind === 'assign') {
    const taps = [{ key: randomUUID(), action: 'assign', reservation_id: id, table_name: next.table ?? null }]
    const { status, body } = await g.ask(host, 'POST', '/api/service/taps', {
      location_id: g.places.Norte,
      taps,
    })
    expect(status).toBe(200)
    const { outcome, questions } = body.data[0]
    return { id, ...(outcome === 'saved' ? {} : { asked: questions ?? [outcome] }) }
  }
  const { status, body } =
    kind === 'book'
      ? await g.ask(host, 'POST', '/api/reservations', {
          ...{ location_id: g.places.Norte, customer_name: 'Ana Ruiz' },
          ...bodyOf(next),
        })
      : await g.ask(host, 'PATCH', `/api/reservations/${id}`, bodyOf(next))
  if (status === 409) return { id, asked: body.questions }
  expect([200, 201], JSON.stringify(body)).toContain(status)
  return { id: body.data.id }
}
