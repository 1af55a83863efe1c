import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor, instant } from '@/lib/http/instant'
import { getAutomation } from './get-automation'
import { type AutomationRun, runSchema } from './schema'

const COLUMNS =
  'id, automation_id, automation_name, triggered_by, status, reason, processed, sent, skipped, failed, simulated, ' +
  'started_by, started_by_name, guests, expires_at, decided_by, decided_at, stopped_by, stopped_at, ' +
  'started_at, finished_at'
const rowSchema = runSchema.omit({ pending: true })
const rowsSchema = z.array(rowSchema)
const emptyRowsSchema = z.array(z.object({ started_at: instant }))
/** A day of them, one every 15 minutes. */
const LATEST_EMPTY = 96

/**
 * A keyset page of an automation's log, the latest run first; `folded` leaves out what emptyRuns counts.
 * @throws HttpError 404 when there is no such automation that the caller may see.
 */
export async function listRuns(
  session: Pick<Session, 'db'>,
  automationId: string,
  { cursor, limit = 50, folded = false }: { cursor?: string; limit?: number; folded?: boolean } = {},
): Promise<{ data: AutomationRun[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const { id } = await getAutomation(session, automationId)
  let query = session.db.from('automation_runs').select(COLUMNS).eq('automation_id', id)
  if (folded) query = query.eq('is_empty', false)
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
 * The scheduled runs of an automation that found no recipients and are not dropped yet: how many, and when the
 * latest of them were.
 */
export async function emptyRuns(
  { db }: Pick<Session, 'db'>,
  automationId: string,
): Promise<{ count: number; latest: string[] }> {
  const found = await db
    .from('automation_runs')
    .select('started_at', { count: 'exact' })
    .eq('automation_id', automationId)
    .eq('is_empty', true)
    .order('started_at', { ascending: false })
    .limit(LATEST_EMPTY)
  const rows = emptyRowsSchema.parse(unwrap(found))
  return { count: found.count ?? rows.length, latest: rows.map(({ started_at }) => started_at) }
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
