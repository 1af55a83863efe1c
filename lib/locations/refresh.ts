import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { JobContext } from '@/lib/jobs/job'

// About a second of work each: far below the statement limit, and the sync does not wait for long.
const BATCH_CUSTOMERS = 10_000
const BATCH_DAYS = 7
const BUDGET_MS = 45_000

/**
 * Recomputes the customers of a location whose average spend, time zone or rule for unmarked visits changed, batch
 * by batch. The progress is stored with the location: after an interruption the next call continues there.
 * @param db the service client
 */
export async function finishRefresh(
  db: Db,
  locationId: string,
  { batch = BATCH_CUSTOMERS, budgetMs = BUDGET_MS } = {},
): Promise<void> {
  const end = performance.now() + budgetMs
  let more: boolean | null
  do {
    more = unwrap(await db.rpc('recount_unmarked', { p_location: locationId, p_days: BATCH_DAYS }))
  } while (more && performance.now() < end)
  do {
    more = unwrap(await db.rpc('refresh_location', { p_location: locationId, p_limit: batch }))
  } while (more && performance.now() < end)
}

/** Continues with the locations whose recomputation was interrupted. */
export async function finishRefreshes({ db, signal }: Pick<JobContext, 'db' | 'signal'>): Promise<void> {
  const waiting = await db
    .from('locations')
    .select('id')
    .or('refresh_from.not.is.null,recount_from.not.is.null')
    .order('id')
  for (const { id } of unwrap(waiting) ?? []) {
    if (signal.aborted) return
    await finishRefresh(db, id)
  }
}
