import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { customerHabits, type Habits, noShowRate } from '@/lib/customers/habits'
import { createGroup, type Group, type Person } from '../factories/group'
import { emptyTables } from '../support/empty-tables'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group
let boss: Person
let bound: Person
let customer: string

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Costumbres', [
    { name: 'Madrid', slug: 'madrid' },
    { name: 'Canarias', slug: 'canarias', timezone: 'Atlantic/Canary' },
  ])
  boss = await group.person('admin')
  bound = await group.person('operaciones', [group.locations[1]?.id ?? ''])
  const [made] = await stack.sql<{ id: string }>(
    `insert into public.customers (organization_id, first_name) values ($1, 'Ana') returning id::text`,
    [group.id],
  )
  customer = made?.id ?? ''
})
beforeEach(() => stack.sql(emptyTables('reservations')))
afterAll(() => stack?.close())

interface Booking {
  in?: 'Madrid' | 'Canarias'
  date: string
  time?: string
  status?: string
  table?: string
  source?: string
}

/** Bookings of the customer; those of May and before are over. */
async function booked(...bookings: Booking[]): Promise<void> {
  for (const { in: place = 'Madrid', date, time = '21:00', status = 'completed', table, source } of bookings)
    await stack.sql(
      `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
         party_size, status, table_name, source, service_over)
       values ($1, $2, $3, $4::date, $5::time, 2, $6, $7, $8, $4::date < '2026-06-01')`,
      [
        group.id,
        group.locations.find(({ name }) => name === place)?.id,
        customer,
        ...[date, time, status, table ?? null, source ?? 'pms'],
      ],
    )
}
const habits = (person = boss, now = '2026-06-01T19:30:00Z'): Promise<Habits> =>
  customerHabits({ db: person.db }, customer, new Date(now))

describe('the habits of a customer', () => {
  it('are none of someone who never came', async () => {
    const none = await habits()
    expect(Object.values(none).filter((value) => value !== null)).toEqual([0, 0])
    expect(noShowRate(none)).toBeNull()
  })

  it('are where, at which table and on which weekday they came most, from the second time on', async () => {
    await booked({ date: '2026-05-01', table: '4' })
    expect(await habits()).toMatchObject({ usual_location: null, usual_table: null, usual_weekday: null })
    // Fridays but one; after midnight it is still Friday's service.
    await booked(
      { date: '2026-05-09', time: '00:30', table: '4' },
      { date: '2026-05-12', table: '7' },
      { in: 'Canarias', date: '2026-05-15', table: '9' },
    )
    expect(await habits()).toMatchObject({
      ...{ usual_location: 'Madrid', usual_table: '4', usual_table_location: 'Madrid', usual_weekday: 5 },
      past: 4,
    })
  })

  it('take no table for that of the same name elsewhere', async () => {
    await booked({ date: '2026-05-01', table: '4' }, { in: 'Canarias', date: '2026-05-08', table: '4' })
    expect((await habits()).usual_table).toBeNull()
  })

  it('count neither what was cancelled, nor who did not come, nor imported visits', async () => {
    await booked(
      { date: '2026-05-01', status: 'cancelled', table: '4' },
      { date: '2026-05-08', status: 'no_show', table: '4' },
      { date: '2026-05-15', source: 'import', table: '4' },
      { date: '2026-05-22', table: '4' },
    )
    const found = await habits()
    expect(found).toMatchObject({ usual_location: null, usual_table: null, usual_weekday: null })
    expect(found).toMatchObject({ past: 2, no_shows: 1 })
    expect(noShowRate(found)).toBeNull()
    await booked({ date: '2026-05-23' }, { date: '2026-05-24' })
    expect(noShowRate(await habits())).toBe(0.25)
  })

  it('have the next reservation by each location’s clock', async () => {
    // 21:30 in Madrid, 20:30 in the Canaries.
    await booked(
      { date: '2026-06-01', time: '21:00', status: 'confirmed' },
      { in: 'Canarias', date: '2026-06-01', time: '21:00', status: 'pending' },
      { date: '2026-06-01', time: '22:00', status: 'cancelled' },
      { date: '2026-06-03', status: 'confirmed' },
    )
    expect(await habits()).toMatchObject({
      ...{ next_location: 'Canarias', next_date: '2026-06-01', next_service_date: '2026-06-01' },
      ...{ next_time: '21:00', next_party_size: 2, past: 0 },
    })
    expect(await habits(boss, '2026-06-02T00:00:00Z')).toMatchObject({ next_date: '2026-06-03' })
  })

  it('are those in the locations that one may see', async () => {
    await booked(
      { date: '2026-05-01', table: '4' },
      { date: '2026-05-08', table: '4' },
      { date: '2026-06-02', status: 'confirmed' },
      { in: 'Canarias', date: '2026-05-03' },
    )
    expect(await habits(bound)).toMatchObject({
      ...{ next_reservation: null, usual_location: null, usual_table: null, past: 1 },
    })
  })
})

it('finds the reservations of a customer by their index', async () => {
  await booked({ date: '2026-05-01' })
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size)
     select $1, $2, date '2020-01-01' + n, '21:00', 2 from generate_series(1, 2000) as n`,
    [group.id, group.locations[0]?.id],
  )
  await stack.sql('analyze public.reservations')
  const plan = await stack.sql<Record<string, string>>(
    `explain select * from public.reservations r where r.customer_id = '${customer}' and r.source <> 'import'`,
  )
  expect(JSON.stringify(plan)).toContain('reservations_customer_idx')
})
