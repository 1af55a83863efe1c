import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { JobContext } from '@/lib/jobs/job'

// About a second of work each, far below the statement limit.
const BATCH_RESERVATIONS = 2000

/**
 * Closes the services that are over (06:00 local on the day after) and are still open: settles who came, with their
 * visits, spend and tiers, a batch at a time. An interrupted run loses nothing; the next call goes on.
 */
export async function closeServices(
  { db, now, signal }: JobContext,
  organizationId: string,
  batch = BATCH_RESERVATIONS,
): Promise<void> {
  const parameters = { p_organization: organizationId, p_now: now.toISOString(), p_limit: batch }
  while (!signal.aborted && unwrap(await db.rpc('close_services', parameters)));
}

/** The same for every organization: the nightly close where the PMS is away or there is none. */
export async function closeAllServices(context: JobContext): Promise<void> {
  const found = await context.db.from('organizations').select('id').order('id')
  for (const { id } of unwrap(found) ?? []) await closeServices(context, id)
}
