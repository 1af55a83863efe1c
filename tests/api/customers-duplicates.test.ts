import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { everyPage, type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let host: Client
let stranger: Client
const PATH = '/api/customers/duplicates'

type Person = [
  who: string,
  first: string | null,
  last: string | null,
  email: string | null,
  phone: string | null,
  birth: string | null,
]
const PEOPLE: Person[] = [
  // The same mailbox.
  ['m1', 'Ana', null, 'ana.ruiz@gmail.com', null, null],
  ['m2', null, null, 'anaruiz+mesa@googlemail.com', null, null],
  ['m3', null, null, 'ana.ruiz@correo.example', null, null],
  ['m4', null, null, 'ana.ruiz+x@correo.example', null, null],
  ['m5', null, null, 'anaruiz@correo.example', null, null],
  // The same name and date.
  ['n1', 'José', 'Núñez "Pepe\\"', null, null, '1980-05-01'],
  ['n2', 'JOSE', 'nunez "pepe\\"', null, null, '1980-05-01'],
  ['n3', 'José', 'Núñez "Pepe\\"', null, null, '1980-05-02'],
  ['n4', 'José', 'Núñez "Pepe\\"', null, null, null],
  ['n5', null, null, 'sin-nombre-1@correo.example', null, '1980-05-01'],
  ['n6', null, null, 'sin-nombre-2@correo.example', null, '1980-05-01'],
  // A phone with one name; one with none; a family; two strangers; an office with two double entries.
  ['p1', 'Eva', 'Gil', 'p1@correo.example', '+34600000001', null],
  ['p2', 'eva', 'GIL', 'p2@correo.example', '+34600000001', null],
  ['p3', null, null, 'p3@correo.example', '+34600000001', null],
  ['q1', null, null, 'q1@correo.example', '+34600000002', null],
  ['q2', null, null, 'q2@correo.example', '+34600000002', null],
  ['r1', 'Leo', 'Paz', 'r1@correo.example', '+34600000003', null],
  ['r2', 'Mar', 'Paz', 'r2@correo.example', '+34600000003', null],
  ['r3', null, null, 'r3@correo.example', '+34600000003', null],
  ['s1', 'Iria', 'Sanz', 's1@correo.example', '+34600000004', null],
  ['s2', 'Iria', 'Sanz', 's2@correo.example', '+34600000004', null],
  ['s3', 'Noa', 'Vega', 's3@correo.example', '+34600000004', null],
  ['s4', 'Noa', 'Vega', 's4@correo.example', '+34600000004', null],
  ['t1', 'Sol', 'Gil', 't1@correo.example', '+34600000005', null],
]
const GROUPS = [
  'email: m1 m2',
  'email: m3 m4',
  // Two of one name and date, and their namesakes of nearly the same date and of none.
  'name_and_birth_date: n1 n2 n3 n4',
  'phone: p1 p2 p3',
  'phone: q1 q2',
  'phone: s1 s2',
  'phone: s3 s4',
]

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  host = await g.hire('operaciones', 'Sur')
  stranger = await signedIn(await g.other.person('super_admin'))
  const add = (groupId: string, people: Person[]) =>
    g.sql(
      `insert into public.customers (organization_id, company, first_name, last_name, email, phone, birth_date, created_at)
       select $1::uuid, p ->> 0, p ->> 1, p ->> 2, p ->> 3, p ->> 4, (p ->> 5)::date, timestamptz '2026-01-01' + n * interval '1 s'
       from jsonb_array_elements($2::jsonb) with ordinality as list (p, n)`,
      [groupId, JSON.stringify(people)],
    )
  await add(g.group.id, PEOPLE)
  // One of each elsewhere: alone there, and no duplicate of ours.
  await add(g.other.id, [
    ['x1', 'Ana', null, 'ana.ruiz@gmail.com', '+34600000005', null],
    ['x2', 'José', 'Núñez "Pepe\\"', null, '+34600000001', '1980-05-02'],
  ])
})
afterAll(() => g?.app.close())

interface Found {
  reason: string
  reasons: string[]
  probability: number
  certain: boolean
  pairs: { customer_ids: string[]; probability: number; evidence: Record<string, string> }[]
  customers: { id: string; company: string }[]
}

const everyGroup = async (client: Client, limit: number) =>
  (await everyPage(g.ask, client, PATH, limit)) as unknown as Found[]
const who = ({ customers }: Found) => customers.map(({ company }) => company).join(' ')

describe('likely duplicates', () => {
  it.each([1, 2, 3, 200])('are found once each, %i on a page', async (limit) => {
    const groups = await everyGroup(boss, limit)
    expect(groups.map((group) => `${group.reason}: ${who(group)}`).sort()).toEqual(GROUPS)
    const order = groups.map(({ probability }) => probability)
    expect(order).toEqual([...order].sort((a, b) => b - a))
  })

  it('are customers as the list has them', async () => {
    const { body } = await g.ask(host, 'GET', `${PATH}?limit=1`)
    const [first] = body.data[0].customers
    expect((await g.ask(boss, 'GET', `/api/customers/${first.id}`)).body.data).toEqual(first)
  })

  it('are those of the own organization', async () => {
    expect((await g.ask(stranger, 'GET', PATH)).body).toEqual({ data: [], next_cursor: null })
  })

  it('are ten at most in a group', async () => {
    await g.sql(
      `insert into public.customers (organization_id, phone) select $1, '+34611111111' from generate_series(1, 30)`,
      [g.other.id],
    )
    const { body } = await g.ask(stranger, 'GET', PATH)
    const sizes = body.data.map((one: Found) => one.customers.length)
    expect(Math.max(...sizes)).toBe(10)
    const people = body.data.flatMap((one: Found) => one.customers.map(({ id }) => id))
    expect(new Set(people).size).toBe(people.length)
  })

  it.each([
    'x',
    '',
    cursorOf('["email","a",""]'),
    cursorOf('[0.5,"a","b"]'),
    cursorOf('[0.5,"7c9e6679-7425-40de-944b-e07fc1f90ae7"]'),
    cursorOf('[2,"7c9e6679-7425-40de-944b-e07fc1f90ae7","7c9e6679-7425-40de-944b-e07fc1f90ae8"]'),
    cursorOf('["0","7c9e6679-7425-40de-944b-e07fc1f90ae7","7c9e6679-7425-40de-944b-e07fc1f90ae8"]'),
    cursorOf('{}'),
  ])('refuse the cursor %s', async (cursor) => {
    const refused = await g.ask(boss, 'GET', `${PATH}?cursor=${cursor}`)
    expect(refused).toEqual(refusal('MALFORMED_CURSOR'))
  })
})

describe('groups', () => {
  const DIFFERENT = `${PATH}/different`
  let ids: Record<string, string>
  let sir: Client

  beforeAll(async () => {
    await g.sql('delete from public.customers where organization_id = $1', [g.other.id])
    sir = await signedIn(await g.other.person('operaciones', [g.places.Este ?? '']))
  })
  beforeEach(async () => {
    await g.sql('delete from public.customers where organization_id = $1', [g.other.id])
    await g.sql(
      `insert into public.customers (organization_id, company, first_name, email, phone, birth_date, created_at)
       select $1::uuid, p ->> 0, p ->> 1, p ->> 2, p ->> 3, (p ->> 4)::date, timestamptz '2026-01-01' + n * interval '1 s'
       from jsonb_array_elements($2::jsonb) with ordinality as list (p, n)`,
      [
        g.other.id,
        // b is like a by mailbox, like c by phone; d like c by name and date.
        JSON.stringify([
          ['a', 'Ana', 'ana@correo.example', null, null],
          ['b', 'Ana', 'ana+x@correo.example', '+34600000009', null],
          ['c', 'ana', null, '+34600000009', '1980-05-01'],
          ['d', 'Ana', null, null, '1980-05-01'],
          ['e', null, 'ana+y@correo.example', null, null],
        ]),
      ],
    )
    const rows = await g.sql<{ company: string; id: string }>(
      'select company, id::text from public.customers where organization_id = $1',
      [g.other.id],
    )
    ids = Object.fromEntries(rows.map(({ company, id }) => [company, id]))
  })

  /** The database's clock, in whole milliseconds as JavaScript reads them. */
  const databaseTime = async () => {
    const [row] = await g.sql<{ now: string }>('select clock_timestamp()::text as now')
    return Date.parse(row?.now ?? '')
  }
  const groups = async (limit = 50) => (await everyGroup(sir, limit)).map(who)
  const judge = (who: string, others: string[], different = true, client = sir) =>
    g.ask(client, 'PUT', DIFFERENT, {
      customer_id: ids[who],
      other_ids: others.map((name) => ids[name]),
      different,
    })
  const pairs = async () =>
    (await everyPage(g.ask, sir, DIFFERENT, 1)).map(({ customers }) =>
      (customers as { company: string }[])
        .map(({ company }) => company)
        .sort()
        .join(''),
    )

  it.each([1, 50])('are listed once, although several rules find them (%i on a page)', async (limit) => {
    const [group] = await everyGroup(sir, limit)
    expect(group?.reasons).toEqual(['email', 'name_and_birth_date', 'phone'])
    expect(await groups(limit)).toEqual(['a b c d e'])
  })

  it('leave out who is said to be another person, until that is taken back', async () => {
    expect((await judge('e', ['a', 'b', 'c', 'd'])).status).toBe(204)
    expect(await groups()).toEqual(['a b c d'])
    expect((await judge('e', ['a', 'b', 'c', 'd'], false)).status).toBe(204)
    expect(await groups()).toEqual(['a b c d e'])
    expect(await pairs()).toEqual([])
  })

  it('fall apart where the link is cut', async () => {
    await judge('e', ['a', 'b', 'c', 'd'])
    await judge('b', ['c', 'a'])
    expect(await groups()).toEqual(['c d'])
  })

  it('never hold two who are different, but come back for one that is like both', async () => {
    await judge('a', ['e'])
    const [one, ...others] = await groups()
    expect(['a b c d', 'b c d e']).toContain(one)
    expect(others).toEqual([])
    await judge('a', ['b', 'c', 'd'])
    expect(await groups()).toEqual(['b c d e'])
  })

  it('remember who said so and when, once a pair', async () => {
    const before = await databaseTime()
    await judge('a', ['b', 'b'])
    await judge('b', ['a'], true, stranger)
    const { body } = await g.ask(sir, 'GET', DIFFERENT)
    expect(body.data).toHaveLength(1)
    expect(body.data[0].author_name).toEqual(expect.any(String))
    expect(Date.parse(body.data[0].decided_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(body.data[0].decided_at)).toBeLessThanOrEqual(await databaseTime())
    const log = await g.sql(
      `select details from public.audit_log where action = 'customer.told_apart' and subject_id = $1`,
      [ids.a],
    )
    expect(log).toEqual([{ details: { other_ids: [ids.b] } }])
    expect(await g.sql('select 1 from public.audit_log where subject_id = $1', [ids.b])).toEqual([])
  })

  it('keep the verdicts of a customer that is merged, and lose those of one that is erased', async () => {
    await judge('a', ['e'])
    await judge('b', ['a', 'd'])
    const merged = await g.ask(sir, 'POST', `/api/customers/${ids.c}/merge`, { duplicate_id: ids.a })
    expect(merged.status).toBe(200)
    expect((await pairs()).sort()).toEqual(['bc', 'bd', 'ce'])
    await g.ask(sir, 'POST', `/api/customers/${ids.c}/merge`, { duplicate_id: ids.b })
    expect((await pairs()).sort()).toEqual(['cd', 'ce'])
    await g.ask(sir, 'DELETE', `/api/customers/${ids.c}`)
    expect(await pairs()).toEqual([])
  })

  it('are judged by those who see the customers, in their own organization', async () => {
    expect(await judge('a', ['b'], true, boss)).toEqual(refusal('NOT_FOUND'))
    expect((await g.ask(boss, 'GET', DIFFERENT)).body.data).toEqual([])
    const [foreign] = await g.sql<{ id: string }>(
      'select id::text from public.customers where organization_id = $1 limit 1',
      [g.group.id],
    )
    ids.f = foreign?.id ?? ''
    expect(await judge('a', ['b', 'f'])).toEqual(refusal('NOT_FOUND'))
    expect(await judge('a', ['a'])).toEqual(refusal('NOT_FOUND'))
    expect((await judge('a', [])).status).toBe(400)
    expect(await pairs()).toEqual([])
  })
})

function cursorOf(text: string) {
  return Buffer.from(text).toString('base64url')
}
