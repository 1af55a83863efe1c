import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { createAutomation, noQuietHours } from '../factories/messaging'
import { startApp, type TestApp } from '../support/app'
import { stopClock } from '../support/clock'
import { watchRequests } from '../support/network'
import { type PmsGroup, startPmsGroup } from '../support/pms-group'

const AUTOMATIONS = ['vip_reward', 'post_visit'] as const
// Both runs are of one night.
stopClock()
let app: TestApp
let place: PmsGroup

beforeAll(async () => {
  app = await startApp()
  place = await startPmsGroup(app, ['Alfa'])
  await noQuietHours(app.stack)
  for (const type of AUTOMATIONS) await createAutomation(app.stack, place.group.id, { type })
})
afterAll(async () => {
  await place?.pms.close()
  await app?.close()
})

/** The calls to the database of one run of the master, counted by what they call. */
async function callsOfMaster(): Promise<Record<string, number>> {
  const calls: Record<string, number> = {}
  const stop = watchRequests(({ url }) => {
    const { pathname, origin } = new URL(url)
    const name = pathname.replace(/^\/rest\/v1\/(rpc\/)?/, '')
    if (origin === new URL(app.stack.url).origin) calls[name] = (calls[name] ?? 0) + 1
  })
  try {
    const headers = { authorization: `Bearer ${app.cronSecret}` }
    const answer = await app.client().request('GET', '/api/cron/master', { headers })
    const { results } = await answer.json()
    // All but the announcements, of which there are none.
    expect(results.filter((result: object) => 'status' in result)).toHaveLength(5)
    await waitForDetachedWork()
  } finally {
    stop()
  }
  return calls
}

const sum = (calls: Record<string, number>) => Object.values(calls).reduce((total, one) => total + one, 0)

// A call takes up to 90 ms where the app is far from its database, and most of these follow one another. `npm run bench --
// master` prints the times; docs/performance.md says how the calls came down from 115 and 181.
describe('the master', () => {
  it('asks what its jobs have in common once, and takes two calls to begin and end each', async () => {
    const night = await callsOfMaster()
    const jobs = ['sync', 'four kinds of notices', '', '', '', 'automations']
    const nightly = ['loyalty', 'rhythm', 'identity-weights', 'identity', 'figures', 'tidy-up']
    const runs = jobs.length + nightly.length
    expect(night).toMatchObject({ begin_job: runs, end_job: runs, finished_nightly: 1 })
    // The ids of all, and the horizon of one that looks ahead.
    expect(night.organizations).toBe(2)
    expect(night.integration_configs).toBe(1 + 4 + AUTOMATIONS.length + 1)
    expect(Object.keys(night)).not.toContain('acquire_lease')
  })

  // One of them, for each location, looks for bookings that left the PMS: apart, so that its failure keeps what came.
  it('takes no more than 58 calls when nothing is due', async () => {
    const usual = await callsOfMaster()
    expect(usual).toMatchObject({ begin_job: 6, end_job: 6, finished_nightly: 1, organizations: 1 })
    expect(sum(usual), JSON.stringify(usual)).toBeLessThanOrEqual(58)
  })
})
