import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers-for'
import { isUuid } from '@/lib/uuid'

const enqueuedSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('enqueued'), run_id: z.string(), more: z.boolean() }),
  z.object({ outcome: z.literal('inactive') }),
  z.object({ outcome: z.literal('unknown') }),
])
type Enqueued = z.infer<typeof enqueuedSchema>

const reportSchema = z.object({
  processed: z.number(),
  sent: z.number(),
  skipped: z.number(),
  failed: z.number(),
  pending: z.number(),
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
/** A run's counts: processed = sent + skipped + failed + pending. */
export type RunReport = z.infer<typeof reportSchema>

export interface RunRequest {
  db: Db
  organizationId: string
  automationId: string
  triggeredBy: 'manual' | 'schedule'
  now: () => Date
  signal: AbortSignal
}

/**
 * Starts a run: its log row, its event and the first messages, in one transaction. `unknown` also for an id that
 * is none, and for another organization's.
 */
export async function startRun(request: Omit<RunRequest, 'signal'>): Promise<Enqueued> {
  if (!isUuid(request.automationId)) return { outcome: 'unknown' }
  return enqueue(request)
}

/** Brings a started run to its end, or to that of the time: plans the rest of a large audience, then sends. */
export async function finishRun(
  request: RunRequest,
  started: Extract<Enqueued, { outcome: 'enqueued' }>,
): Promise<RunReport> {
  const { db, signal } = request
  let part: Enqueued = started
  while (part.outcome === 'enqueued' && part.more && !signal.aborted)
    part = await enqueue(request, started.run_id)
  await sendRun(request, started.run_id)
  return reportSchema.parse(unwrap(await db.rpc('run_report', { p_run: started.run_id })))
}

/** Sends what is due of a run. */
export async function sendRun(
  { db, organizationId, now, signal }: Omit<RunRequest, 'automationId' | 'triggeredBy'>,
  runId: string,
): Promise<void> {
  const providers = await providersFor(db, organizationId)
  await drain({ db, organizationId, now, signal, providers, runId })
}

async function enqueue(
  { db, organizationId, automationId, triggeredBy, now }: Omit<RunRequest, 'signal'>,
  runId?: string,
): Promise<Enqueued> {
  const parameters = {
    p_organization: organizationId,
    p_automation: automationId,
    p_triggered_by: triggeredBy,
    p_now: now().toISOString(),
    p_run: runId,
  }
  return enqueuedSchema.parse(unwrap(await db.rpc('enqueue_run', parameters)))
}
