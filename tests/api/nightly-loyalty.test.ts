import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serviceDb } from '@/lib/db/service'
import { evaluateNightly } from '@/lib/loyalty/recalculate'
import { createGroup, type Group, setRules } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'

let app: TestApp
let group: Group
beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Noche', [
    { name: 'Isla', slug: 'isla', timezone: 'Asia/Tokyo' },
  ])
  // The night is the group's, wherever its locations are.
  await app.stack.sql(`update public.organizations set timezone = 'Atlantic/Canary' where id = $1`, [
    group.id,
  ])
  await setRules(app.stack, String(group.locations[0]?.id), { Plata: { min_spend: 0, min_visits: 2 } })
})
afterAll(() => app?.close())
beforeEach(() => app.stack.sql(emptyTables('customers', 'job_runs', 'job_leases')))

const evaluate = (now: string, signal = new AbortController().signal) =>
  evaluateNightly({ db: serviceDb(), now: new Date(now), signal })
/** A regular who meets Plata's rule and was never evaluated. */
const regular = () =>
  app.stack.sql(
    `insert into public.customers (organization_id, location_id, total_visits) values ($1, $2, 3)`,
    [group.id, group.locations[0]?.id],
  )
const tiers = async () => {
  const rows = await app.stack.sql<{ tier: string | null }>(
    `select t.name as tier from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id`,
  )
  return rows.map(({ tier }) => tier)
}
/** As if every run so far had started then. */
const startedAt = (instant: string) => app.stack.sql('update public.job_runs set started_at = $1', [instant])
const runs = () => app.stack.sql('select job, status, result from public.job_runs order by started_at, id')

describe('the nightly evaluation of tiers', () => {
  it('raises customers who meet a rule, and records it in job_runs', async () => {
    await regular()
    await evaluate('2026-11-20T03:00:00Z')
    expect(await tiers()).toEqual(['Plata'])
    expect(await runs()).toEqual([
      { job: 'loyalty', status: 'succeeded', result: { evaluated: 1, upgraded: 1 } },
    ])
  })

  // 03:00 in the Canary Islands is 03:00 UTC in winter and 02:00 UTC in summer.
  it.each([
    ['winter', '2026-11-20T03:00:00Z', '2026-11-21T02:59:59Z', '2026-11-21T03:00:00Z'],
    ['summer', '2026-07-20T02:00:00Z', '2026-07-21T01:59:59Z', '2026-07-21T02:00:00Z'],
    [
      'the night the clocks go forward',
      '2026-03-28T03:00:00Z',
      '2026-03-29T01:59:59Z',
      '2026-03-29T02:00:00Z',
    ],
  ])('runs once a night, the first time after 03:00 local: %s', async (_, first, before, next) => {
    await evaluate(first)
    await startedAt(first)
    await regular()
    await evaluate(before)
    expect(await tiers()).toEqual([null])
    await evaluate(next)
    expect(await tiers()).toEqual(['Plata'])
    expect(await runs()).toHaveLength(2)
  })

  it('is done again when it was cut short, and not while another run is at it', async () => {
    await regular()
    await app.stack.sql(
      `insert into public.job_leases values ($1, gen_random_uuid(), now() + interval '60 seconds')`,
      [`loyalty:${group.id}`],
    )
    await evaluate('2026-11-20T03:00:00Z')
    expect(await tiers()).toEqual([null])
    await app.stack.sql(emptyTables('job_leases'))
    await evaluate('2026-11-20T03:15:00Z', AbortSignal.abort())
    expect(await runs()).toEqual([])
    await evaluate('2026-11-20T03:30:00Z')
    expect(await tiers()).toEqual(['Plata'])
  })
})

describe('GET /api/cron/automations', () => {
  const run = async () => {
    const headers = { authorization: `Bearer ${app.cronSecret}` }
    return (await app.client().request('GET', '/api/cron/automations', { headers })).status
  }

  it('evaluates the tiers on the way', async () => {
    await regular()
    expect(await run()).toBe(200)
    expect(await tiers()).toEqual(['Plata'])
  })

  it('goes on with a location whose figures were being recomputed when the process died', async () => {
    await regular()
    await app.stack.sql(`update public.locations set refresh_from = '00000000-0000-0000-0000-000000000000'`)
    await app.stack.sql(
      `insert into public.reservations (organization_id, location_id, customer_id, reservation_date,
         reservation_time, party_size, status) select organization_id, location_id, id, '2026-11-01', '21:00', 2,
         'completed' from public.customers`,
    )
    expect(await run()).toBe(200)
    expect(await app.stack.sql('select total_visits, total_spend::float from public.customers')).toEqual([
      { total_visits: 1, total_spend: 60 },
    ])
    expect(await app.stack.sql('select refresh_from from public.locations')).toEqual([{ refresh_from: null }])
  })
})
