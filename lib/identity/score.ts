import 'server-only'
import { learnStep, scoreStep } from '@/lib/customers/score-customers'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { runAfter } from '@/lib/http/after'
import { runJob } from '@/lib/jobs/run-job'
import { log } from '@/lib/log'

// About a third of a second of work: far below the statement limit.
const STEP = 500
const BACKGROUND_MS = 45_000
const LEASE_SECONDS = 180

async function scoreWaiting(db: Db, organizationId: string, end: number): Promise<void> {
  while ((await scoreStep(db, organizationId, STEP)).more && performance.now() < end);
}

/**
 * Once the answer is sent, compares the guests that the request created or changed; the job does what is left. After an
 * import it first learns what agreement proves, if the group has changed much and nobody else is learning.
 */
export function compareSoon(organizationId: string, { learn = false } = {}): void {
  const end = performance.now() + BACKGROUND_MS
  runAfter('compare guests', async () => {
    if (learn) await learnWeights(serviceDb(), organizationId)
    await scoreWaiting(serviceDb(), organizationId, end)
  })
}

async function learnWeights(db: Db, organizationId: string): Promise<void> {
  const job = { job: 'identity-weights', organizationId, leaseSeconds: LEASE_SECONDS }
  await runJob(db, job, async () => {
    let steps = 0
    for (let step: number | null = 0; step !== null; steps++) step = await learnStep(db, organizationId, step)
    return { status: 'succeeded', result: { steps }, value: null }
  })
}

/**
 * Before duplicates are read: compares some of the guests that still wait, and the others after the answer. A failure
 * is logged; what was found before can still be read.
 */
export async function catchUp(organizationId: string): Promise<void> {
  try {
    if ((await scoreStep(serviceDb(), organizationId, STEP)).more) compareSoon(organizationId)
  } catch (err) {
    log().error({ err }, 'guests could not be compared')
  }
}
