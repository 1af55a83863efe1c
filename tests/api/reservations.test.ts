import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryReservations } from '@/lib/reservations/reads'
import type { Person } from '../factories/group'
import type { Client } from '../support/app'
import { everyPage, type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let host: Client
let stranger: Client
let person: Person
const PATH = '/api/reservations'
const DAY = '2026-05-01'
const STATUSES = ['pending', 'confirmed', 'seated', 'completed', 'cancelled', 'no_show']

interface Booking {
  id: string
  place: string
  date: string
  time: string
  status: string
  source: string
  name: string
}
// Many at the same time; after-midnight ones belong to the day before.
const bookings: Booking[] = Array.from({ length: 40 }, (_, n) => ({
  id: `r${String(n).padStart(2, '0')}`,
  place: ['Norte', 'Sur', 'Este'][n % 3] ?? '',
  date: n % 8 === 7 ? '2026-05-02' : DAY,
  time: n % 8 === 7 ? (['00:30', '05:59', '06:00'][n % 3] ?? '') : `2${n % 4}:00`,
  status: STATUSES[n % 6] ?? '',
  source: n === 12 ? 'import' : n % 5 === 0 ? 'manual' : 'pms',
  name: n % 2 === 0 ? 'José Muñoz' : 'Ana_Ruiz',
}))
const sameDay = (row: Booking) => row.source !== 'import' && (row.date === DAY || row.time < '06:00')
const ids = (keep: (row: Booking) => boolean) => bookings.filter(keep).map(({ id }) => id)

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur', timezone: 'Atlantic/Canary' },
  ])
  boss = await g.hire('admin')
  host = await g.hire('operaciones', 'Sur')
  stranger = await signedIn(await g.other.person('super_admin'))
  person = await g.group.person('ceo')
  await g.sql(
    `insert into public.reservations (organization_id, location_id, external_id, customer_name, reservation_date,
       reservation_time, party_size, status, source)
     select l.organization_id, l.id, r.id, r.name, r.date, r.time, 2, r.status, r.source
     from jsonb_to_recordset($1::jsonb) as r (id text, place text, date date, time time, status text, source text, name text)
     join public.locations l on l.name = r.place`,
    [JSON.stringify(bookings)],
  )
})
afterAll(() => g?.app.close())

const found = (rows: Record<string, unknown>[]) => rows.map((row) => row.external_id).sort()
const idOf = async (external: string) =>
  (
    await g.sql<{ id: string }>('select id::text from public.reservations where external_id = $1', [external])
  )[0]?.id

describe('the reservations of a day', () => {
  it('come in order of time, without imports, page by page', async () => {
    const rows = await everyPage(g.ask, boss, `${PATH}?date=${DAY}`, 3)
    expect(found(rows)).toEqual(ids((row) => row.place !== 'Este' && sameDay(row)))
    const order = rows.map((row) => `${row.reservation_date} ${row.reservation_time}`)
    expect(order).toEqual([...order].sort())
    expect((await g.ask(boss, 'GET', `${PATH}?date=${DAY}&limit=200`)).body.data).toEqual(rows)
  })

  it('have the documented fields', async () => {
    const { body } = await g.ask(boss, 'GET', `${PATH}?date=${DAY}&search=jose&status=pending&limit=1`)
    expect(body.data).toEqual([
      {
        allergies: [],
        id: expect.any(String),
        external_id: expect.any(String),
        location_id: expect.any(String),
        customer_id: null,
        customer_name: 'José Muñoz',
        reservation_date: DAY,
        reservation_time: expect.stringMatching(/^2\d:00$/),
        party_size: 2,
        status: 'pending',
        pms_status: expect.toBeOneOf([null, expect.any(String)]),
        visited: expect.toBeOneOf([null, false]),
        notes: null,
        total_amount: null,
        source: expect.any(String),
        zone_name: null,
        table_name: null,
        tables: [],
      },
    ])
    expect(await g.ask(boss, 'GET', `${PATH}/${body.data[0].id}`)).toEqual({
      status: 200,
      body: { data: body.data[0] },
    })
  })

  it.each<[string, (row: Booking) => boolean]>([
    ['status=cancelled', (row) => row.status === 'cancelled'],
    ['status=pending,no_show', (row) => ['pending', 'no_show'].includes(row.status)],
    ['status=', () => true],
    ['search=munoz', (row) => row.name.includes('Muñoz')],
    ['search=ana_', (row) => row.name.includes('Ana_')],
    ['search=%25', () => false],
    ['search=nadie', () => false],
    ['status=pending&search=jose', (row) => row.status === 'pending' && row.name.includes('José')],
  ])('are filtered by %s', async (query, keep) => {
    const rows = await everyPage(g.ask, boss, `${PATH}?date=${DAY}&${query}`, 5)
    expect(found(rows)).toEqual(ids((row) => row.place !== 'Este' && sameDay(row) && keep(row)))
  })

  it('are filtered by location; location-bound staff see theirs only', async () => {
    const by = async (client: Client, place: string) =>
      found(await everyPage(g.ask, client, `${PATH}?date=${DAY}&location_id=${g.places[place]}`, 50))
    const of = (place: string) => ids((row) => row.place === place && sameDay(row))
    expect(await by(boss, 'Norte')).toEqual(of('Norte'))
    expect(await by(boss, 'Este')).toEqual([])
    expect(await by(host, 'Sur')).toEqual(of('Sur'))
    expect(await by(host, 'Norte')).toEqual([])
    expect(found(await everyPage(g.ask, host, `${PATH}?date=${DAY}`, 50))).toEqual(of('Sur'))
    expect(found(await everyPage(g.ask, stranger, `${PATH}?date=${DAY}`, 50))).toEqual(of('Este'))
  })

  it('are those of the current service by default, in the location’s time zone', async () => {
    const at = async (now: string, place?: string) => {
      const query = { limit: 50, location_id: place && g.places[place] }
      return found((await queryReservations({ db: person.db, reads: person.db }, query, new Date(now))).data)
    }
    // 06:00 in Madrid is 05:00 in the Canaries: there the service of the day before goes on.
    const norte = ids((row) => row.place === 'Norte' && sameDay(row))
    const sur = ids((row) => row.place === 'Sur' && sameDay(row))
    expect(await at('2026-05-01T04:00:00Z', 'Norte')).toEqual(norte)
    expect(await at('2026-05-01T03:59:00Z', 'Norte')).toEqual([])
    expect(await at('2026-05-01T04:00:00Z', 'Sur')).toEqual([])
    expect(await at('2026-05-01T05:00:00Z', 'Sur')).toEqual(sur)
    expect(await at('2026-05-02T03:59:00Z')).toEqual([...norte, ...sur].sort())
    expect(await at('2026-05-01T12:00:00Z', 'Este')).toEqual([])
    const { status, body } = await g.ask(boss, 'GET', PATH)
    expect([status, body]).toEqual([200, { data: [], next_cursor: null }])
  })

  const cursor = (text: string) => `date=${DAY}&cursor=${Buffer.from(text).toString('base64url')}`
  const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  it.each([
    'date=2026-02-30',
    'date=0000-01-01',
    'date=99999-01-01',
    'date=hoy',
    'date=',
    'status=nothing',
    'status=pending,nothing',
    'location_id=norte',
    'limit=0',
    'limit=201',
    'limit=1.5',
    'search=%00',
    'cursor=x',
    cursor(`["x","${ID}"]`),
    cursor(`["2026-02-30 00:00:00","${ID}"]`),
    cursor(`["0000-01-01 00:00:00","${ID}"]`),
    cursor(`["2026-05-01 25:00:00","${ID}"]`),
    cursor(`["infinity","${ID}"]`),
    cursor(`["2026-05-01 21:00:00","x"]`),
  ])('refuse %s', async (query) => {
    const refused = await g.ask(boss, 'GET', `${PATH}?${query}`)
    expect(refused).toEqual({
      status: 400,
      body: expect.objectContaining({ code: expect.stringMatching(/^(INVALID_INPUT|MALFORMED_CURSOR)$/) }),
    })
  })
})

it('an imported visit is no reservation: it is neither found nor changed', async () => {
  const gone = refusal('NOT_FOUND')
  const imported = `${PATH}/${await idOf('r12')}`
  expect(await g.ask(boss, 'GET', imported)).toEqual(gone)
  expect(await g.ask(boss, 'PATCH', imported, { notes: 'x' })).toEqual(gone)
})
