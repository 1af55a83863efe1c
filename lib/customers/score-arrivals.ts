import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { log } from '@/lib/log'

// A step stays well under the 8 s that one statement may take.
const STEP_CUSTOMERS = 100
const BUDGET_MS = 3000

const stepSchema = z.object({ scored: z.number(), more: z.boolean() })

/**
 * Compares the customers that a sync or an import has just made or changed with the others, so that likely duplicates
 * are suggested at once. Stops after three seconds, or with the signal: the nightly job does the rest. Never throws.
 */
export async function scoreArrivals(
  db: Db,
  organizationId: string,
  signal: AbortSignal,
  { budgetMs = BUDGET_MS, step = STEP_CUSTOMERS } = {},
): Promise<void> {
  const end = performance.now() + budgetMs
  const parameters = { p_organization: organizationId, p_limit: step }
  try {
    while (!signal.aborted && performance.now() < end) {
      const { more } = stepSchema.parse(
        unwrap(await db.rpc('score_customers', parameters).abortSignal(signal)),
      )
      if (!more) return
    }
  } catch (error) {
    // What was saved is saved; its customers still wait to be scored.
    log().warn({ err: error, organization: organizationId }, 'new customers not scored')
  }
}
