import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { JobContext } from '@/lib/jobs/job'
import { organizationIds } from '@/lib/jobs/known'
import { onceANight, runJob } from '@/lib/jobs/run-job'

const LEASE_SECONDS = 180
// A step takes about half a second on one core: far below the statement timeout.
const STEP_CUSTOMERS = 500
// Steps at once: a million guests take a quarter of an hour on one core of the database.
const LANES = 2
const BREATH_MS = 100
// Messages wait for this; later runs continue.
const BUDGET_MS = 60_000

const learnedSchema = z.object({ next: z.int().nullable() })
const stepSchema = z.object({ scored: z.int(), pairs: z.int(), more: z.boolean() })

/** Learns the weights of each organization again once a night, if its customers have changed much. */
export function learnNightly(context: JobContext): Promise<void> {
  const { db, signal } = context
  return onceANight(
    context,
    { job: 'identity-weights', leaseSeconds: LEASE_SECONDS },
    async (organization) => {
      let steps = 0
      for (let step: number | null = 0; step !== null; steps++) {
        if (signal.aborted) return { status: 'partial', result: { steps }, value: null }
        step = await learnStep(db, organization, step)
      }
      return { status: 'succeeded', result: { steps }, value: null }
    },
  )
}

/**
 * Compares the customers that are new or changed with all others, in steps, two at once, as long as the budget
 * (milliseconds) lasts.
 * Organizations where nothing changed get no line in the log of jobs.
 */
export async function scoreCustomers(
  context: Pick<JobContext, 'db' | 'signal' | 'known'>,
  { budgetMs = BUDGET_MS } = {},
): Promise<void> {
  const { db, signal } = context
  const end = performance.now() + budgetMs
  for (const id of await organizationIds(context)) {
    if (signal.aborted || !(await scoreStep(db, id, 0)).more) continue
    await runJob(db, { job: 'identity', organizationId: id, leaseSeconds: LEASE_SECONDS }, async () => {
      const result = { scored: 0, pairs: 0 }
      const lane = async () => {
        for (;;) {
          const step = await scoreStep(db, id, STEP_CUSTOMERS)
          result.scored += step.scored
          result.pairs += step.pairs
          if (!step.more) return true
          // The other lane has what is left.
          if (step.scored === 0) await pause(BREATH_MS)
          if (signal.aborted || performance.now() >= end) return false
        }
      }
      const done = await Promise.all(Array.from({ length: LANES }, lane))
      return { status: done.every(Boolean) ? 'succeeded' : 'partial', result, value: null }
    })
  }
}

/** One step of learning the weights; returns the next one, null when done or when the group has hardly changed. */
export async function learnStep(db: Db, organization: string, step: number): Promise<number | null> {
  const answer = await db.rpc('learn_identity_weights', { p_organization: organization, p_step: step })
  return learnedSchema.parse(unwrap(answer)).next
}

/** Compares at most the given number of waiting customers with all others; `more`: whether others still wait. */
export async function scoreStep(db: Db, organization: string, limit: number) {
  return stepSchema.parse(
    unwrap(await db.rpc('score_customers', { p_organization: organization, p_limit: limit })),
  )
}
