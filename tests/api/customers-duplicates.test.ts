import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyPage, type Guests, startGuests } from '../support/guests'

let g: Guests
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
  ['email', 'm3 m4'],
  ['email', 'm1 m2'],
  ['name_and_birth_date', 'n1 n2'],
  ['phone', 'p1 p2 p3'],
  ['phone', 'q1 q2'],
  ['phone', 's1 s2'],
  ['phone', 's3 s4'],
]

beforeAll(async () => {
  g = await startGuests()
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

const read = (groups: Record<string, unknown>[]) =>
  groups.map(({ reason, customers }) => [
    reason,
    (customers as { company: string }[]).map(({ company }) => company).join(' '),
  ])

describe('likely duplicates', () => {
  it.each([1, 2, 3, 200])('are found once each, %i on a page', async (limit) => {
    const groups = await everyPage(g.ask, g.boss, PATH, limit)
    expect(read(groups)).toEqual(GROUPS)
  })

  it('are customers as the list has them', async () => {
    const { body } = await g.ask(g.host, 'GET', `${PATH}?limit=1`)
    const [first] = body.data[0].customers
    expect((await g.ask(g.boss, 'GET', `/api/customers/${first.id}`)).body.data).toEqual(first)
  })

  it('are those of the own organization', async () => {
    expect((await g.ask(g.stranger, 'GET', PATH)).body).toEqual({ data: [], next_cursor: null })
  })

  it('are ten at most in a group', async () => {
    await g.sql(
      `insert into public.customers (organization_id, phone) select $1, '+34611111111' from generate_series(1, 30)`,
      [g.other.id],
    )
    const { body } = await g.ask(g.stranger, 'GET', PATH)
    expect(body.data.map((one: { customers: unknown[] }) => one.customers.length)).toEqual([10])
  })

  it.each([
    'x',
    '',
    cursorOf('["nothing","a","b"]'),
    cursorOf('["email","a\\u0000",""]'),
    cursorOf('["email","a","b"]'),
    cursorOf('["phone","a"]'),
    cursorOf('["phone","\\ud800",""]'),
    cursorOf('["name_and_birth_date","2026-02-30","a"]'),
    cursorOf('["name_and_birth_date","0000-01-01","a"]'),
    cursorOf('{}'),
  ])('refuse the cursor %s', async (cursor) => {
    const refused = await g.ask(g.boss, 'GET', `${PATH}?cursor=${cursor}`)
    expect(refused).toEqual({ status: 400, body: { error: 'Malformed cursor' } })
  })
})

function cursorOf(text: string) {
  return Buffer.from(text).toString('base64url')
}
