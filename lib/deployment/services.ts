import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { patientFetch } from '@/lib/db/patient-fetch'
import { hasReplica, replicaHealth } from '@/lib/db/replica'
import { serviceDb } from '@/lib/db/service'
import { BUCKET } from '@/lib/email-design/images'
import { env } from '@/lib/env'
import { JOB_NAMES } from '@/lib/jobs/job'
import { ANSWER_MS, limit } from './limit'
import { type Line, right, unknown, wrong } from './lines'

/** Two calls of the usual schedule, every fifteen minutes. */
const SILENT_MINUTES = 30
const MINUTE_MS = 60_000
const ask = patientFetch(ANSWER_MS)

/** When the scheduler was heard last: by the jobs that only it starts. */
export async function cronLine(hasGroup: boolean | null, now: Date): Promise<Line> {
  if (hasGroup === null) return unknown('cron', 'no_answer', { detail: 'Supabase' })
  if (!hasGroup) return unknown('cron', 'no_group')
  // People start a sync by hand.
  const jobs = JOB_NAMES.filter((job) => job !== 'sync')
  const found = await serviceDb()
    .from('job_runs')
    .select('started_at')
    .in('job', jobs)
    .order('started_at', { ascending: false })
    .limit(1)
    .abortSignal(limit())
  const [last] = unwrap(found) ?? []
  if (!last) return wrong('cron', 'cron_never')
  const count = Math.max(0, Math.round((now.getTime() - Date.parse(last.started_at)) / MINUTE_MS))
  return count > SILENT_MINUTES
    ? wrong('cron', 'cron_silent', { count })
    : right('cron', 'cron_heard', { count })
}

/** Where images of e-mails are stored: the bucket is there, and mail programs may read it. */
export async function storageLine(): Promise<Line> {
  const { SUPABASE_URL, SUPABASE_SECRET_KEY: key } = env()
  const detail = BUCKET
  try {
    const answer = await ask(`${SUPABASE_URL.replace(/\/+$/, '')}/storage/v1/bucket/${BUCKET}`, {
      headers: { apikey: key, authorization: `Bearer ${key}` },
      cache: 'no-store',
    })
    const body: unknown = await answer.json()
    const { public: isPublic, statusCode } = (body ?? {}) as { public?: unknown; statusCode?: unknown }
    if (answer.ok)
      return isPublic === true
        ? right('storage', 'storage_there', { detail })
        : wrong('storage', 'storage_private', { detail })
    // Storage reports a missing bucket as a 400 with its own status in the body.
    if (answer.status === 404 || String(statusCode) === '404')
      return wrong('storage', 'storage_missing', { detail })
  } catch {
    // Below.
  }
  return unknown('storage', 'no_answer', { detail: 'Supabase Storage' })
}

/** The read replica, where the deployment has one. */
export async function replicaLines(): Promise<Line[]> {
  if (!hasReplica()) return []
  const health = await replicaHealth()
  const detail = 'SUPABASE_READ_URL'
  return [
    health?.state === 'used'
      ? right('replica', 'replica_used', { detail })
      : wrong('replica', 'replica_unused', { detail }),
  ]
}
