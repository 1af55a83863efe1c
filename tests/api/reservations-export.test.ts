import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { csvRows } from '../support/csv-rows'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

let g: Guests
let host: Client
let bound: Client
let stranger: Client
const PATH = '/api/reservations/export'
const DAY = '2026-11-20'
const PARTIES = 1203

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  host = await g.hire('operaciones')
  bound = await g.hire('operaciones', 'Sur')
  stranger = await signedIn(await g.other.person('super_admin'))
  await g.sql(
    `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size,
       customer_name, customer_phone, notes, total_amount, status, source)
     select $1::uuid, $2::uuid, $3::date + case when n % 10 = 9 then 1 else 0 end,
       case when n % 10 = 9 then time '01:30' else time '20:00' + make_interval(mins => n % 120) end, 2,
       case when n = 7 then '=cmd|calc' else 'c' || n end, '+34600111222',
       case when n = 7 then E'Dice "hola"; \\x01\\nsal' end, case when n = 7 then 12.5 end,
       case when n % 2 = 0 then 'confirmed' else 'cancelled' end, 'manual'
     from generate_series(1, $4::integer) as n`,
    [g.group.id, g.places.Norte, DAY, PARTIES],
  )
  await g.sql(
    `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size,
       customer_name, source) select $1, $2, d::date, '14:00', 3, 'sur ' || d::date, 'manual'
     from generate_series(timestamp '2026-11-20', timestamp '2026-11-25', interval '1 day') as d`,
    [g.group.id, g.places.Sur],
  )
})
afterAll(() => g?.app.close())

async function get(query: string, client = host): Promise<Response> {
  await g.sql(emptyTables('attempt_limits'))
  const response = await client.request('GET', `${PATH}?${query}`)
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return response
}
async function lines(query = `date=${DAY}`, client = host): Promise<string[][]> {
  const response = await get(query, client)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const text = Buffer.from(await response.arrayBuffer()).toString('utf8')
  expect(text.startsWith('\ufeff"Fecha";"Hora";"Local";"Nombre";"Personas";')).toBe(true)
  return csvRows(text).slice(1)
}
const names = (rows: string[][]) => rows.map((row) => row[3])

describe('the reservations of a day as CSV', () => {
  it('are all of them once, in order of time, however many chunks it takes', async () => {
    const rows = await lines()
    expect(rows).toHaveLength(PARTIES + 1)
    expect(new Set(names(rows)).size).toBe(PARTIES + 1)
    const order = rows.map((row) => row.slice(0, 2).join(' '))
    expect(order).toEqual(order.toSorted())
    // What begins after midnight belongs to the evening.
    expect(order.at(-1)).toBe('2026-11-21 01:30')
  })

  it('are narrowed by the filters of the list', async () => {
    expect(await lines(`date=${DAY}&status=cancelled`)).toHaveLength(602)
    expect(names(await lines(`date=${DAY}&search=c1200`))).toEqual(['c1200'])
    expect(await lines(`date=${DAY}&location_id=${g.places.Sur}`)).toHaveLength(1)
    expect(await lines(`date=${DAY}&source=pms`)).toEqual([])
  })

  it('escape formulas and write amounts as the language does', async () => {
    const text = await (await get(`date=${DAY}&search=cmd`)).text()
    expect(text).toContain(`;"'=cmd|calc";2;"Cancelada";;;+34600111222;`)
    expect(text).toContain(';12,50;"A mano";"no"')
    expect(await (await get(`date=${DAY}&search=cmd&language=en`)).text()).toContain(',12.50,"By hand","no"')
  })

  it('may be of several days, at most 31', async () => {
    expect(names(await lines(`date=${DAY}&until=2026-11-25&location_id=${g.places.Sur}`))).toEqual(
      ['20', '21', '22', '23', '24', '25'].map((day) => `sur 2026-11-${day}`),
    )
    expect(await lines(`date=${DAY}&until=2026-11-25`)).toHaveLength(PARTIES + 6)
    for (const until of ['2026-11-19', '2026-12-21'])
      expect((await g.ask(host, 'GET', `${PATH}?date=${DAY}&until=${until}`)).status).toBe(400)
    await lines(`date=${DAY}&until=2026-12-20&search=none`)
  })

  it('are those of the caller’s locations', async () => {
    expect(await lines(`date=${DAY}`, bound)).toHaveLength(1)
    expect(await lines(`date=${DAY}&location_id=${g.places.Norte}`, bound)).toEqual([])
    expect(await lines(`date=${DAY}`, stranger)).toEqual([])
  })

  it('are logged with the filters and the number of rows, without the words searched for', async () => {
    await g.sql('delete from public.audit_log')
    await lines(`date=${DAY}&search=c12&status=cancelled`)
    const kept = await g.sql('select action, details from public.audit_log order by created_at')
    const filters = { search: true, status: ['cancelled'], format: 'csv', date: DAY, until: DAY }
    expect(kept).toEqual([
      { action: 'reservations.exported', details: { filters } },
      { action: 'reservations.export_ended', details: { filters, rows: 7 } },
    ])
  })
})

describe('the reservations of a day as XLSX', () => {
  const sheet = async (query: string) => {
    const response = await get(`format=xlsx&${query}`)
    expect(response.headers.get('content-disposition')).toContain(`reservations-${DAY}.xlsx"`)
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const file = (name: string) => strFromU8(files[name] ?? new Uint8Array())
    return { cells: file('xl/worksheets/sheet1.xml'), texts: file('xl/sharedStrings.xml') }
  }

  it('have dates, times and amounts to calculate with, and texts that no spreadsheet runs', async () => {
    const { cells, texts } = await sheet(`date=${DAY}&search=cmd`)
    // 20 November 2026 and 20:07 as Excel counts.
    expect(cells).toMatch(/<v>46346<\/v>/)
    expect(cells).toMatch(/<v>0\.838194/)
    expect(cells).toMatch(/<v>12\.5<\/v>/)
    expect(cells).not.toContain('<f>')
    expect(cells + texts).toContain('=cmd|calc')
    expect(cells + texts).not.toContain('\u0001')
  })

  it('have every row', async () => {
    const { cells } = await sheet(`date=${DAY}`)
    expect(cells.match(/<row /g)).toHaveLength(PARTIES + 2)
  })
})
