import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { JobContext } from './job'
import { type JobOutcome, runJob } from './run-job'

const AT_HOUR = 3

interface NightlyJob {
  job: string
  leaseSeconds: number
}

/**
 * Runs a job for every organization once a night: on the first call after 03:00 in the organization's time zone
 * (that of its first location). Later calls that night do nothing; a run that failed, died or was partial is
 * done again.
 * @throws what `work` throws, once it is recorded.
 */
export async function onceANight(
  { db, now, signal }: JobContext,
  { job, leaseSeconds }: NightlyJob,
  work: (organizationId: string) => Promise<JobOutcome<null>>,
): Promise<void> {
  for (const { id } of unwrap(await db.from('organizations').select('id').order('id')) ?? []) {
    if (signal.aborted || (await doneSince(db, job, id, await lastNight(db, id, now)))) continue
    await runJob(db, { job, organizationId: id, leaseSeconds }, () => work(id))
  }
}

/** The latest 03:00 of the organization's clock. */
async function lastNight(db: Db, organizationId: string, now: Date): Promise<string> {
  const parameters = { p_organization: organizationId, p_hour: AT_HOUR, p_now: now.toISOString() }
  return unwrap(await db.rpc('last_local_hour', parameters)) as string
}

async function doneSince(db: Db, job: string, organizationId: string, since: string): Promise<boolean> {
  const found = await db
    .from('job_runs')
    .select('id')
    .match({ organization_id: organizationId, job, status: 'succeeded' })
    .gte('started_at', since)
    .limit(1)
  return (unwrap(found) ?? []).length > 0
}
