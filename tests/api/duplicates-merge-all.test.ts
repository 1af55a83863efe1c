import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { type Guests, startGuests } from '../support/guests'

let g: Guests
let boss: Client
const MERGE = '/api/customers/duplicates/merge'

// Three certain pairs: the same name, phone and birth date.
const NAMES = ['Iñigo Zubizarreta Olaberri', 'Leocadia Barrenetxea Soto', 'Fructuoso Manrique Tello']

beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('admin')
})
afterAll(() => g?.app.close())
beforeEach(async () => {
  await g.sql('delete from public.customers')
  await g.sql(
    `insert into public.customers (organization_id, first_name, last_name, phone, birth_date, company, created_at)
     select $1::uuid, split_part(p, ' ', 1), substr(p, position(' ' in p) + 1), '+3461234500' || n, date '1971-03-10' + n::integer * 400,
       p || copy, timestamptz '2026-01-01' + copy * interval '1 s'
     from unnest($2::text[]) with ordinality as list (p, n) cross join generate_series(1, 2) as copy`,
    [g.group.id, NAMES],
  )
  // Whoever opens the page has them compared.
  await g.ask(boss, 'GET', '/api/customers/duplicates')
})

const kept = async () =>
  (await g.sql<{ company: string }>('select company from public.customers order by company')).map(
    ({ company }) => company,
  )
const first = (name: string) => `${name}1`

describe('merging all above a confidence', () => {
  it('counts the pairs first, and changes nothing', async () => {
    const { body } = await g.ask(boss, 'GET', `${MERGE}?above=0.9&certain=true`)
    expect(body.data).toEqual({ pairs: 3, more: false })
    expect(await kept()).toHaveLength(6)
  })

  it('keeps the oldest of each group, and logs each merge', async () => {
    const { body } = await g.ask(boss, 'POST', MERGE, { above: 0.9, certain: true })
    expect(body.data).toEqual({ merged: 3, next_cursor: null })
    expect(await kept()).toEqual(NAMES.map(first).sort())
    const log = await g.sql(`select subject_id from public.audit_log where action = 'customer.merged'`)
    expect(log).toHaveLength(3)
    expect((await g.ask(boss, 'POST', MERGE, { above: 0.9, certain: true })).body.data.merged).toBe(0)
  })

  it('leaves those who are said to be different people', async () => {
    const [one, other] = await g.sql<{ id: string }>(
      `select id::text from public.customers where first_name = 'Leocadia'`,
    )
    const verdict = { customer_id: one?.id, other_ids: [other?.id], different: true }
    await g.ask(boss, 'PUT', '/api/customers/duplicates/different', verdict)
    expect((await g.ask(boss, 'GET', `${MERGE}?above=0.9&certain=true`)).body.data.pairs).toBe(2)
    const { body } = await g.ask(boss, 'POST', MERGE, { above: 0.9, certain: true })
    expect(body.data.merged).toBe(2)
    expect((await kept()).filter((name) => name.startsWith('Leocadia'))).toHaveLength(2)
  })

  it.each([
    {},
    { above: 0.89 },
    { above: 1.01 },
    { above: 'x' },
    { above: 0.95, certain: 'yes' },
    { above: 0.95, all: true },
  ])('refuses %j', async (body) => {
    expect((await g.ask(boss, 'POST', MERGE, body)).status).toBe(400)
  })
})

describe('the thresholds', () => {
  it('are changed and logged, and who is concerned is compared again', async () => {
    const { body } = await g.ask(boss, 'PATCH', '/api/identity', { likely: 0.8, certain: 0.99 })
    expect(body.data).toMatchObject({ likely: 0.8, certain: 0.99 })
    const [line] = await g.sql<{ details: { after: object } }>(
      `select details from public.audit_log where action = 'organization.identity_changed'`,
    )
    expect(line?.details.after).toEqual({ likely: 0.8, certain: 0.99 })
    await g.ask(boss, 'GET', '/api/customers/duplicates')
    expect((await g.ask(boss, 'GET', `${MERGE}?above=0.9`)).body.data.pairs).toBe(3)
  })

  it('keep their order', async () => {
    expect((await g.ask(boss, 'PATCH', '/api/identity', { likely: 0.99, certain: 0.95 })).status).toBe(400)
  })
})
