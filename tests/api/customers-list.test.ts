import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listCustomers } from '@/lib/customers/list-customers'
import type { Person } from '../factories/group'
import type { Client } from '../support/app'
import { everyPage, type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let stranger: Client
let person: Person
const PATH = '/api/customers'
const DAY_MS = 86_400_000
const now = new Date('2027-02-25T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()

interface Row {
  name: string
  tags: string[]
  tier: string | null
  location: string
  visit: string | null
  created: string
  birth: string | null
  noShows: number
}
// Many ties in every sort key.
const rows: Row[] = Array.from({ length: 60 }, (_, n) => ({
  name: `c${String(n).padStart(2, '0')}`,
  tags: [n % 3 === 0 ? 'prensa' : 'vecina', ...(n % 7 === 0 ? ['a"b\\c,{}'] : [])],
  tier: [null, 'Bronce', 'Plata', 'Oro', 'Platino'][n % 5] ?? null,
  location: n % 2 === 0 ? 'Norte' : 'Sur',
  visit: n % 4 === 0 ? null : daysAgo([0, 30, 89, 91, 400][n % 5] ?? 0),
  created: daysAgo([1, 29, 31, 300][n % 4] ?? 0),
  birth:
    ['1990-02-25', '1984-02-29', '1990-03-04', '1990-03-05', '1990-02-24', null, '1990-12-31'][n % 7] ?? null,
  noShows: n % 6 === 0 ? 2 : 0,
}))

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
  stranger = await signedIn(await g.other.person('super_admin'))
  person = await g.group.person('marketing')
  await g.sql(
    `insert into public.customers (organization_id, first_name, tags, loyalty_tier_id, location_id, last_visit_at,
       created_at, birth_date, total_visits, total_spend)
     select $1::uuid, r.name, r.tags, (select t.id from public.loyalty_tiers t where t.organization_id = $1 and t.name = r.tier),
       (select l.id from public.locations l where l.organization_id = $1 and l.name = r.location), r.visit, r.created,
       r.birth, (row_number() over ()) % 4, ((row_number() over ()) % 5) * 10.5
     from jsonb_to_recordset($2::jsonb) as r (name text, tags text[], tier text, location text, visit timestamptz,
       created timestamptz, birth date)`,
    [g.group.id, JSON.stringify(rows)],
  )
  await g.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source)
     select $1::uuid, c.location_id, c.id, date '2026-05-01', time '21:00', 2, 'no_show', 'pms'
     from jsonb_to_recordset($2::jsonb) as r (name text, "noShows" integer)
     join public.customers c on c.first_name = r.name cross join generate_series(1, r."noShows")
     union all
     select $1::uuid, c.location_id, c.id, date '2026-05-01', time '21:00', 2, s.status, s.source from public.customers c,
       (values ('completed', 'pms'), ('no_show', 'import')) as s (status, source)`,
    [g.group.id, JSON.stringify(rows)],
  )
})
afterAll(() => g?.app.close())

const named = (keep: (row: Row) => boolean) => rows.filter(keep).map(({ name }) => name)
const names = (list: Record<string, unknown>[]) => list.map((one) => one.first_name).sort()
const tierId = async (name: string, groupId = g.group.id) =>
  (
    await g.sql<{ id: string }>(
      'select id::text from public.loyalty_tiers where organization_id = $1 and name = $2',
      [groupId, name],
    )
  )[0]?.id

describe('the list of customers', () => {
  it.each(['recent', 'name', 'spend', 'visits'])(
    'by %s gives everyone once, in the same order as in one page',
    async (sort) => {
      const whole = (await g.ask(boss, 'GET', `${PATH}?limit=200&sort=${sort}`)).body.data
      expect(await everyPage(g.ask, boss, `${PATH}?sort=${sort}`, 7)).toEqual(whole)
      expect(names(whole)).toEqual(named(() => true))
    },
  )

  it('counts the last of a parameter that is given twice, and takes none for a field of the body', async () => {
    const ask = async (query: string) => {
      const { status, body } = await g.ask(boss, 'GET', `${PATH}?${query}`)
      return body.data?.length ?? status
    }
    expect(await ask('limit=1&limit=2')).toBe(2)
    expect(await ask('limit=2&limit=1')).toBe(1)
    expect(await ask('limit=1&limit=x')).toBe(400)
    expect((await g.ask(boss, 'POST', `${PATH}?first_name=Ana`, {})).status).toBe(400)
  })

  it('has fifty customers on a page by default, and at most 200', async () => {
    const { body } = await g.ask(boss, 'GET', PATH)
    expect(body.data).toHaveLength(50)
    expect(body.next_cursor).toEqual(expect.any(String))
  })

  it.each<[string, (row: Row) => boolean]>([
    ['tag=prensa', (row) => row.tags.includes('prensa')],
    [`tag=${encodeURIComponent('a"b\\c,{}')}`, (row) => row.tags.includes('a"b\\c,{}')],
    ['tag=nadie', () => false],
    ['tag=', () => true],
    ['tier=Oro', (row) => row.tier === 'Oro'],
    ['tier=nadie', () => false],
    ['search=C1', (row) => row.name.includes('c1')],
    ['tag=vecina&tier=Plata&search=c', (row) => row.tags.includes('vecina') && row.tier === 'Plata'],
    ['segment=vip', (row) => row.tier === 'Oro' || row.tier === 'Platino'],
    ['segment=no_show', (row) => row.noShows > 0],
    ['segment=no_show&tier=Oro', (row) => row.noShows > 0 && row.tier === 'Oro'],
  ])('filters by %s', async (query, keep) => {
    expect(names(await everyPage(g.ask, boss, `${PATH}?${query}`, 4))).toEqual(named(keep))
  })

  it('filters by a tier’s id and by location, of the own organization', async () => {
    const by = (query: string) => everyPage(g.ask, boss, `${PATH}?${query}`, 9)
    expect(names(await by(`tier=${await tierId('Plata')}`))).toEqual(named((row) => row.tier === 'Plata'))
    expect(names(await by(`location_id=${g.places.Sur}`))).toEqual(named((row) => row.location === 'Sur'))
    expect(await by(`tier=${await tierId('Plata', g.other.id)}`)).toEqual([])
    expect(await by(`location_id=${g.places.Este}`)).toEqual([])
    expect((await g.ask(stranger, 'GET', `${PATH}?tier=Plata`)).body.data).toEqual([])
  })

  it('has segments that depend on the day', async () => {
    const segment = async (name: 'inactive' | 'new' | 'birthday', at = now) =>
      names((await listCustomers({ db: person.db }, { segment: name, limit: 200 }, at)).data)
    expect(await segment('inactive')).toEqual(named((row) => row.visit !== null && row.visit < daysAgo(90)))
    expect(await segment('new')).toEqual(named((row) => row.created >= daysAgo(30)))
    // From 25 February to 4 March of a common year; 29 February on the 28th.
    const soon = ['1990-02-25', '1984-02-29', '1990-03-04']
    expect(await segment('birthday')).toEqual(named((row) => soon.includes(row.birth ?? '')))
    // 21 to 28 February: of a common year with the 29th, of a leap year without it.
    const days = (dates: string[]) => named((row) => dates.includes(row.birth ?? ''))
    expect(await segment('birthday', new Date('2027-02-21T12:00:00Z'))).toEqual(
      days(['1990-02-25', '1990-02-24', '1984-02-29']),
    )
    expect(await segment('birthday', new Date('2028-02-21T12:00:00Z'))).toEqual(
      days(['1990-02-25', '1990-02-24']),
    )
    expect(await segment('birthday', new Date('2028-02-22T12:00:00Z'))).toEqual(
      days(['1990-02-25', '1990-02-24', '1984-02-29']),
    )
    // Across the end of the year, and in Madrid's date: there it is the 25th already.
    expect(await segment('birthday', new Date('2026-12-24T23:30:00Z'))).toEqual(days(['1990-12-31']))
    expect(await segment('birthday', new Date('2026-12-23T22:30:00Z'))).toEqual([])
  })

  it.each([
    'limit=0',
    'limit=201',
    'limit=1e400',
    'limit=x',
    'sort=nothing',
    'segment=nothing',
    'location_id=x',
    'tag=a%00',
    'search=%00',
    `search=${'a'.repeat(201)}`,
    'cursor=x',
    'cursor=',
    ...['["x"]', '["2026-02-30T00:00:00Z"]', '["0000-01-01T00:00:00Z"]', '["infinity"]', '5', 'null'].map(
      (key) => `cursor=${cursorOf(key.replace(']', `,"${crypto.randomUUID()}"]`))}`,
    ),
    `sort=spend&cursor=${cursorOf(`["1e400","${crypto.randomUUID()}"]`)}`,
    `sort=spend&cursor=${cursorOf(`["NaN","${crypto.randomUUID()}"]`)}`,
    `sort=visits&cursor=${cursorOf(`["99999999999","${crypto.randomUUID()}"]`)}`,
    `sort=name&cursor=${cursorOf(`["a\\u0000","${crypto.randomUUID()}"]`)}`,
    `sort=name&cursor=${cursorOf(`["a\\ud800","${crypto.randomUUID()}"]`)}`,
    `sort=name&cursor=${cursorOf('["a","1"]')}`,
  ])('refuses %s', async (query) => {
    const refused = await g.ask(boss, 'GET', `${PATH}?${query}`)
    expect(refused).toEqual({
      status: 400,
      body: expect.objectContaining({ code: expect.stringMatching(/^(INVALID_INPUT|MALFORMED_CURSOR)$/) }),
    })
  })

  it('pages through names with quotes, backslashes and any script', async () => {
    await g.sql(
      `insert into public.customers (organization_id, first_name)
       select $1::uuid, n from unnest($2::text[]) as n`,
      [g.other.id, ['Ana "la\\Chef"', 'Ana "la\\Chef"', '王'.repeat(100), '🎉', "O'Hara, (x)"]],
    )
    expect(await everyPage(g.ask, stranger, `${PATH}?sort=name`, 1)).toHaveLength(5)
  })
})

function cursorOf(text: string) {
  return Buffer.from(text).toString('base64url')
}
