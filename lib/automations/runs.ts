import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { afterCursor, pageOf } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor, instant } from '@/lib/http/instant'
import { CHANNELS, factsSchema, templateSchema } from '@/lib/messaging/schema'
import { renderSample } from './preview'
import { getAutomation } from './reads'
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
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.started_at, last.id))
  return { ...page, data: page.data.map(withPending) }
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
  if (!found) throw new HttpError('NOT_FOUND')
  return withPending(rowSchema.parse(found))
}

function withPending(run: z.infer<typeof rowSchema>): AutomationRun {
  return { ...run, pending: run.processed - run.sent - run.skipped - run.failed }
}

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

const askedSchema = z.object({
  channels: z.partialRecord(z.enum(CHANNELS), z.int()),
  template: templateSchema.nullable(),
  channel: z.enum(CHANNELS).nullable(),
  facts: factsSchema.nullable(),
})

/** What a run that waits would send. `sample` is null when it cannot be rendered. */
export interface RunToApprove {
  channels: z.infer<typeof askedSchema>['channels']
  sample: { subject: string | null; body: string } | null
}

/** What a person has to know to approve a run; for one that this person may see. */
export async function runToApprove(
  { organization }: Pick<Session, 'organization'>,
  runId: string,
): Promise<RunToApprove> {
  const parameters = { p_organization: organization.id, p_run: runId }
  const asked = askedSchema.parse(unwrap(await serviceDb().rpc('run_to_approve', parameters)))
  const { channels, template, channel, facts } = asked
  if (!template || !channel || !facts) return { channels, sample: null }
  try {
    // Only marketing waits for approval.
    const content = await renderSample({ template, channel, facts, isMarketing: true })
    const body = content.body ?? content.content_sid ?? ''
    return { channels, sample: { subject: content.subject ?? null, body } }
  } catch (error) {
    if (error instanceof HttpError) return { channels, sample: null }
    throw error
  }
}
