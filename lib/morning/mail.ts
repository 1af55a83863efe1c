import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import type { JobContext } from '@/lib/jobs/job'
import { organizationIds } from '@/lib/jobs/known'
import { clockFrom, runJob } from '@/lib/jobs/run-job'
import { batchSchema } from '@/lib/messaging/notification'
import { providersFor } from '@/lib/messaging/providers'
import { deliverNotices } from '@/lib/messaging/send-notifications'
import { type MorningMail, morningMailSchema } from './schema'

const LEASE_SECONDS = 90
// Each report takes the database a few hundred milliseconds at most.
const BATCH = 20

/**
 * Sends the morning report by e-mail to each person after their chosen hour, once a day. Without a provider for e-mail
 * nothing is stored, and the report is sent if a provider is connected before the morning is over.
 */
export async function sendMorningMails(context: JobContext): Promise<void> {
  const { db, now, signal } = context
  const p_now = now.toISOString()
  for (const id of await organizationIds(context)) {
    const due = signal.aborted ? 0 : unwrap(await db.rpc('morning_mails_due', { p_organization: id, p_now }))
    if (!due) continue
    const providers = await providersFor(db, id)
    if (!providers.email) continue
    const sending = { organizationId: id, providers, now: clockFrom(now) }
    const job = { job: 'morning-mails', organizationId: id, leaseSeconds: LEASE_SECONDS }
    await runJob(db, job, async () => {
      const total = { queued: 0, sent: 0, failed: 0 }
      let left = BATCH
      while (left === BATCH && !signal.aborted) {
        const parameters = { p_organization: id, p_now, p_limit: BATCH }
        const batch = batchSchema.parse(unwrap(await db.rpc('queue_morning_mails', parameters)))
        const { sent, failed } = await deliverNotices(context, sending, batch.ids)
        left = batch.due
        total.queued += batch.queued
        total.sent += sent
        total.failed += failed
      }
      const complete = left < BATCH && total.failed === 0 && total.sent === total.queued
      return { status: complete ? 'succeeded' : 'partial', result: total, value: null }
    })
  }
}

/** The hour at which the caller gets the report by e-mail. @throws HttpError 403 without the right to read it. */
export async function myMorningMail({ db }: Pick<Session, 'db'>): Promise<MorningMail> {
  const found = unwrap(await db.rpc('my_morning_mail'))
  if (found === null) throw new HttpError('FORBIDDEN')
  return morningMailSchema.parse(found)
}

/** Sets the hour of the caller's e-mail; null: never. @throws HttpError 403 without the right to read the report. */
export async function setMorningMail({ db }: Pick<Session, 'db'>, hour: number | null): Promise<MorningMail> {
  const found = unwrap(await db.rpc('set_morning_mail', { p_hour: hour as number }))
  if (found === null) throw new HttpError('FORBIDDEN')
  return morningMailSchema.parse(found)
}
