import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor } from '@/lib/http/cursor'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { type JobRun, jobRunSchema } from './schema'

const recordSchema = z.record(z.string(), z.unknown()).catch({})
// What is told by location in a run's result (see lib/pms/sync); the rest is not for someone bound to some.
const byLocationSchema = z.object({
  locations: z.array(z.looseObject({ id: z.string() })).catch([]),
  issues: z.array(z.looseObject({ location_id: z.string() })).catch([]),
  error: z.string().optional().catch(undefined),
})

/**
 * A keyset page of the organization's job runs, the latest first. Someone bound to locations gets only what
 * concerns those of each result.
 */
export async function listRuns(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
  page: { job?: string; cursor?: string; limit: number },
): Promise<{ data: JobRun[]; next_cursor: string | null }> {
  let query = session.db
    .from('job_runs')
    .select('id, job, status, started_at, finished_at, result')
    .eq('organization_id', session.organization.id)
  if (page.job !== undefined) query = query.eq('job', page.job)
  if (page.cursor !== undefined) {
    const after = decodeInstantCursor(page.cursor)
    query = query.lte('started_at', after.key).or(afterCursor('started_at', after, false))
  }
  const found = query.order('started_at', { ascending: false }).order('id', { ascending: false })
  const rows = unwrap(await found.limit(page.limit + 1)) ?? []
  const bound = await boundTo(session)
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return {
    data: rows
      .slice(0, page.limit)
      .map((row) => jobRunSchema.parse({ ...row, result: visible(row.result, bound) })),
    next_cursor: last ? encodeInstantCursor(last.started_at, last.id) : null,
  }
}

/** The locations the caller is bound to, or null when they work in all of them. */
async function boundTo({ db, user_id }: Pick<Session, 'db' | 'user_id'>): Promise<Set<string> | null> {
  const rows =
    unwrap(await db.from('profile_locations').select('location_id').eq('profile_id', user_id)) ?? []
  return rows.length > 0 ? new Set(rows.map(({ location_id }) => location_id)) : null
}

function visible(result: unknown, bound: Set<string> | null): Record<string, unknown> {
  const record = recordSchema.parse(result)
  if (!bound) return record
  const { locations, issues, error } = byLocationSchema.parse(record)
  return {
    locations: locations.filter(({ id }) => bound.has(id)),
    issues: issues.filter(({ location_id }) => bound.has(location_id)),
    ...(error === undefined ? {} : { error }),
  }
}
