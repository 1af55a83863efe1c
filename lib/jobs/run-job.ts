import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'

/** How a run ended, what its row in `job_runs` keeps, and what the caller gets. */
export interface JobOutcome<T> {
  status: 'succeeded' | 'partial' | 'failed'
  result: NonNullable<Json>
  value: T
}

interface JobOptions {
  job: string
  organizationId: string
  /** The lease ends by itself after this long, should the process die. */
  leaseSeconds: number
}

/**
 * Runs a job under its lease and leaves a row in `job_runs`. When another instance holds the lease,
 * nothing is done and the answer is `skipped`. What `work` throws is recorded as failed and thrown on.
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
  // We hold the lease, so a run still marked as running is one whose process died.
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
