import 'server-only'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'

/** The job runs with what came of each: someone bound to locations gets what is told of those, and the error. */
export async function withResults<Run extends { id: string }>(
  { db }: Pick<Session, 'db'>,
  runs: readonly Run[],
): Promise<(Run & { result: Json })[]> {
  if (runs.length === 0) return []
  const found = unwrap(await db.rpc('job_results', { p_runs: runs.map(({ id }) => id) })) ?? []
  const results = new Map(found.map(({ id, result }) => [id, result]))
  return runs.map((run) => ({ ...run, result: results.get(run.id) ?? {} }))
}
