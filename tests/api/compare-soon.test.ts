import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Client } from '../support/app'
import { csvForm } from '../support/csv-form'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

// What tests/support/fresh-state.ts keeps from other tests.
vi.doUnmock('@/lib/identity/score')

let g: Guests
let boss: Client
const PHONE = '+34612345678'

beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('admin')
})
beforeEach(() => g.sql(emptyTables('reservations', 'customers')))
afterAll(() => g?.app.close())

/** Waits for what goes on after the answers. */
async function settle(): Promise<void> {
  const { waitForDetachedWork } = await import('@/lib/http/after')
  await waitForDetachedWork()
}
const pairs = () => g.sql('select probability from public.identity_pairs')

it('compares the guests of an import after it', async () => {
  const rows = [
    'email;phone;nombre;apellidos',
    ...['José', 'Pepe'].map((name, n) => `p${n}@correo.example;${PHONE};${name};Íñiguez Zurbano`),
  ]
  const form = csvForm(rows.join('\n'), { consent: 'opt_in' })
  expect((await boss.request('POST', '/api/imports', { body: form })).status).toBe(201)
  await settle()
  expect(await pairs()).toHaveLength(1)
})

it('compares in one loop, however often the page of duplicates is opened meanwhile', async () => {
  await g.sql(
    `insert into public.customers (organization_id, first_name, last_name, phone)
     select $1::uuid, translate(left(md5(k), 6), '0123456789', 'ghijklmnop'), translate(left(md5('s' || k), 8), '0123456789', 'ghijklmnop'),
       '+346' || lpad((('x' || left(md5('p' || k), 7))::bit(28)::integer % 100000000)::text, 8, '0')
     from generate_series(0, 599) as n cross join lateral (select (n / 2)::text as k) as pair`,
    [g.group.id],
  )
  let underWay = 0
  let most = 0
  const real = globalThis.fetch
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    const isStep = String(request[1]?.body ?? '').includes('"p_limit":500')
    if (isStep) most = Math.max(most, ++underWay)
    return real(...request).finally(() => {
      if (isStep) underWay--
    })
  })
  const opened = await Promise.all(
    Array.from({ length: 6 }, () => boss.request('GET', '/api/customers/duplicates')),
  )
  await settle()
  vi.unstubAllGlobals()
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  expect(most).toBe(1)
  expect(await pairs()).toHaveLength(300)
})
