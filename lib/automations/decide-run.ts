import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { runAfter } from '@/lib/http/after'
import { HttpError } from '@/lib/http/errors'
import { refuse } from '@/lib/http/refusals'
import { cancelHeld } from '@/lib/messaging/queue'
import { getAutomation } from './get-automation'
import { getRun } from './list-runs'
import { sendRun } from './run'
import type { AutomationRun } from './schema'

// The platform ends the function at 300 s, counted from the request's arrival.
const BUDGET_MS = 260_000

type Decider = Pick<Session, 'db' | 'organization'>

/** A run of an automation, by their ids. */
interface Place {
  automationId: string
  runId: string
}

const NOT_FOUND: [number, string] = [404, 'Not found']

/**
 * Approves a run that waits, for as many guests as the person saw: its messages are sent after the answer.
 * @throws HttpError 403 to the person who started it; 404; 409 when it does not wait, or writes to other numbers.
 */
export async function approveRun(session: Decider, place: Place, guests: number): Promise<AutomationRun> {
  await checkPlace(session, place)
  const parameters = { p_run: place.runId, p_approve: true, p_guests: guests }
  refuse(unwrap(await session.db.rpc('decide_run', parameters)), {
    not_found: NOT_FOUND,
    not_waiting: [409, 'Not waiting for approval'],
    changed: [409, 'It has changed'],
    own: [403, 'Another person has to approve it'],
  })
  const run = await getRun(session, place.runId)
  const request = { db: serviceDb(), organizationId: session.organization.id, now: () => new Date() }
  const signal = AbortSignal.timeout(BUDGET_MS)
  runAfter('approved run', () => sendRun({ ...request, signal }, place.runId))
  return run
}

/**
 * Refuses a run that waits: nothing of it is sent.
 * @throws HttpError 404; 409 when it does not wait.
 */
export async function refuseRun(session: Decider, place: Place): Promise<AutomationRun> {
  await checkPlace(session, place)
  const outcome = unwrap(await session.db.rpc('decide_run', { p_run: place.runId, p_approve: false }))
  refuse(outcome, { not_found: NOT_FOUND, not_waiting: [409, 'Not waiting for approval'] })
  return written(session, place)
}

/**
 * Stops a run: what is queued is written off, what is being sent ends as it ends.
 * @throws HttpError 404; 409 when it is over.
 */
export async function stopRun(session: Decider, place: Place): Promise<AutomationRun> {
  await checkPlace(session, place)
  const outcome = unwrap(await session.db.rpc('stop_run', { p_run: place.runId }))
  refuse(outcome, { not_found: NOT_FOUND, not_running: [409, 'Not running'] })
  return written(session, place)
}

async function checkPlace(session: Decider, { automationId, runId }: Place): Promise<void> {
  const { id } = await getAutomation(session, automationId)
  const run = await getRun(session, runId)
  if (run.automation_id !== id) throw new HttpError(404, { error: 'Not found' })
}

/** The run with its last counts. */
async function written(session: Decider, { runId }: Place): Promise<AutomationRun> {
  await cancelHeld(serviceDb(), session.organization.id, new Date(), AbortSignal.timeout(BUDGET_MS))
  return getRun(session, runId)
}
