import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { JobContext, JobName } from './job'
import { createKnown, NIGHT_HOUR, organizationIds } from './known'

/** How a run ended: its status and result, stored in `job_runs`, and the value for the caller. */
export interface JobOutcome<T> {
  status: 'succeeded' | 'partial' | 'failed'
  result: NonNullable<Json>
  value: T
}

interface JobOptions {
  job: string
  organizationId: string
  /** The lease expires after this long, should the process die. */
  leaseSeconds: number
  /** For a nightly job: when the call began. It is skipped when it has succeeded since the night began. */
  night?: Date
}

/**
 * Runs a job under its lease and records it in `job_runs`. When another instance holds the lease, it does nothing and
 * returns `skipped`. An error of `work` is recorded as failed and rethrown.
 */
export async function runJob<T>(
  db: Db,
  { job, organizationId, leaseSeconds, night }: JobOptions,
  work: () => Promise<JobOutcome<T>>,
): Promise<{ skipped: true } | { skipped: false; value: T }> {
  const p_holder = randomUUID()
  const began = await db.rpc('begin_job', {
    ...{ p_organization: organizationId, p_job: job, p_holder, p_seconds: leaseSeconds },
    ...(night ? { p_hour: NIGHT_HOUR, p_now: night.toISOString() } : {}),
  })
  const run = unwrap(began)
  if (!run) return { skipped: true }
  const end = async (p_status: JobOutcome<T>['status'], p_result: NonNullable<Json>) =>
    unwrap(await db.rpc('end_job', { p_run: run, p_holder, p_status, p_result }))
  try {
    const { status, result, value } = await work()
    await end(status, result)
    return { skipped: false, value }
  } catch (error) {
    await end('failed', { error: 'The run stopped unexpectedly' }).catch(() =>
      db.rpc('release_lease', { p_name: `${job}:${organizationId}`, p_holder }),
    )
    throw error
  }
}

/**
 * Runs a job for every organization (usually one), each under its own lease and with a row in `job_runs`. `skipped`
 * when other instances held all the leases; a system without organizations is not.
 * @throws errors of `work`, after they are recorded.
 */
export async function forOrganizations<T>(
  context: JobContext,
  { job, leaseSeconds }: { job: JobName; leaseSeconds: number },
  work: (organizationId: string) => Promise<JobOutcome<T>>,
): Promise<{ skipped: boolean; values: T[] }> {
  const values: T[] = []
  let held = 0
  for (const id of await organizationIds(context)) {
    if (context.signal.aborted) break
    const run = await runJob(context.db, { job, organizationId: id, leaseSeconds }, () => work(id))
    if (run.skipped) held += 1
    else values.push(run.value)
  }
  return { skipped: held > 0 && values.length === 0, values }
}

interface NightlyJob {
  job: string
  leaseSeconds: number
}

/**
 * Runs a job for every organization once a night: on the first call after 03:00 by its own clock.
 * Later calls that night do nothing, unless the run failed, died or was partial.
 * @throws errors of `work`, after they are recorded.
 */
export async function onceANight(
  context: JobContext,
  { job, leaseSeconds }: NightlyJob,
  work: (organizationId: string) => Promise<JobOutcome<null>>,
): Promise<void> {
  const { db, now, signal, known = createKnown(db, now) } = context
  const finished = await known.nights()
  for (const id of await organizationIds({ db, known })) {
    if (signal.aborted || finished.has(`${id} ${job}`)) continue
    await runJob(db, { job, organizationId: id, leaseSeconds, night: now }, () => work(id))
  }
}

/** A clock that starts at the job's `now` and advances with real time. */
export function clockFrom(now: Date): () => Date {
  const startedAt = performance.now()
  return () => new Date(now.getTime() + performance.now() - startedAt)
}
