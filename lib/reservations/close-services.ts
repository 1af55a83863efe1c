import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { JobContext } from '@/lib/jobs/job'
import { organizationIds } from '@/lib/jobs/known'

// About a second of work per batch, far below the statement limit.
const BATCH_RESERVATIONS = 2000

/**
 * Closes the open services that have ended (06:00 local on the next day): decides which reservations were visits, and
 * updates visits, spend and tiers in batches. After an interruption the next call continues.
 */
export async function closeServices(
  { db, now, signal }: JobContext,
  organizationId: string,
  batch = BATCH_RESERVATIONS,
): Promise<void> {
  const parameters = { p_organization: organizationId, p_now: now.toISOString(), p_limit: batch }
  while (!signal.aborted && unwrap(await db.rpc('close_services', parameters)));
}

/** Closes the services of every organization. With every run of the automations job: the sync closes only those with a working PMS. */
export async function closeAllServices(context: JobContext): Promise<void> {
  for (const id of await organizationIds(context)) await closeServices(context, id)
}
