import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { JobContext } from './job'
import { onceANight } from './run-job'

const LEASE_SECONDS = 120
// At most a second of work: far below the statement timeout.
const CHUNK_ROWS = 2000
// Messages wait for this; later calls delete the rest.
const BUDGET_MS = 20_000

const countsSchema = z.object({
  empty_runs: z.int(),
  automation_runs: z.int(),
  job_runs: z.int(),
  webhook_receipts: z.int(),
  failed_rows: z.int(),
})
const chunkSchema = countsSchema.extend({ more: z.boolean() })
type Counts = z.infer<typeof countsSchema>

/**
 * Deletes logs, webhook receipts and failed rows beyond each organization's retention period, once a night, in chunks.
 * Messages are never deleted.
 */
export function tidyUp(
  context: JobContext,
  { chunk = CHUNK_ROWS, budgetMs = BUDGET_MS } = {},
): Promise<void> {
  const end = performance.now() + budgetMs
  const { db, now, signal } = context
  return onceANight(context, { job: 'tidy-up', leaseSeconds: LEASE_SECONDS }, async (organizationId) => {
    const parameters = { p_organization: organizationId, p_now: now.toISOString(), p_limit: chunk }
    let result: Counts | undefined
    for (;;) {
      const { more, ...counts } = chunkSchema.parse(unwrap(await db.rpc('tidy_up', parameters)))
      result = result ? sum(result, counts) : counts
      if (!more) return { status: 'succeeded', result, value: null }
      if (signal.aborted || performance.now() >= end) return { status: 'partial', result, value: null }
    }
  })
}

const sum = (a: Counts, b: Counts): Counts => ({
  empty_runs: a.empty_runs + b.empty_runs,
  automation_runs: a.automation_runs + b.automation_runs,
  job_runs: a.job_runs + b.job_runs,
  webhook_receipts: a.webhook_receipts + b.webhook_receipts,
  failed_rows: a.failed_rows + b.failed_rows,
})
