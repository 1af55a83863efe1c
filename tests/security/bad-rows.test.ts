import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Client, startApp, type TestApp } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { csvForm } from '../support/csv-form'
import { emptyTables } from '../support/empty-tables'
import { type PmsGroup, startPmsGroup } from '../support/pms-group'
import { answer, signedIn } from '../support/sign-in'

stayInOneDay()
let app: TestApp
let place: PmsGroup
let boss: Client

beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'silent' })
  place = await startPmsGroup(app, ['Alfa', 'Bravo', 'Charlie'])
  boss = await signedIn(await place.group.person('super_admin'))
  // What no check of ours foresees: the database itself refuses these.
  await app.stack.sql(`alter table public.reservations
    add constraint no_cursed_tables check (table_name <> 'cursed')`)
  await app.stack.sql(
    `alter table public.customers add constraint no_cursed_names check (last_name <> 'Cursed')`,
  )
})
afterEach(async () => {
  place.pms.clearFaults()
  await app.stack.sql(emptyTables('reservations', 'customers', 'job_runs', 'import_runs', 'rate_limits'))
})
afterAll(async () => {
  await place?.pms.close()
  await app?.close()
})

const good = (index: number) => ({
  booking_id: `good-${index}`,
  booking_date: new Date().toISOString().slice(0, 10),
  booking_time: '21:00',
  party_size: 2,
  status: 'confirmed',
  customer_name: `Persona ${index}`,
  customer_email: `persona${index}@correo.example`,
})
const deep = '['.repeat(1000) + ']'.repeat(1000)
const EIGHT_KB =
  Array.from({ length: 2000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('') + 'x'.repeat(2000)

/** Rows that cannot be saved, each with the line that names it (after `Bravo: reservation `). */
const BAD: [string, Record<string, unknown>, RegExp][] = [
  ['a name of 8 kB', { customer_name: EIGHT_KB }, /^bad-\d+: too long "name"$/],
  ['an id of 8 kB', { booking_id: EIGHT_KB }, /^[^x]{99}…: too long "id"$/],
  ['an amount of people of 2e9', { party_size: 2_000_000_000 }, /^bad-\d+: not a party size "2000000000"$/],
  ['NaN people', { party_size: 'NaN' }, /^bad-\d+: not a party size "NaN"$/],
  ['the date infinity', { booking_date: 'infinity' }, /^bad-\d+: not a date "infinity"$/],
  ['the year 20000', { booking_date: '20000-01-01' }, /^bad-\d+: not a date "20000-01-01"$/],
  ['deep JSON for notes', { notes: JSON.parse(deep) }, /^bad-\d+: malformed field "notes"$/],
  ['an id that is only NUL', { booking_id: '\0' }, /^#\d+: no id$/],
  [
    'what the database refuses',
    { table_name: 'cursed' },
    /^bad-\d+: refused by the database "no_cursed_tables"$/,
  ],
  [
    'a guest the database refuses',
    { customer_name: 'A Cursed' },
    /^bad-\d+: refused by the database "no_cursed_names"$/,
  ],
]

async function sync(): Promise<string[]> {
  const headers = { authorization: `Bearer ${app.cronSecret}` }
  const { status, body } = await answer(await app.client().request('POST', '/api/sync', { headers }))
  expect(status).toBe(200)
  return (body.errors as string[]).map((line) => line.replace('Bravo: reservation ', ''))
}
const savedIds = async (prefix: string) => {
  const rows = await app.stack.sql<{ external_id: string }>(
    `select external_id from public.reservations where external_id like $1 order by 1`,
    [`${prefix}%`],
  )
  return rows.map(({ external_id }) => external_id)
}
const versions = () =>
  app.stack.sql(`select id::text, xmin::text, ctid::text from public.customers
    union all select id::text, xmin::text, ctid::text from public.reservations order by 1`)

/** 500 rows at Bravo, of which these are bad, spread over the batch. */
function serve(bad: Record<string, unknown>[]): string[] {
  const rows: unknown[] = Array.from({ length: 500 - bad.length }, (_, index) => good(index))
  for (const [n, change] of bad.entries()) {
    const at = Math.floor((n * 500) / bad.length)
    rows.splice(at, 0, { ...good(10_000 + n), booking_id: `bad-${n}`, ...change })
  }
  place.pms.setFault('bravo', { kind: 'malformed_rows', rows })
  return Array.from({ length: 500 - bad.length }, (_, index) => `good-${index}`).sort()
}

describe('a batch of 500 rows of the PMS', () => {
  it.each(BAD)('with one of %s saves the others and names it', async (_, change, line) => {
    const ids = serve([change])
    expect(await sync()).toEqual([expect.stringMatching(line)])
    expect(await savedIds('good-')).toEqual(ids)
    expect(await savedIds('bad-')).toEqual([])
  })

  it('with several of each kind saves the others, names each, and writes nothing the second time', async () => {
    const changes = [...BAD, ...BAD, ...BAD]
    const ids = serve(changes.map(([, change]) => change))
    const lines = await sync()
    expect(lines).toHaveLength(changes.length)
    for (const [, , line] of BAD)
      expect(lines.filter((one) => line.test(one)).length).toBeGreaterThanOrEqual(3)
    expect(await savedIds('good-')).toEqual(ids)
    const [run] = await app.stack.sql<{ status: string; issues: { code: string }[] }>(
      `select status, result -> 'issues' as issues from public.job_runs`,
    )
    expect(run?.status).toBe('partial')
    expect(run?.issues.filter(({ code }) => code === 'refused_row')).toHaveLength(6)
    const before = await versions()
    expect(await sync()).toHaveLength(changes.length)
    expect(await versions()).toEqual(before)
  })

  it('that are all bad does not affect the other locations', async () => {
    const unforeseen = BAD.slice(-2).map(([, change]) => change)
    serve(Array.from({ length: 500 }, (_, n) => BAD.slice(0, -2)[n % 8]?.[1] ?? unforeseen[0] ?? {}))
    expect((await sync()).length).toBeGreaterThan(499)
    expect(await savedIds('bad-')).toEqual([])
    const [others] = await app.stack.sql<{ count: number }>(
      'select count(*)::int as count from public.reservations',
    )
    expect(others?.count).toBeGreaterThan(50)
  })

  it('that are all refused by the database ends after a bounded number of calls, and says so', async () => {
    serve(Array.from({ length: 500 }, () => ({ table_name: 'cursed' })))
    const lines = await sync()
    expect(lines).toContain('Bravo: the reservations could not be saved')
    expect(await savedIds('bad-')).toEqual([])
  }, 90_000)

  it('with a note beyond measure keeps the reservation and cuts the note', async () => {
    serve([{ notes: 'ñ'.repeat(3_000_000) }])
    expect(await sync()).toEqual([])
    const [row] = await app.stack.sql<{ length: number }>(
      `select length(notes) as length from public.reservations where external_id = 'bad-0'`,
    )
    expect(row?.length).toBe(5000)
    const before = await versions()
    expect(await sync()).toEqual([])
    expect(await versions()).toEqual(before)
  })
})

describe('a file of customers', () => {
  it('with rows that the database refuses imports the others and names each', async () => {
    const rows = Array.from({ length: 500 }, (_, n) =>
      n % 200 === 7
        ? `cliente${n}@correo.example;A;Cursed`
        : `cliente${n}@correo.example;Nombre;Apellido ${n}`,
    )
    const form = csvForm(['email;nombre;apellidos', ...rows].join('\n'))
    const { status, body } = await answer(await boss.request('POST', '/api/admin/import-csv', { body: form }))
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        total: 500,
        imported: 497,
        errors: [8, 208, 408].map((row) => `Row ${row}: the database refused it (no_cursed_names)`),
      },
    })
    const [run] = await app.stack.sql(
      'select status, total, processed, imported, created, error_count from public.import_runs',
    )
    expect(run).toEqual({
      status: 'partial',
      total: 500,
      processed: 500,
      imported: 497,
      created: 497,
      error_count: 3,
    })
  })
})
