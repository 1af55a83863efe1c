import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { runAfter } from '@/lib/http/after'
import { log } from '@/lib/log'

// About a third of a second of work: far below the statement limit.
const STEP = 500
const BACKGROUND_MS = 45_000

const stepSchema = z.object({ scored: z.int(), pairs: z.int(), more: z.boolean() })

/**
 * Compares the group's next waiting guests with all others.
 * @returns how many it compared, and whether others wait
 */
export async function scoreStep(db: Db, organizationId: string): Promise<{ scored: number; more: boolean }> {
  const parameters = { p_organization: organizationId, p_limit: STEP }
  return stepSchema.parse(unwrap(await db.rpc('score_customers', parameters)))
}

/** Compares all waiting guests of the group, step by step, for as long as there is time. Returns how many. */
export async function scoreWaiting(
  db: Db,
  organizationId: string,
  { end, signal }: { end: number; signal?: AbortSignal },
): Promise<{ scored: number; more: boolean }> {
  let scored = 0
  for (;;) {
    const step = await scoreStep(db, organizationId)
    scored += step.scored
    if (!step.more || signal?.aborted || performance.now() >= end) return { scored, more: step.more }
  }
}

/** Once the answer is sent, compares the guests that the request created or changed; the nightly job does what is left. */
export function scoreSoon(organizationId: string): void {
  runAfter('score guests', () =>
    scoreWaiting(serviceDb(), organizationId, { end: performance.now() + BACKGROUND_MS }),
  )
}

/**
 * Before duplicates are read: compares some of the guests that still wait, and the others after the answer. A failure
 * is logged; what was found before can still be read.
 */
export async function catchUp(organizationId: string): Promise<void> {
  try {
    if ((await scoreStep(serviceDb(), organizationId)).more) scoreSoon(organizationId)
  } catch (err) {
    log().error({ err }, 'guests could not be compared')
  }
}
