import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { JobContext, JobName } from './job'

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
}

/**
 * Runs a job under its lease and records it in `job_runs`. When another instance holds the lease, it does nothing and
 * returns `skipped`. An error of `work` is recorded as failed and rethrown.
 */
export async function runJob<T>(
  db: Db,
  { job, organizationId, leaseSeconds }: JobOptions,
  work: () => Promise<JobOutcome<T>>,
): Promise<{ skipped: true } | { skipped: false; value: T }> {
  const lease = { p_name: `${job}:${organizationId}`, p_holder: randomUUID() }
  if (!unwrap(await db.rpc('acquire_lease', { ...lease, p_seconds: leaseSeconds }))) return { skipped: true }
  try {
    const run = await startRun(db, job, organizationId)
    try {
      const { status, result, value } = await work()
      await finishRun(db, run, status, result)
      return { skipped: false, value }
    } catch (error) {
      await finishRun(db, run, 'failed', { error: 'The run stopped unexpectedly' })
      throw error
    }
  } finally {
    await db.rpc('release_lease', lease)
  }
}

async function startRun(db: Db, job: string, organizationId: string): Promise<string> {
  // We hold the lease, so the process of a run still marked as running has died.
  const interrupted = {
    status: 'failed',
    finished_at: new Date().toISOString(),
    result: { error: 'Interrupted' },
  }
  const mine = { job, organization_id: organizationId }
  unwrap(
    await db
      .from('job_runs')
      .update(interrupted)
      .match({ ...mine, status: 'running' }),
  )
  const run = unwrap(await db.from('job_runs').insert(mine).select('id').single())
  return run?.id ?? ''
}

async function finishRun(
  db: Db,
  id: string,
  status: JobOutcome<unknown>['status'],
  result: NonNullable<Json>,
): Promise<void> {
  const finished = { status, result, finished_at: new Date().toISOString() }
  unwrap(await db.from('job_runs').update(finished).eq('id', id))
}

/**
 * Runs a job for every organization (usually one), each under its own lease and with a row in `job_runs`. `skipped`
 * when other instances held all the leases.
 * @throws errors of `work`, after they are recorded.
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

const NIGHT_HOUR = 3

interface NightlyJob {
  job: string
  leaseSeconds: number
}

/**
 * Runs a job for every organization once a night: on the first call after 03:00 in the time zone of its first
 * location. Later calls that night do nothing, unless the run failed, died or was partial.
 * @throws errors of `work`, after they are recorded.
 */
export async function onceANight(
  { db, now, signal }: JobContext,
  { job, leaseSeconds }: NightlyJob,
  work: (organizationId: string) => Promise<JobOutcome<null>>,
): Promise<void> {
  for (const { id } of unwrap(await db.from('organizations').select('id').order('id')) ?? []) {
    if (signal.aborted || (await succeededSince(db, job, id, await lastNight(db, id, now)))) continue
    await runJob(db, { job, organizationId: id, leaseSeconds }, () => work(id))
  }
}

/** The latest 03:00 of the organization's clock. */
async function lastNight(db: Db, organizationId: string, now: Date): Promise<string> {
  const parameters = { p_organization: organizationId, p_hour: NIGHT_HOUR, p_now: now.toISOString() }
  return unwrap(await db.rpc('last_local_hour', parameters)) as string
}

async function succeededSince(db: Db, job: string, organizationId: string, since: string): Promise<boolean> {
  const found = await db
    .from('job_runs')
    .select('id')
    .match({ organization_id: organizationId, job, status: 'succeeded' })
    .gte('started_at', since)
    .limit(1)
  return (unwrap(found) ?? []).length > 0
}

/** A clock that starts at the job's `now` and advances with real time. */
export function clockFrom(now: Date): () => Date {
  const startedAt = performance.now()
  return () => new Date(now.getTime() + performance.now() - startedAt)
}
