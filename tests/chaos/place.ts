import type { LocalKeys } from '../../supabase/local/keys'
import { createGroup, type Group } from '../factories/group'
import { noQuietHours } from '../factories/messaging'
import type { ClusterConnection } from '../support/postgres/cluster'
import { startPostgresStack } from '../support/postgres/stack'
import type { Stack } from '../support/stack'
import { type Breakage, breakEngine } from './breakages'
import { type Fake, startResend, startTwilio } from './fakes'
import { createFate, type Fate } from './moments'
import { startTap, type Tap } from './tap'
import { createWatch, type Watch } from './watch'

/** Where runs happen: a database with a group, the providers, and the tap between them and the drainers. */
export interface Place {
  stack: Stack
  group: Group
  twilio: Fake
  resend: Fake
  tap: Tap
  fate: Fate
  watch: Watch
}

/** Works in a place of its own. */
export async function withPlace<T>(
  cluster: ClusterConnection,
  keys: LocalKeys,
  breakage: Breakage | undefined,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const closers: (() => Promise<unknown>)[] = []
  const kept = <R extends { close: () => Promise<unknown> }>(opened: R): R => {
    closers.push(opened.close)
    return opened
  }
  try {
    const stack = kept(await startPostgresStack(cluster, keys))
    const twilio = kept(await startTwilio())
    const resend = kept(await startResend())
    const fate = createFate()
    const watch = createWatch()
    const targets = { database: stack.url, twilio: twilio.url, resend: resend.url }
    const tap = kept(
      await startTap(targets, {
        arrived: (exchange) => {
          const action = fate.arrived(exchange)
          if (action !== 'lose') watch.arrived(exchange)
          return action
        },
        answered: (exchange, status, text) => {
          watch.answered(exchange, status, text)
          fate.answered(exchange, status, text)
        },
      }),
    )
    const group = await createGroup(stack, 'Grupo Caos', [{ name: 'Norte', slug: 'norte' }])
    await noQuietHours(stack)
    await stack.sql('update public.organizations set frequency_cap_days = 0, campaign_approve_above = null')
    if (breakage) await breakEngine(stack, breakage)
    return await work({ stack, group, twilio, resend, tap, fate, watch })
  } finally {
    for (const close of closers.reverse()) await close()
  }
}
