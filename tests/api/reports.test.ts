import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import type { Reports } from '@/lib/reports/schema'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Client } from '../support/app'
import { stopClock } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

stopClock()
const TODAY = currentServiceDay('Europe/Madrid')
/** The 10th of a month, some months ago. */
const monthsAgo = (months: number) => {
  const [year = 0, month = 0] = TODAY.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - months, 10)).toISOString().slice(0, 10)
}
const OLD = monthsAgo(5)
const MONTH = `${OLD.slice(0, 7)}-01`

let g: Guests
let host: Client
let bound: Client
const ids: Record<string, string> = {}

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte', averageSpend: 30.5 },
    { name: 'Sur', slug: 'sur', averageSpend: null },
  ])
  host = await g.hire('operaciones')
  bound = await g.hire('operaciones', 'Sur')
  for (const [name, source, tier] of [
    ['ana', 'PMS', 'Oro'],
    ['luis', 'Manual', null],
    ['luis2', 'CSV', null],
    ['eva', '=cmd|calc', null],
  ] as const) {
    const [made] = await g.sql<{ id: string }>(
      `insert into public.customers (organization_id, email, first_name, source, loyalty_tier_id)
       select $1, $2 || '@example.com', $2, $3, (select id from public.loyalty_tiers
         where organization_id = $1 and name = $4) returning id::text`,
      [g.group.id, name, source, tier],
    )
    ids[name] = made?.id ?? ''
  }
  await visit('ana', 'Norte', OLD, { amount: 100 })
  await visit('ana', 'Sur', addDays(OLD, 45), {})
  await visit('luis', 'Norte', OLD, { walk_in: true, source: 'manual' })
  await visit('luis2', 'Norte', addDays(OLD, 15), {})
  await visit('eva', 'Sur', addDays(OLD, 1), { amount: 12.5 })
  await visit(null, 'Norte', OLD, { amount: 7 })
})
afterAll(() => g?.app.close())

async function visit(
  guest: string | null,
  place: string,
  date: string,
  {
    amount = null,
    walk_in = false,
    source = 'pms',
  }: { amount?: number | null; walk_in?: boolean; source?: string },
) {
  await g.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, walk_in, total_amount) values ($1, $2, $3, $4, '21:00', 2, 'completed', $5, $6, $7)`,
    [g.group.id, g.places[place], guest && ids[guest], date, source, walk_in, amount],
  )
}

async function read(query = '', client = host): Promise<Reports> {
  const { status, body } = await g.ask(client, 'GET', `/api/reports${query}`)
  expect(status).toBe(200)
  return body.data
}
/** `key: guests, returned in 30, 60, 90 days` of each part in the month of the first visits. */
const parts = ({ groups }: Reports) =>
  groups.map(({ key, cohorts }) => {
    const cohort = cohorts.find(({ month }) => month === MONTH)
    return `${key}: ${cohort?.guests}, ${cohort?.returned.slice(0, 3).join(' ')}`
  })
async function download(query: string, client = host): Promise<Response> {
  await g.sql(emptyTables('rate_limits'))
  const response = await client.request('GET', `/api/reports/export?${query}`)
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return response
}
const lines = async (query: string, client = host) =>
  Buffer.from(await (await download(query, client)).arrayBuffer())
    .toString('utf8')
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')

describe('the cohorts', () => {
  it('are the guests by month of their first visit, with those who came again', async () => {
    const reports = await read()
    expect(parts(reports)).toEqual(['null: 4, 0 1 1'])
    expect(reports).toMatchObject({ data_from: OLD, groups: [{ rest: false, name: null }] })
  })

  it('split by location, source and channel of the first visit', async () => {
    const { Norte, Sur } = g.places
    expect(parts(await read('?split=location'))).toEqual([`${Norte}: 3, 0 1 1`, `${Sur}: 1, 0 0 0`])
    expect(parts(await read('?split=channel'))).toEqual(['pms: 3, 0 1 1', 'walk_in: 1, 0 0 0'])
    expect(parts(await read('?split=source')).sort()).toEqual([
      '=cmd|calc: 1, 0 0 0',
      'CSV: 1, 0 0 0',
      'Manual: 1, 0 0 0',
      'PMS: 1, 0 1 1',
    ])
  })

  it('of one location are those who are new there, and so for its staff', async () => {
    const atSur = await read(`?location_id=${g.places.Sur}`)
    // Ana comes to Sur for the first time 45 days after Norte.
    expect(parts(atSur)).toEqual(['null: 1, 0 0 0'])
    expect(atSur.groups[0]?.cohorts.reduce((sum, { guests }) => sum + guests, 0)).toBe(2)
    expect(await read('', bound)).toEqual(atSur)
    expect(await read(`?location_id=${g.places.Sur}`, bound)).toEqual(atSur)
  })

  it('too young for a horizon have no figure', async () => {
    await visit('luis', 'Norte', TODAY, {})
    const { groups } = await read('?months=1')
    expect(groups).toEqual([])
    const [made] = await g.sql<{ id: string }>(
      'insert into public.customers (organization_id) values ($1) returning id::text',
      [g.group.id],
    )
    ids.nueva = made?.id ?? ''
    await visit('nueva', 'Norte', TODAY, {})
    expect((await read('?months=1')).groups[0]?.cohorts).toEqual([
      { month: `${TODAY.slice(0, 7)}-01`, guests: 1, returned: Array(12).fill(null) },
    ])
    await g.sql('delete from public.reservations where reservation_date = $1', [TODAY])
  })
})

describe('the revenue by tier', () => {
  it('is that of the guests who hold it today, estimated where the amount is missing', async () => {
    const { tiers } = await read()
    const some = tiers.filter(({ visits }) => visits > 0)
    expect(some).toMatchObject([
      { name: 'Oro', known: true, guests: 1, visits: 2, covers: 4, revenue: 100, estimated_revenue: 0 },
      { name: null, known: true, guests: 3, visits: 3, revenue: 134.5, estimated_revenue: 122 },
      { name: null, known: false, guests: 0, visits: 1, revenue: 7, estimated_revenue: 0 },
    ])
    expect(tiers.map(({ name }) => name)).toEqual(['Platino', 'Oro', 'Plata', 'Bronce', null, null])
  })

  it('is of the caller’s locations', async () => {
    const some = (await read('', bound)).tiers.filter(({ visits }) => visits > 0)
    expect(some.map(({ revenue }) => revenue)).toEqual([0, 12.5])
  })
})

describe('the reports', () => {
  it('are of the group, for a period and a split that there are', async () => {
    for (const path of ['/api/reports', '/api/reports/export']) {
      for (const query of ['months=0', 'months=37', 'split=name', 'location_id=x'])
        expect((await g.ask(host, 'GET', `${path}?${query}`)).status).toBe(400)
    }
    const stranger = await signedIn(await g.other.person('super_admin'))
    expect(await read('', stranger)).toMatchObject({ data_from: null, groups: [] })
  })

  it('as CSV have the words and decimals of the language, and run no formula', async () => {
    const [header, ...rows] = await lines('split=source&language=es')
    expect(header?.split(';').slice(0, 5)).toEqual([
      '"Mes de la primera visita"',
      '"Origen del cliente"',
      '"Clientes nuevos"',
      '"Han vuelto en 30 días"',
      '"% en 30 días"',
    ])
    expect(rows).toHaveLength(4)
    expect(rows.find((row) => row.includes('PMS'))).toMatch(
      new RegExp(`^"?${MONTH}"?;"PMS";1;0;0,0000;1;1,0000;1;1,0000;`),
    )
    expect(rows.find((row) => row.includes('cmd'))).toContain(`;"'=cmd|calc";1;`)
    expect((await lines('language=en'))[0]).toMatch(/^"Month of the first visit","New customers",/)
    const tiers = await lines('report=tiers&language=es')
    expect(tiers).toContain('"Oro";1;2;4;100,00;0,00')
    expect(tiers).toContain('"Visitas sin ficha de cliente";0;1;2;7,00;0,00')
    expect(await lines('report=tiers', bound)).toContain('"Sin nivel";1;1;2;12,50;0,00')
  })

  it('as XLSX have numbers to calculate with', async () => {
    const response = await download('format=xlsx&split=source')
    expect(response.headers.get('content-disposition')).toMatch(/filename="cohorts-.*\.xlsx"/)
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const file = (name: string) => strFromU8(files[name] ?? new Uint8Array())
    const cells = file('xl/worksheets/sheet1.xml')
    expect(cells.match(/<row /g)).toHaveLength(5)
    expect(cells).not.toContain('<f>')
    expect(cells + file('xl/sharedStrings.xml')).toContain('=cmd|calc')
  })

  it('count merged guests once', async () => {
    const merged = await g.ask(host, 'POST', `/api/customers/${ids.luis}/merge`, { duplicate_id: ids.luis2 })
    expect(merged.status).toBe(200)
    // The second visit is now the same guest's, fifteen days after the first.
    expect(parts(await read())).toEqual(['null: 3, 1 2 2'])
  })
})
