import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { JobContext } from '@/lib/jobs/job'
import { drain } from '../drain'
import type { Providers } from '../provider'

const reportSchema = z.object({ sent: z.number(), failed: z.number() })

/**
 * Sends the organization's notices that are due, and tells what became of these. What the time does not suffice for
 * stays queued for the next job.
 * @param now the job's clock, going on
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
