import 'server-only'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { prefersAsync, runAfter } from '@/lib/http/after'
import { HttpError } from '@/lib/http/errors'
import { mayRun } from './control-runs'
import { finishRun, type RunReport, startRun } from './run'

// The contract's 300 seconds, less what the last batch and the answer take.
const BUDGET_MS = 260_000

/**
 * Runs an automation that reaches only the person's locations now, or (`Prefer: respond-async`) after the answer. Logged.
 * @throws HttpError 400 without an id; 403 where the organization limits marketing to roles; 500, or 404 in the
 * asynchronous variant, for an unknown one.
 */
export async function runManually(
  { db, organization, user_id }: Pick<Session, 'db' | 'organization' | 'user_id'>,
  id: string,
  request: Request,
): Promise<Response | object> {
  const automationId = decoded(id).trim()
  if (automationId === '')
    throw new HttpError('INVALID_INPUT', {
      error: 'Automation ID is required',
      fields: { timestamp: timestamp() },
    })
  const run = {
    db: serviceDb(),
    organizationId: organization.id,
    automationId,
    triggeredBy: 'manual' as const,
    personId: user_id,
    now: () => new Date(),
    signal: AbortSignal.timeout(BUDGET_MS),
  }
  const known = await mayRun(db, automationId)
  const started = known ? await startRun(run) : { outcome: 'unknown' as const }
  if (prefersAsync(request)) {
    if (started.outcome === 'unknown') throw new HttpError('AUTOMATION_NOT_FOUND')
    if (started.outcome === 'enqueued') runAfter('automation run', () => finishRun(run, started))
    const headers = { 'Preference-Applied': 'respond-async' }
    return Response.json({ success: true, automation_id: automationId }, { headers })
  }
  if (started.outcome === 'unknown') throw notFound()
  if (started.outcome === 'inactive') return inactiveAnswer()
  if (started.outcome === 'stopped') return nothingSent('All sending is stopped')
  if (started.outcome === 'broken_segment')
    return nothingSent('The conditions of its segment cannot be read any more: save them again')
  return finishedAnswer(await finishRun(run, started))
}

const timestamp = () => new Date().toISOString()

function notFound(): HttpError {
  const fields = { success: false, timestamp: timestamp() }
  return new HttpError('AUTOMATION_NOT_FOUND', { status: 500, fields })
}

function inactiveAnswer() {
  const counts = { processed: 0, sent: 0, skipped: 0, failed: 0 }
  return { success: true, message: 'Automation is not active', ...counts, timestamp: timestamp() }
}

function nothingSent(why: string) {
  const counts = { processed: 0, sent: 0, skipped: 0, failed: 0, pending: 0 }
  return { success: true, ...counts, errors: [why], timestamp: timestamp() }
}

function finishedAnswer({ problems, paused_by, status, ...counts }: RunReport) {
  const failures = problems.map(
    ({ status, channel, reason, messages }) =>
      `${messages} by ${channel} ${status === 'failed' ? 'failed' : 'with unknown outcome'}: ${reason ?? 'no reason given'}`,
  )
  const errors = [...(paused_by ? [`paused: ${paused_by}`] : []), ...failures].slice(0, 50)
  const waiting = status === 'waiting_approval' ? { status } : {}
  return { success: true, ...counts, ...waiting, errors, timestamp: timestamp() }
}

/** The path's segment as typed; Next has decoded it already, and what cannot be decoded stays. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
