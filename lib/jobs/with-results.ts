import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

/** A value that is no record has no result. */
const resultSchema = z.record(z.string(), z.unknown()).catch({})

/** The job runs with what came of each: someone bound to locations gets the results of those, and the error. */
export async function withResults<Run extends { id: string }>(
  { db }: Pick<Session, 'db'>,
  runs: readonly Run[],
): Promise<(Run & { result: Record<string, unknown> })[]> {
  if (runs.length === 0) return []
  const found = unwrap(await db.rpc('job_results', { p_runs: runs.map(({ id }) => id) })) ?? []
  const results = new Map(found.map(({ id, result }) => [id, result]))
  return runs.map((run) => ({ ...run, result: resultSchema.parse(results.get(run.id)) }))
}
