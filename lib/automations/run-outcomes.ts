import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'

const outcomeSchema = z.object({
  run_id: z.string(),
  status: z.enum(['skipped', 'failed', 'unknown']),
  reason: z.string().nullable(),
  messages: z.int(),
})
/** How many messages of a run did not get through, by reason. */
export type RunOutcome = z.infer<typeof outcomeSchema>

/** Why messages of these runs were skipped, failed or have an unknown outcome, in one query; the most frequent first. */
export async function runOutcomes(
  { organization }: Pick<Session, 'organization'>,
  runs: readonly string[],
): Promise<Map<string, RunOutcome[]>> {
  const found = new Map<string, RunOutcome[]>(runs.map((id) => [id, []]))
  if (runs.length === 0) return found
  const parameters = { p_organization: organization.id, p_runs: [...runs] }
  const rows = z.array(outcomeSchema).parse(unwrap(await serviceDb().rpc('run_outcomes', parameters)))
  for (const row of rows) found.get(row.run_id)?.push(row)
  return found
}
