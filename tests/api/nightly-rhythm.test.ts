import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { serviceDb } from '@/lib/db/service'
import { SEEDS } from '@/lib/rhythm/fit'
import { fitRhythms } from '@/lib/rhythm/nightly'
import { createGroup, type Group } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { rhythmOf } from '../support/rhythm-oracle'

const GUESTS = 240
const TODAY = '2026-11-20'

let app: TestApp
let group: Group
beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Ritmo', [{ name: 'Isla', slug: 'isla' }])
})
afterAll(() => app?.close())
beforeEach(() => app.stack.sql(emptyTables('customers', 'rhythm_models', 'job_runs', 'job_leases')))

const dayOf = (ago: number) => new Date(Date.parse(TODAY) - ago * 86_400_000).toISOString().slice(0, 10)
/** Two of three come every two weeks to some day; the third came once. */
const visitsOf = (guest: number) =>
  guest % 3 === 0
    ? [dayOf(10 + guest)]
    : Array.from({ length: 4 + (guest % 9) }, (_, n) => dayOf((guest % 200) + 14 * n))

async function guests(count = GUESTS): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({ n, days: visitsOf(n) }))
  await app.stack.sql(
    `with made as (
       insert into public.customers (organization_id, first_name)
       select $1, g.n::text from jsonb_to_recordset($3::jsonb) as g (n integer) returning id, first_name
     )
     insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time, party_size, status)
     select $1, $2, m.id, d.day::date, '21:00', 2, 'completed'
     from jsonb_to_recordset($3::jsonb) as g (n integer, days jsonb) join made m on m.first_name = g.n::text
     cross join lateral jsonb_array_elements_text(g.days) as d (day)`,
    [group.id, group.locations[0]?.id, JSON.stringify(rows)],
  )
  await app.stack.sql('select private.refresh_customers(array(select id from public.customers))')
}

const night = (now = `${TODAY}T03:30:00Z`, stepGuests?: number, signal = new AbortController().signal) =>
  fitRhythms({ db: serviceDb(), now: new Date(now), signal }, stepGuests ? { stepGuests } : {})
const model = async () => {
  const rows = await app.stack.sql<{
    r: number
    alpha: number
    a: number
    b: number
    guests: number
    fitted_at: string | null
    apply_after: string | null
  }>('select r, alpha, a, b, guests, fitted_at::text, apply_after from public.rhythm_models')
  return rows[0]
}
const runs = () =>
  app.stack.sql("select status, result from public.job_runs where job = 'rhythm' order by started_at, id")

it('fits a group’s own parameters, keeps when and of how many, and judges every guest by them', async () => {
  await guests()
  await night(undefined, 100)
  const found = await model()
  expect(found).toMatchObject({ guests: GUESTS, apply_after: null })
  expect(found?.fitted_at).toContain('2026-11-20 03:30:00')
  if (!found) return
  const { r, alpha, a, b } = found
  expect({ r, alpha, a, b }).not.toEqual(SEEDS)
  const rows = await app.stack.sql<{ n: string; state: string }>(
    `select c.first_name as n, case when usual_days is null then 'unknown' when lost_on <= $1 then 'lost' when at_risk_on <= $1 then 'at_risk' else 'on_time' end as state
     from public.customer_rhythms k join public.customers c on c.id = k.customer_id order by c.first_name::integer`,
    [TODAY],
  )
  expect(rows).toEqual(
    Array.from({ length: GUESTS }, (_, n) => ({
      n: String(n),
      state: rhythmOf(visitsOf(n), TODAY, { r, alpha, a, b })?.state,
    })),
  )
  expect(await runs()).toEqual([{ status: 'succeeded', result: { guests: GUESTS, fitted: 1 } }])
})

it('has the shipped parameters for a group with too little data, and fifths all the same', async () => {
  await guests(30)
  await night()
  expect(await model()).toMatchObject({ ...SEEDS, guests: 0, fitted_at: null, apply_after: null })
  expect(await runs()).toEqual([{ status: 'succeeded', result: { guests: 30, fitted: 0 } }])
})

it('leaves a group without guests alone', async () => {
  await night()
  expect(await model()).toBeUndefined()
  expect(await runs()).toEqual([{ status: 'succeeded', result: { guests: 0, fitted: 0 } }])
})

it('does it once a night, and goes on where a run was cut short', async () => {
  await guests()
  const cut = new AbortController()
  const db = serviceDb()
  const rpc = db.rpc.bind(db)
  // The time is over as soon as the first step is done.
  db.rpc = ((name: string, ...rest: never[]) => {
    if (name === 'apply_rhythm_model') cut.abort()
    return (rpc as unknown as (name: string, ...rest: never[]) => unknown)(name, ...rest)
  }) as typeof db.rpc
  await fitRhythms({ db, now: new Date(`${TODAY}T03:30:00Z`), signal: cut.signal }, { stepGuests: 100 })
  expect((await model())?.apply_after).not.toBeNull()
  const fitted = await model()
  await night(`${TODAY}T03:45:00Z`)
  expect(await model()).toEqual({ ...fitted, apply_after: null })
  await night(`${TODAY}T04:00:00Z`)
  expect((await runs()).map(({ status }) => status)).toEqual(['partial', 'succeeded'])
})

it('runs with the automations', async () => {
  await guests(30)
  const headers = { authorization: `Bearer ${app.cronSecret}` }
  expect((await app.client().request('GET', '/api/cron/automations', { headers })).status).toBe(200)
  expect(await model()).toMatchObject(SEEDS)
})
