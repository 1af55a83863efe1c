import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { drain } from '@/lib/messaging/drain'
import type { Providers } from '@/lib/messaging/provider'
import { closedChannels, providersFor } from '@/lib/messaging/providers-for'
import { sumOf } from '@/lib/messaging/tally'
import { isUuid } from '@/lib/uuid'
import { RUN_STATUSES } from './schema'

const enqueuedSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('enqueued'), run_id: z.string(), more: z.boolean() }),
  z.object({ outcome: z.literal('inactive') }),
  z.object({ outcome: z.literal('stopped') }),
  z.object({ outcome: z.literal('unknown') }),
])
type Enqueued = z.infer<typeof enqueuedSchema>

const reportSchema = z.object({
  processed: z.number(),
  sent: z.number(),
  skipped: z.number(),
  failed: z.number(),
  pending: z.number(),
  status: z.enum(RUN_STATUSES),
  paused_by: z.string().nullable(),
  problems: z.array(
    z.object({
      status: z.enum(['failed', 'unknown']),
      channel: z.string(),
      reason: z.string().nullable(),
      messages: z.number(),
    }),
  ),
})
/** What running an automation did: processed = sent + skipped + failed + pending. */
export type RunReport = z.infer<typeof reportSchema>

export interface RunRequest {
  db: Db
  organizationId: string
  automationId: string
  triggeredBy: 'manual' | 'schedule'
  /** Who runs it by hand: they cannot approve it. */
  personId?: string
  now: () => Date
  signal: AbortSignal
}

/**
 * Starts a run: its log row, its event and the first messages, in one transaction. `unknown` also for an id that
 * is none, and for another organization's; `stopped` while all sending is.
 */
export async function startRun(request: Omit<RunRequest, 'signal'>): Promise<Enqueued> {
  if (!isUuid(request.automationId)) return { outcome: 'unknown' }
  return enqueue(request, await providersFor(request.db, request.organizationId))
}

/**
 * Brings a started run to its end, or to that of the time: plans the rest of a large audience, then sends, also what
 * was held back earlier of the same automation.
 * @returns what this call did: the run's counts, and how messages of earlier runs ended
 */
export async function finishRun(
  request: RunRequest,
  started: Extract<Enqueued, { outcome: 'enqueued' }>,
): Promise<RunReport> {
  const { db, organizationId, signal } = request
  const providers = await providersFor(db, organizationId)
  let part: Enqueued = started
  while (part.outcome === 'enqueued' && part.more && !signal.aborted)
    part = await enqueue(request, providers, started.run_id)
  const { automationId, now } = request
  const tally = await drain({ db, organizationId, now, signal, providers, automationId })
  const report = reportSchema.parse(unwrap(await db.rpc('run_report', { p_run: started.run_id })))
  const earlier = sumOf(tally.filter(({ run_id }) => run_id !== started.run_id))
  return {
    ...report,
    ...sumOf([report, earlier]),
    processed: report.processed + earlier.sent + earlier.skipped + earlier.failed,
  }
}

/** Sends what is due of a run. */
export async function sendRun(
  { db, organizationId, now, signal }: Omit<RunRequest, 'automationId' | 'triggeredBy' | 'personId'>,
  runId: string,
): Promise<void> {
  const providers = await providersFor(db, organizationId)
  await drain({ db, organizationId, now, signal, providers, runId })
}

async function enqueue(
  { db, organizationId, automationId, triggeredBy, personId, now }: Omit<RunRequest, 'signal'>,
  providers: Providers,
  runId?: string,
): Promise<Enqueued> {
  const parameters = {
    p_organization: organizationId,
    p_automation: automationId,
    p_triggered_by: triggeredBy,
    p_now: now().toISOString(),
    p_run: runId,
    p_closed: closedChannels(providers),
    p_person: personId,
  }
  return enqueuedSchema.parse(unwrap(await db.rpc('enqueue_run', parameters)))
}
