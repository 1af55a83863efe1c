import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { csvRows } from '../support/csv-rows'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let stranger: Client
const PATH = '/api/customers/export'
const PEOPLE = 451

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  stranger = await signedIn(await g.other.person('super_admin'))
  await g.sql(
    `insert into public.customers (organization_id, first_name, last_name, tags, location_id, total_spend, total_visits)
     select $1::uuid, case when n = 7 then '=cmd|calc' else 'c' || n end, 'Con "comillas"; y punto',
       case when n % 3 <> 0 then array['prensa', 'vip'] else '{}' end, $2::uuid, n, n % 5
     from generate_series(1, $3::integer) as n`,
    [g.group.id, g.places.Norte, PEOPLE],
  )
})
afterAll(() => g?.app.close())

async function lines(query = ''): Promise<string[][]> {
  const response = await boss.request('GET', `${PATH}${query}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const text = Buffer.from(await response.arrayBuffer()).toString('utf8')
  expect(text.startsWith('\ufeff"Nombre";')).toBe(true)
  return csvRows(text).slice(1)
}

describe('the list as a file', () => {
  it('has everyone once, in the order asked for, however many chunks it takes', async () => {
    const names = (await lines('?sort=spend')).map(([name]) => name)
    const expected = Array.from({ length: PEOPLE }, (_, n) => `c${PEOPLE - n}`)
    expect(names).toEqual(expected.map((name) => (name === 'c7' ? "'=cmd|calc" : name)))
  })

  it('is narrowed by the filters of the list', async () => {
    expect(await lines('?tag=prensa')).toHaveLength(301)
    expect(await lines('?tag=prensa&search=c12')).toHaveLength(6)
    expect(await lines(`?location_id=${g.places.Sur}`)).toEqual([])
  })

  it('quotes what needs it, and names location and tags', async () => {
    const text = await (await boss.request('GET', `${PATH}?search=c449`)).text()
    expect(text).toContain('"c449";"Con ""comillas""; y punto";;;')
    expect(text).toContain(';"prensa, vip";')
    expect(text).toContain(';4;449,00;"no";0;;"Norte";')
  })

  it('is for English spreadsheets with commas, and points in numbers', async () => {
    const response = await boss.request('GET', `${PATH}?language=en&search=c449`)
    const [header, line] = (await response.text()).trimEnd().split('\r\n')
    expect(header).toMatch(/^\ufeff?"First name","Last name","E-mail",/)
    expect(line).toContain('"c449","Con ""comillas""; y punto",,,')
    expect(line).toContain('"prensa, vip"')
    expect(line).toContain(',4,449.00,"no",0,,"Norte",')
  })

  it('is logged with its filters and number of rows, without the words searched for', async () => {
    await g.sql('delete from public.audit_log')
    await lines('?search=c44&tag=prensa&sort=name')
    const kept = await g.sql('select action, details from public.audit_log order by created_at, action desc')
    const filters = { search: true, tag: 'prensa' }
    expect(kept).toEqual([
      { action: 'customers.exported', details: { filters } },
      { action: 'customers.export_ended', details: { filters, rows: 8 } },
    ])
  })

  it('stops reading when the client goes away', async () => {
    const response = await boss.request('GET', PATH)
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect((await reader?.read())?.done).toBe(true)
  })
})

describe('the tags in use', () => {
  it('come with how many customers have each', async () => {
    const { body } = await g.ask(boss, 'GET', '/api/customers/tags')
    expect(body.data).toEqual([
      { tag: 'prensa', customers: 301 },
      { tag: 'vip', customers: 301 },
    ])
    expect((await g.ask(stranger, 'GET', '/api/customers/tags')).body.data).toEqual([])
  })
})

describe('a list of several pages', () => {
  const MANY = 4321
  beforeAll(async () => {
    // Someone else: a person may export ten times an hour.
    boss = await g.hire('admin')
    // Many share a key, so that pages begin within it.
    await g.sql(
      `insert into public.customers (organization_id, first_name, email, tags, total_visits, last_visit_at)
       select $1::uuid, 'm' || n, 'm' || n || '@example.com', '{masa}', n % 7,
         case when n % 3 > 0 then '2026-05-01T22:30:00Z'::timestamptz + n % 5 * interval '1 microsecond' end
       from generate_series(1, $2::integer) as n`,
      [g.group.id, MANY],
    )
    await g.sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'email', 'm7@example.com', 'unsubscribe')`,
      [g.group.id],
    )
  })

  it.each(['recent', 'name', 'spend', 'visits'])('has each customer once (%s)', async (sort) => {
    const names = (await lines(`?tag=masa&sort=${sort}`)).map(([name]) => name)
    expect(names).toHaveLength(MANY)
    expect(new Set(names).size).toBe(MANY)
  })

  it('says the basis of consent, or the opt-out, by channel', async () => {
    const found = new Map((await lines('?tag=masa')).map((cells) => [cells[0], cells.slice(-5, -2)]))
    const [stopped, ...others] = found.get('m7') ?? []
    const [visited, never] = [found.get('m8'), found.get('m14')]
    expect(new Set([stopped, visited?.[0], never?.[0]]).size).toBe(3)
    expect(others).toEqual([never?.[1], never?.[2]])
    expect(new Set(visited).size).toBe(1)
  })
})
