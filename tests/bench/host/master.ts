import { handleMasterRequest } from '@/lib/cron/jobs'
import { waitForDetachedWork } from '@/lib/http/after'
import { generateKeys } from '../../../supabase/local/keys'
import { createAutomation, noQuietHours } from '../../factories/messaging'
import { startPmsGroup } from '../../support/pms-group'
import { startCluster } from '../../support/postgres/cluster'
import { startPostgresStack } from '../../support/postgres/stack'
import type { Figure } from '../support/figures'
import { startSlowGateway } from './slow-gateway'

/** What a call took from Vercel's usual region to a database in Europe. */
export const FAR_MS = 90
// tests/api/master-calls.test.ts holds the second, less the comparison of guests after the answer; the first depends on the guests of the day.
const BOUNDS = { night: 115, usual: 58 }

/**
 * The calls and the time of the master for a group with one location and two automations, behind a gateway of 90 ms a
 * call: its first run of a night, which does all that is done once a night, and the run after it.
 */
export async function masterFigures(): Promise<Figure[]> {
  const keys = await generateKeys()
  const { connection, stop } = await startCluster()
  const closers: (() => unknown)[] = [stop]
  try {
    const stack = await startPostgresStack(connection, keys)
    closers.push(stack.close)
    const gateway = await startSlowGateway(stack.url, FAR_MS)
    closers.push(gateway.close)
    Object.assign(process.env, {
      SUPABASE_URL: gateway.url,
      SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
      SUPABASE_SECRET_KEY: keys.secretKey,
      CRON_SECRET: keys.cronSecret,
      SECRETS_KEY: keys.secretsKey,
      ALLOW_LOOPBACK_UPSTREAMS: '1',
      APP_URL: 'https://crm.example',
      MESSAGE_SANDBOX: '1',
      LOG_LEVEL: 'error',
    })
    const { pms, group } = await startPmsGroup({ stack }, ['Alfa'])
    closers.push(pms.close)
    await noQuietHours(stack)
    for (const type of ['vip_reward', 'post_visit'] as const)
      await createAutomation(stack, group.id, { type })
    const figures: Figure[] = []
    for (const [run, bound] of Object.entries(BOUNDS)) {
      gateway.take()
      const begin = performance.now()
      await handleMasterRequest({})
      const measured = (performance.now() - begin) / 1000
      await waitForDetachedWork()
      const calls = gateway.take()
      figures.push(
        { name: `master, ${run}: calls of the database`, measured: calls.length, unit: 'calls', bound },
        { name: `master, ${run}: time at ${FAR_MS} ms a call`, measured, unit: 's' },
      )
      if (process.env.BENCH_CALLS) console.log(calls.join('\n'))
    }
    return figures
  } finally {
    for (const close of closers.reverse()) await close()
  }
}
