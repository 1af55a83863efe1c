import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { JobContext } from '@/lib/jobs/job'
import { runJob } from '@/lib/jobs/run-job'
import { raiseTiers } from './recalculate'

const AT_HOUR = 3
const LEASE_SECONDS = 300

/**
 * Evaluates everyone's tier once a night: by the first call after 03:00 in the organization's time zone (that of
 * its first location). Later calls that night do nothing; one that failed or was cut short is done again.
 */
export async function evaluateNightly({ db, now, signal }: JobContext): Promise<void> {
  for (const { id } of unwrap(await db.from('organizations').select('id').order('id')) ?? []) {
    if (signal.aborted || (await doneSince(db, id, await lastNight(db, id, now)))) continue
    await runJob(db, { job: 'loyalty', organizationId: id, leaseSeconds: LEASE_SECONDS }, async () => {
      const { complete, ...result } = await raiseTiers(db, id, signal)
      return { status: complete ? 'succeeded' : 'partial', result, value: null }
    })
  }
}

/** The latest 03:00 of the organization's clock. */
async function lastNight(db: Db, organizationId: string, now: Date): Promise<string> {
  const parameters = { p_organization: organizationId, p_hour: AT_HOUR, p_now: now.toISOString() }
  return unwrap(await db.rpc('last_local_hour', parameters)) as string
}

async function doneSince(db: Db, organizationId: string, since: string): Promise<boolean> {
  const found = await db
    .from('job_runs')
    .select('id')
    .match({ organization_id: organizationId, job: 'loyalty', status: 'succeeded' })
    .gte('started_at', since)
    .limit(1)
  return (unwrap(found) ?? []).length > 0
}
