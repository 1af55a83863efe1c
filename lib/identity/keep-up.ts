import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { runAfter } from '@/lib/http/after'
import type { JobContext } from '@/lib/jobs/job'
import { type JobOutcome, onceANight, runJob } from '@/lib/jobs/run-job'
import { scoreWaiting } from './score'

const JOB = { job: 'identity', leaseSeconds: 120 }
const NIGHTLY_MS = 45_000
const AFTER_IMPORT_MS = 45_000

const learnSchema = z.object({ next: z.int().nullable() })

/**
 * Once a night: learns what agreement proves where that is due, then compares the guests who wait, in steps. What is
 * left when the time is over goes on at the next call.
 */
export function keepIdentities(context: JobContext, { budgetMs = NIGHTLY_MS } = {}): Promise<void> {
  const end = performance.now() + budgetMs
  const { db, now, signal } = context
  return onceANight(context, JOB, (organizationId) => keepUp(db, organizationId, { now, end, signal }))
}

/** After an import, in the background: the same, if it is not under way already. */
export function keepUpSoon(organizationId: string): void {
  const end = performance.now() + AFTER_IMPORT_MS
  runAfter('compare guests', () =>
    runJob(serviceDb(), { ...JOB, organizationId }, () =>
      keepUp(serviceDb(), organizationId, { now: new Date(), end }),
    ),
  )
}

async function keepUp(
  db: Db,
  organizationId: string,
  { now, end, signal }: { now: Date; end: number; signal?: AbortSignal },
): Promise<JobOutcome<null>> {
  const learned = await learnIfDue(db, organizationId, now)
  const { scored, more } = await scoreWaiting(db, organizationId, { end, signal })
  return { status: more ? 'partial' : 'succeeded', result: { learned, scored }, value: null }
}

/** Learns the weights anew, in steps, when the group has none, weekly, or when a tenth of its guests is new. */
async function learnIfDue(db: Db, organizationId: string, now: Date): Promise<boolean> {
  const due = { p_organization: organizationId, p_now: now.toISOString() }
  if (!unwrap(await db.rpc('identity_due', due))) return false
  for (let step: number | null = 0; step !== null; ) {
    const taken = await db.rpc('learn_identity_weights', { p_organization: organizationId, p_step: step })
    step = learnSchema.parse(unwrap(taken)).next
  }
  return true
}
