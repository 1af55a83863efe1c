import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { JobContext } from '@/lib/jobs/job'
import { onceANight } from '@/lib/jobs/run-job'
import { fitParameters } from './fit'

const LEASE_SECONDS = 180
// A step takes about a second on one core: far below the statement timeout.
const STEP_GUESTS = 10_000
// Messages wait for this; later runs continue.
const BUDGET_MS = 60_000

const historiesSchema = z.object({
  guests: z.int(),
  parameters: z.object({ r: z.number(), alpha: z.number(), a: z.number(), b: z.number() }),
  histories: z.array(z.tuple([z.int(), z.int(), z.int(), z.int()])).nullable(),
})

/**
 * Once a night, for each organization: measures the fifths of its guests for RFM; fits the parameters of the model
 * again if the number of guests changed by a fifth or a week has passed; and recomputes the guests by new parameters,
 * `stepGuests` at a time, as long as the budget (milliseconds) lasts.
 */
export function fitRhythms(
  context: JobContext,
  { stepGuests = STEP_GUESTS, budgetMs = BUDGET_MS } = {},
): Promise<void> {
  const { db, now, signal } = context
  const end = performance.now() + budgetMs
  return onceANight(context, { job: 'rhythm', leaseSeconds: LEASE_SECONDS }, async (organization) => {
    const of = { p_organization: organization, p_now: now.toISOString() }
    const { guests, parameters, histories } = historiesSchema.parse(
      unwrap(await db.rpc('rhythm_histories', of)),
    )
    const fitted = histories && fitParameters(histories.map(historyOf), { start: parameters })
    unwrap(await db.rpc('save_rhythm_model', { ...of, p_parameters: { ...fitted }, p_guests: guests }))
    const result = { guests, fitted: fitted ? 1 : 0 }
    const step = { p_organization: organization, p_limit: stepGuests }
    while (unwrap(await db.rpc('apply_rhythm_model', step)))
      if (signal.aborted || performance.now() >= end) return { status: 'partial', result, value: null }
    return { status: 'succeeded', result, value: null }
  })
}

const historyOf = ([repeats, recency, age, guests]: [number, number, number, number]) => ({
  ...{ repeats, recency, age, guests },
})
