import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CustomerSort } from '@/lib/customers/filters'
import { customerHabits } from '@/lib/customers/habits'
import { listCustomers } from '@/lib/customers/list-customers'
import { getCustomer } from '@/lib/customers/read-customer'
import { customerHistory, listDay } from '@/lib/reservations/reads'
import { createGroup, type Group, type Person } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group
let host: Person
let bound: Person
let caller: Parameters<typeof listCustomers>[0]

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Listas', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  host = await group.person('operaciones')
  bound = await group.person('operaciones', [group.locations[1]?.id ?? ''])
  caller = { db: host.db }
  // Many ties in every sort key, so that pages must break them by id.
  await stack.sql(
    `insert into public.customers (organization_id, email, phone, first_name, last_name, total_visits, total_spend,
       last_visit_at, location_id)
     select $1, 'c' || n || '@correo.example', '+3461234' || lpad(n::text, 4, '0'), 'Ángela ' || n,
       case when n % 2 = 0 then 'Núñez' else 'García_López' end, n % 4, (n % 5) * 10.5,
       case when n % 3 = 0 then null else timestamptz '2026-05-01 20:00:00.123456+00' - (n % 7) * interval '30 days' end,
       case when n % 2 = 0 then $2::uuid else $3::uuid end
     from generate_series(1, 60) as n`,
    [group.id, group.locations[0]?.id, group.locations[1]?.id],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
       reservation_date, reservation_time, party_size, status, source)
     select $1, case when n % 2 = 0 then $2::uuid else $3::uuid end,
       (select id from public.customers where email = 'c1@correo.example'), 'r' || n, 'José Muñoz ' || n,
       date '2026-05-01' + case when n % 10 = 9 then 1 else 0 end,
       case when n % 10 = 9 then time '00:30' else time '13:00' + (n % 6) * interval '15 minutes' end,
       2, case when n % 5 = 0 then 'cancelled' else 'confirmed' end, case when n = 40 then 'import' else 'pms' end
     from generate_series(1, 40) as n`,
    [group.id, group.locations[0]?.id, group.locations[1]?.id],
  )
})
afterAll(() => stack?.close())

async function allPages<T extends { id: string }>(
  page: (cursor?: string) => Promise<{ data: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const all: T[] = []
  let cursor: string | undefined
  do {
    const { data, next_cursor } = await page(cursor)
    all.push(...data)
    cursor = next_cursor ?? undefined
    if (all.length > 500) throw new Error('the pages never end')
  } while (cursor)
  return all
}

const search = async (filters: Parameters<typeof listCustomers>[1], now?: Date) =>
  (await listCustomers(caller, { limit: 200, ...filters }, now)).data

describe('the customer list', () => {
  it.each<CustomerSort>(['recent', 'name', 'spend', 'visits'])(
    'by %s gives every customer once, in order, in pages of seven',
    async (sort) => {
      const paged = await allPages((cursor) => listCustomers(caller, { sort, cursor, limit: 7 }))
      const whole = await search({ sort })
      expect(paged).toEqual(whole)
      expect(new Set(paged.map(({ id }) => id)).size).toBe(60)
      const keys = {
        recent: paged.map((one) => one.last_visit_at ?? ''),
        name: paged.map((one) => `${one.last_name}`),
        spend: paged.map((one) => one.total_spend),
        visits: paged.map((one) => one.total_visits),
      }[sort]
      const sorted = [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect(keys).toEqual(sort === 'name' ? sorted : sorted.reverse())
    },
  )

  it.each([
    ['without accents and in any case', 'NUNEZ angela', 30],
    ['by e-mail', 'c17@correo', 1],
    ['by a phone in groups', '612 34 00 17', 1],
    ['by a phone with 00', '0034 612 340 017', 1],
    ['taking % and _ as themselves', 'garcia_lopez', 30],
    ['taking % as itself', '100%', 0],
    ['taking a backslash as itself', 'garcia\\', 0],
    ['without finding anything', 'nadie', 0],
    ['with characters that mean something to the API', '",or(id.neq."x{},', 0],
  ])('searches %s', async (_, text, count) => {
    expect(await search({ search: text })).toHaveLength(count)
  })

  it('searches page by page as well', async () => {
    const filters = { search: 'angela nunez', sort: 'spend', limit: 4 } as const
    const paged = await allPages((cursor) => listCustomers(caller, { ...filters, cursor }))
    expect(paged).toEqual(await search({ search: 'angela nunez', sort: 'spend' }))
    expect(paged).toHaveLength(30)
  })

  it('filters by location and by inactivity', async () => {
    const here = await search({ location_id: group.locations[0]?.id })
    expect(here).toHaveLength(30)
    const now = new Date('2026-06-01T12:00:00Z')
    const inactive = await search({ inactive_days: 90 }, now)
    expect(inactive.length).toBeGreaterThan(5)
    for (const one of inactive)
      expect(Date.parse(one.last_visit_at ?? '')).toBeLessThan(now.getTime() - 90 * 86_400_000)
  })

  it('refuses a cursor that is not ours', async () => {
    for (const cursor of ['x', Buffer.from('["a\\",or(","1"]').toString('base64url')]) {
      await expect(listCustomers(caller, { cursor })).rejects.toThrow('Malformed cursor')
    }
  })

  it('refuses a cursor of another order', async () => {
    const { next_cursor } = await listCustomers(caller, { sort: 'name', limit: 1 })
    const mixed = listCustomers(caller, { sort: 'spend', cursor: next_cursor ?? '' })
    await expect(mixed).rejects.toThrow('Malformed cursor')
  })

  it('is empty for someone without customer access', async () => {
    const cook = await group.person('rrhh')
    expect((await listCustomers({ db: cook.db }, {})).data).toEqual([])
  })

  it('gives one customer by id, and null for what is not there', async () => {
    const [first] = await search({ search: 'c1@correo.example' })
    expect(await getCustomer(caller, first?.id ?? '')).toEqual(first)
    expect(await getCustomer(caller, group.id)).toBeNull()
    expect(await getCustomer(caller, 'nonsense')).toBeNull()
  })
})

describe('the reservations of a day', () => {
  const day = (filters = {}) => ({ date: '2026-05-01', ...filters })

  it('come in order of time, after-midnight ones last, without imports, in pages', async () => {
    const paged = await allPages((cursor) => listDay(caller, day({ cursor, limit: 6 })))
    expect(paged).toEqual((await listDay(caller, day({ limit: 200 }))).data)
    expect(paged).toHaveLength(39)
    const order = paged.map((one) => `${one.reservation_date} ${one.reservation_time}`)
    expect(order).toEqual([...order].sort())
    expect(order.at(-1)).toBe('2026-05-02 00:30')
    expect(paged[0]).toMatchObject({
      location: { name: 'Norte' },
      customer: { total_visits: 1, loyalty_tier: null },
    })
  })

  it('are filtered by location, status and name', async () => {
    const found = await listDay(
      caller,
      day({ location_id: group.locations[0]?.id, status: ['cancelled'], search: 'munoz', limit: 200 }),
    )
    expect(found.data.map((one) => one.external_id).sort()).toEqual(['r10', 'r20', 'r30'])
  })

  it('of a location-bound person are those of the location', async () => {
    const { data } = await listDay({ db: bound.db }, day({ limit: 200 }))
    expect(new Set(data.map((one) => one.location?.name))).toEqual(new Set(['Sur']))
  })
})

describe('the history of a customer', () => {
  it('comes latest first, in pages, without imports', async () => {
    const [customer] = await search({ search: 'c1@correo.example' })
    const history = await allPages((cursor) =>
      customerHistory(caller, customer?.id ?? '', { cursor, limit: 9 }),
    )
    expect(history).toHaveLength(39)
    const order = history.map((one) => `${one.reservation_date} ${one.reservation_time}`)
    expect(order).toEqual([...order].sort().reverse())
    expect((await customerHabits(caller, customer?.id ?? '')).first_date).toBe('2026-05-01')
  })
})
