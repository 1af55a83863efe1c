import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { getAutomation } from './get-automation'
import { type AutomationRun, runSchema } from './schema'

const COLUMNS =
  'id, automation_id, automation_name, triggered_by, status, reason, processed, sent, skipped, failed, simulated, ' +
  'started_at, finished_at'
const rowSchema = runSchema.omit({ pending: true })
const rowsSchema = z.array(rowSchema)

/**
 * A keyset page of an automation's log, the latest run first.
 * @throws HttpError 404 when there is no such automation that the caller may see.
 */
export async function listRuns(
  session: Pick<Session, 'db'>,
  automationId: string,
  { cursor, limit = 50 }: { cursor?: string; limit?: number } = {},
): Promise<{ data: AutomationRun[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const { id } = await getAutomation(session, automationId)
  let query = session.db.from('automation_runs').select(COLUMNS).eq('automation_id', id)
  if (after) query = query.lte('started_at', after.key).or(afterCursor('started_at', after, false))
  const found = await query
    .order('started_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1)
  const rows = rowsSchema.parse(unwrap(found))
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const next_cursor = last ? encodeInstantCursor(last.started_at, last.id) : null
  return { data: rows.slice(0, limit).map(withPending), next_cursor }
}

/**
 * A run by id.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function getRun({ db }: Pick<Session, 'db'>, id: string): Promise<AutomationRun> {
  const found = unwrap(await db.from('automation_runs').select(COLUMNS).eq('id', id).maybeSingle())
  if (!found) throw new HttpError(404, { error: 'Not found' })
  return withPending(rowSchema.parse(found))
}

function withPending(run: z.infer<typeof rowSchema>): AutomationRun {
  return { ...run, pending: run.processed - run.sent - run.skipped - run.failed }
}
