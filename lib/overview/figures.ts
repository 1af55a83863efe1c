import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { JobContext } from '@/lib/jobs/job'
import { onceANight } from '@/lib/jobs/run-job'
import { log } from '@/lib/log'

const LEASE_SECONDS = 180
// About a tenth of a second of work: far below the statement timeout.
const STEP_ROWS = 50_000
// Messages wait for this; later runs continue.
const BUDGET_MS = 60_000

/**
 * Adds up the changes of the kept figures and counts, so that reads find one row a day or value. Reads are right before
 * that, too; after an interruption the next call continues.
 */
export async function foldFigures({ db, signal }: Pick<JobContext, 'db' | 'signal'>): Promise<void> {
  while (!signal.aborted && unwrap(await db.rpc('fold_figures')));
}

const countsSchema = z.array(z.object({ kind: z.string(), value: z.string(), customers: z.int() }))
const stepSchema = z.object({
  more: z.boolean(),
  location_id: z.string().optional(),
  mended: z.array(z.string()),
})

/**
 * Once a night, for each organization: compares its kept figures and counts with a recount, about `stepRows`
 * reservations at a time, as long as the budget (milliseconds) lasts. A difference is mended and logged as an error.
 */
export function checkFigures(
  context: JobContext,
  { stepRows = STEP_ROWS, budgetMs = BUDGET_MS } = {},
): Promise<void> {
  const { db, now, signal } = context
  const end = performance.now() + budgetMs
  return onceANight(context, { job: 'figures', leaseSeconds: LEASE_SECONDS }, async (organizationId) => {
    const of = { p_organization: organizationId }
    const counts = countsSchema.parse(unwrap(await db.rpc('check_customer_counts', of)))
    if (counts.length > 0) log().error({ organizationId, counts }, 'kept customer counts were wrong')
    let mended = counts.length
    for (;;) {
      const step = { ...of, p_now: now.toISOString(), p_rows: stepRows }
      const checked = stepSchema.parse(unwrap(await db.rpc('check_daily_figures', step)))
      const { more, location_id, mended: days } = checked
      if (days.length > 0) log().error({ location_id, days }, 'kept daily figures were wrong')
      mended += days.length
      const result = { mended }
      if (!more) return { status: 'succeeded', result, value: null }
      if (signal.aborted || performance.now() >= end) return { status: 'partial', result, value: null }
    }
  })
}
