import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { handleJobRequest } from '@/lib/cron/jobs'
import { serviceDb } from '@/lib/db/service'
import { checkFigures } from '@/lib/overview/figures'
import { createGroup, type Group } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'

let app: TestApp
let group: Group
beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Recuento', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
})
afterAll(() => app?.close())
beforeEach(async () => {
  await app.stack.sql(emptyTables('customers', 'job_runs', 'job_leases', 'private.figure_checks'))
  for (const { id } of group.locations)
    await app.stack.sql(
      `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size)
       select $1, $2, date '2026-06-01' + n % 10, '14:00', 2 from generate_series(1, 60) as n`,
      [group.id, id],
    )
})

const DAY_MS = 86_400_000
const NOW = Date.now()
const night = (options = {}, days = 0) => {
  const now = new Date(NOW + days * DAY_MS)
  return checkFigures({ db: serviceDb(), now, signal: new AbortController().signal }, options)
}
const runs = () =>
  app.stack.sql("select status, result from public.job_runs where job = 'figures' order by started_at, id")
const covers = async () =>
  (
    await app.stack.sql<{ covers: number }>(
      `select sum(covers)::int as covers from private.figures_of($1, '2026-06-01', '2026-06-30')`,
      [group.locations.map(({ id }) => id)],
    )
  )[0]?.covers

it('mends the figures once a night, and says how many were wrong', async () => {
  await app.stack.sql(
    `update private.daily_figures set covers = covers + 1 where service_date in ('2026-06-02', '2026-06-09')`,
  )
  expect(await covers()).toBe(244)
  await night()
  expect(await covers()).toBe(240)
  expect(await runs()).toEqual([{ status: 'succeeded', result: { mended: 4 } }])
  await night()
  expect(await runs()).toHaveLength(1)
  // Where the clocks go back, 24 hours later may be the same night.
  await night({}, 2)
  expect((await runs())[1]).toEqual({ status: 'succeeded', result: { mended: 0 } })
})

it('goes on at the next call when its time was not enough', async () => {
  await app.stack.sql('update private.daily_figures set covers = covers + 1')
  for (let calls = 1; calls <= 30 && (await runs()).at(-1)?.status !== 'succeeded'; calls++)
    await night({ stepRows: 10, budgetMs: 0 })
  const all = (await runs()) as { status: string; result: { mended: number } }[]
  expect(all.length).toBeGreaterThan(5)
  expect(all.map(({ status }) => status)).toEqual([...all.slice(1).map(() => 'partial'), 'succeeded'])
  expect(all.reduce((sum, { result }) => sum + result.mended, 0)).toBe(20)
  expect(await covers()).toBe(240)
})

it('folds the changes after every sync, also one that fails', async () => {
  const rows = async () => app.stack.sql('select 1 from private.daily_figures where id > 0')
  expect(await rows()).not.toEqual([])
  await expect(handleJobRequest('sync')).rejects.toThrow('PMS integration is not configured')
  expect(await rows()).toEqual([])
  expect(await covers()).toBe(240)
})
