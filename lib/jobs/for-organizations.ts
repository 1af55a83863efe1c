import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { JobContext, JobName } from './job'
import { type JobOutcome, runJob } from './run-job'

/**
 * Runs a job's work for every organization (one in a usual deployment), each under its lease and with a row
 * in `job_runs`. `skipped` when other instances were at all of them.
 * @throws what `work` throws, once it is recorded.
 */
export async function forOrganizations<T>(
  { db, signal }: Pick<JobContext, 'db' | 'signal'>,
  { job, leaseSeconds }: { job: JobName; leaseSeconds: number },
  work: (organizationId: string) => Promise<JobOutcome<T>>,
): Promise<{ skipped: boolean; values: T[] }> {
  const values: T[] = []
  let skipped = true
  for (const { id } of unwrap(await db.from('organizations').select('id').order('id')) ?? []) {
    if (signal.aborted) break
    const run = await runJob(db, { job, organizationId: id, leaseSeconds }, () => work(id))
    if (run.skipped) continue
    skipped = false
    values.push(run.value)
  }
  return { skipped, values }
}
