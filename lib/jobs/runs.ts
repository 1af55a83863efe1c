import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor } from '@/lib/http/cursor'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { type JobRun, jobRunSchema } from './job'

/**
 * A keyset page of the organization's job runs, the latest first. A caller limited to locations sees only their part of
 * each result.
 */
export async function listRuns(
  session: Pick<Session, 'db' | 'organization'>,
  page: { job?: string; cursor?: string; limit: number },
): Promise<{ data: JobRun[]; next_cursor: string | null }> {
  let query = session.db
    .from('job_runs')
    .select('id, job, status, started_at, finished_at')
    .eq('organization_id', session.organization.id)
  // In quotes, because the embedded stack does not read a bare `true` as text.
  if (page.job !== undefined) query = query.filter('job', 'in', `("${page.job}")`)
  if (page.cursor !== undefined) {
    const after = decodeInstantCursor(page.cursor)
    query = query.lte('started_at', after.key).or(afterCursor('started_at', after, false))
  }
  const found = query.order('started_at', { ascending: false }).order('id', { ascending: false })
  const rows = unwrap(await found.limit(page.limit + 1)) ?? []
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return {
    data: z.array(jobRunSchema).parse(await withResults(session, rows.slice(0, page.limit))),
    next_cursor: last ? encodeInstantCursor(last.started_at, last.id) : null,
  }
}

// Anything but a record counts as an empty result.
const resultSchema = z.record(z.string(), z.unknown()).catch({})

/** Adds each run's result; a caller limited to locations gets the results of those, and the error. */
async function withResults<Run extends { id: string }>(
  { db }: Pick<Session, 'db'>,
  runs: readonly Run[],
): Promise<(Run & { result: Record<string, unknown> })[]> {
  if (runs.length === 0) return []
  const found = unwrap(await db.rpc('job_results', { p_runs: runs.map(({ id }) => id) })) ?? []
  const results = new Map(found.map(({ id, result }) => [id, result]))
  return runs.map((run) => ({ ...run, result: resultSchema.parse(results.get(run.id)) }))
}
