import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { learnStep, scoreStep } from '@/lib/customers/score-customers'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { runAfter } from '@/lib/http/after'
import { runJob } from '@/lib/jobs/run-job'
import { log } from '@/lib/log'

// About half a second of work: far below the statement limit.
const STEP = 500
// A reader waits for this step.
const READ_STEP = 50
const BACKGROUND_MS = 45_000
const BREATH_MS = 100
const LEASE_SECONDS = 180

// The groups that this process is comparing. More loops at once would only take the database from its readers.
const comparing = new Map<string, { again: boolean }>()

async function scoreWaiting(db: Db, organizationId: string, end: number): Promise<void> {
  const running = comparing.get(organizationId)
  if (running) {
    running.again = true
    return
  }
  const mine = { again: false }
  comparing.set(organizationId, mine)
  try {
    for (let more = true; more && performance.now() < end; ) {
      mine.again = false
      const step = await scoreStep(db, organizationId, STEP)
      more = step.more || mine.again
      // Another process has what is left.
      if (more && step.scored === 0) await pause(BREATH_MS)
    }
  } finally {
    comparing.delete(organizationId)
  }
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
    if ((await scoreStep(serviceDb(), organizationId, READ_STEP)).more) compareSoon(organizationId)
  } catch (err) {
    log().error({ err }, 'guests could not be compared')
  }
}
