import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { csvRows } from '../support/csv-rows'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

let g: Guests
let boss: Client
const ANA = { id: '1', client_email: 'ana@correo.example', client_name: 'Ana', pax: 3 }

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
})
beforeEach(() => g.sql(emptyTables('reservations', 'customers', 'audit_log')))
afterAll(() => g?.app.close())

async function customer() {
  const [found] = (await g.ask(boss, 'GET', '/api/customers')).body.data
  return found
}
const spend = async () => {
  const { total_spend, spend_is_estimate } = await customer()
  return [total_spend, spend_is_estimate]
}
async function amount(external: string, total_amount: number | null) {
  const [row] = await g.sql<{ id: string }>('select id from public.reservations where external_id = $1', [
    external,
  ])
  const { status } = await g.ask(boss, 'PATCH', `/api/reservations/${row?.id}`, { total_amount })
  expect(status).toBe(200)
}
async function exported(language: string): Promise<string[][]> {
  const response = await boss.request('GET', `/api/customers/export?language=${language}`)
  return csvRows(await response.text(), language === 'es' ? ';' : ',')
}

describe('money without an amount', () => {
  it('makes the spend of a customer an estimate until every visit has one', async () => {
    await g.sync([ANA, { ...ANA, id: '2', date: '2026-05-02' }])
    expect(await spend()).toEqual([120, true])
    await amount('1', 99.5)
    expect(await spend()).toEqual([159.5, true])
    await amount('2', 0)
    expect(await spend()).toEqual([99.5, false])
    await amount('2', null)
    expect(await spend()).toEqual([159.5, true])
    const { id } = await customer()
    expect((await g.ask(boss, 'GET', `/api/customers/${id}`)).body.data.spend_is_estimate).toBe(true)
  })

  it('is none without visits', async () => {
    await g.sync([{ ...ANA, status: 'no_show' }])
    expect(await spend()).toEqual([0, false])
  })

  it('counts nothing where the location has no average, and is an estimate all the same', async () => {
    await g.sync([ANA], 'Sur')
    expect(await spend()).toEqual([0, true])
  })

  it('is said in the file of the list, in its language', async () => {
    await g.sync([ANA])
    const value = async (language: string, name: string) => {
      const [header = [], row = []] = await exported(language)
      return row[header.indexOf(name)]
    }
    expect(await value('es', 'Gasto total estimado')).toBe('sí')
    await amount('1', 80)
    expect(await value('en', 'Total spend is estimated')).toBe('no')
  })

  it('is the guests times the average in the timeline, for a visit only', async () => {
    await g.sync([
      ANA,
      { ...ANA, id: '2', date: '2026-05-02' },
      { ...ANA, id: '3', date: '2026-05-03', status: 'cancelled' },
    ])
    await amount('2', 75)
    const { id } = await customer()
    const rows = await g.sql<{ details: object }>(
      `select details from public.customer_timeline($1, array['reservation'])`,
      [id],
    )
    expect(rows.map(({ details }) => details)).toMatchObject([
      { visited: false, total_amount: null, estimated_amount: null },
      { visited: true, total_amount: 75, estimated_amount: null },
      { visited: true, total_amount: null, estimated_amount: 60 },
    ])
  })
})
