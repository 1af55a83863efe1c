import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { runAfter } from '@/lib/http/after'
import { createKnown, type Known } from '@/lib/jobs/known'
import { clockFrom } from '@/lib/jobs/run-job'
import { CHANNELS } from '@/lib/messaging/channels'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers'

const SEND_MS = 15_000
// Each round offers a table to one party, and a party one table; the rest are offered in the next.
const MAX_ROUNDS = 10

/**
 * Offers tables that were given back to the waitlist of an organization, where it wants that, and ends offers whose time is
 * over. Messages that the provider does not accept in 15 seconds are sent by the next run of the jobs.
 */
export async function offerFreedTables(organizationId: string, now = new Date()): Promise<void> {
  const db = serviceDb()
  const wanted = await db
    .from('organizations')
    .select('offer_tables_minutes')
    .eq('id', organizationId)
    .maybeSingle()
  if (unwrap(wanted)?.offer_tables_minutes == null) return
  const providers = await providersFor(db, organizationId)
  const queued = new Set<string>()
  const parameters = {
    p_organization: organizationId,
    p_channels: CHANNELS.filter((channel) => providers[channel]),
    p_now: now.toISOString(),
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const channels = unwrap(await db.rpc('offer_freed_tables', parameters)) ?? []
    if (channels.length === 0) break
    for (const channel of channels) queued.add(channel)
  }
  if (queued.size === 0) return
  await drain({
    ...{ db, organizationId, providers, notices: true, now: clockFrom(now) },
    signal: AbortSignal.timeout(SEND_MS),
    channels: CHANNELS.filter((channel) => queued.has(channel)),
  })
}

/** The same after the answer is sent: for whatever may have freed a table, or added to the waitlist. */
export function offerTablesSoon(organizationId: string): void {
  runAfter('offers of tables', () => offerFreedTables(organizationId))
}

/** The same for every organization that offers tables, so that offers end in time though nothing else happens. */
export async function offerAllFreedTables(
  now = new Date(),
  known: Pick<Known, 'organizations'> = createKnown(serviceDb(), now),
): Promise<void> {
  for (const { id, offer_tables_minutes } of await known.organizations())
    if (offer_tables_minutes !== null) await offerFreedTables(id, now)
}
