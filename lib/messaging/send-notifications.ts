import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { JobContext, JobName } from '@/lib/jobs/job'
import { clockFrom, forOrganizations } from '@/lib/jobs/run-job'
import { batchSchema } from '@/lib/messaging/notification'
import { providersFor } from '@/lib/messaging/providers'
import { drain } from './drain'
import type { Providers } from './provider'

const LEASE_SECONDS = 90
const BATCH = 1000

type QueueFunction =
  | 'queue_event_notifications'
  | 'queue_event_reminders'
  | 'queue_ticket_notifications'
  | 'queue_ticket_reminders'

/**
 * Queues the due notices of every organization and sends them, batch by batch until the time budget ends, each under
 * the job's lease and with a row in `job_runs`. The next job sends the remaining ones. Without a provider for e-mail no
 * notice is queued, and all stay due.
 * @returns how many events or tickets were due, and counts of this run's e-mails: accepted by a provider, and failed or
 *   without an address.
 * @throws DatabaseError when a batch fails; earlier batches stay sent.
 */
export async function sendNotices(
  context: JobContext,
  job: JobName,
  queue: QueueFunction,
): Promise<{ due: number; sent: number; failed: number }> {
  const { values } = await forOrganizations(context, { job, leaseSeconds: LEASE_SECONDS }, async (id) => {
    const providers = await providersFor(context.db, id)
    const sending = { organizationId: id, providers, now: clockFrom(context.now) }
    const total = { queued: 0, sent: 0, failed: 0 }
    let marked = 0
    // Not marked as notified, so that they are sent once there is a provider.
    if (!providers.email)
      return {
        status: 'succeeded',
        result: { ...total, reason: 'no_provider' },
        value: { due: marked, ...total },
      }
    let due = BATCH
    while (due === BATCH && !context.signal.aborted) {
      const batch = await queueBatch(context, queue, id)
      const { sent, failed } = await deliverNotices(context, sending, batch.ids)
      due = batch.due
      marked += due
      total.queued += batch.queued
      total.sent += sent
      total.failed += batch.failed + failed
    }
    const complete = due < BATCH && total.failed === 0 && total.sent === total.queued
    return { status: complete ? 'succeeded' : 'partial', result: total, value: { due: marked, ...total } }
  })
  const sum = (field: 'due' | 'sent' | 'failed') => values.reduce((total, value) => total + value[field], 0)
  return { due: sum('due'), sent: sum('sent'), failed: sum('failed') }
}

/** Queues one batch of an organization's notices; returns the ids of the messages. */
async function queueBatch({ db, now }: JobContext, queue: QueueFunction, organizationId: string) {
  const parameters = {
    p_queue: queue,
    p_organization: organizationId,
    p_now: now.toISOString(),
    p_limit: BATCH,
  }
  return batchSchema.parse(unwrap(await db.rpc('queue_notices', parameters)))
}

const reportSchema = z.object({ sent: z.number(), failed: z.number() })

/**
 * Sends the organization's due notices, and counts the outcomes of the given messages. Notices beyond the time budget
 * stay queued for the next job.
 * @param now the job's running clock
 */
export async function deliverNotices(
  { db, signal }: Pick<JobContext, 'db' | 'signal'>,
  { organizationId, providers, now }: { organizationId: string; providers: Providers; now: () => Date },
  ids: string[],
): Promise<{ sent: number; failed: number }> {
  await drain({ db, organizationId, now, signal, providers, notices: true, channels: ['email'] })
  if (ids.length === 0) return { sent: 0, failed: 0 }
  return reportSchema.parse(unwrap(await db.rpc('notices_report', { p_ids: ids })))
}
