import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { runAfter } from '@/lib/http/after'
import { HttpError, refuse } from '@/lib/http/errors'
import { cancelHeld } from '@/lib/messaging/queue'
import { isUuid } from '@/lib/uuid'
import { getAutomation } from './reads'
import { sendRun } from './run'
import { getRun } from './runs'
import { type AutomationRun, type Sending, sendingSchema } from './schema'

// The platform ends the function at 300 s, counted from the request's arrival.
const BUDGET_MS = 260_000

type Decider = Pick<Session, 'db' | 'organization'>

/** An automation and one of its runs. */
interface RunIds {
  automationId: string
  runId: string
}

/**
 * Approves a run that waits, for as many guests as the person saw: its messages are sent after the answer.
 * @throws HttpError 403 to the person who started it; 404; 409 when it does not wait, or writes to other numbers.
 */
export async function approveRun(session: Decider, ids: RunIds, guests: number): Promise<AutomationRun> {
  await checkRun(session, ids)
  const parameters = { p_run: ids.runId, p_approve: true, p_guests: guests }
  refuse(unwrap(await session.db.rpc('decide_run', parameters)), {
    not_waiting: 'NOT_WAITING',
    changed: 'RUN_CHANGED',
    own: 'OTHER_APPROVER_NEEDED',
  })
  const run = await getRun(session, ids.runId)
  const request = { db: serviceDb(), organizationId: session.organization.id, now: () => new Date() }
  const signal = AbortSignal.timeout(BUDGET_MS)
  runAfter('approved run', () => sendRun({ ...request, signal }, ids.runId))
  return run
}

/**
 * Refuses a run that waits: nothing of it is sent.
 * @throws HttpError 404; 409 when it does not wait.
 */
export async function refuseRun(session: Decider, ids: RunIds): Promise<AutomationRun> {
  await checkRun(session, ids)
  const outcome = unwrap(await session.db.rpc('decide_run', { p_run: ids.runId, p_approve: false }))
  refuse(outcome, { not_waiting: 'NOT_WAITING' })
  return withFinalCounts(session, ids)
}

/**
 * Stops a run: what is queued is written off, what is being sent ends as it ends.
 * @throws HttpError 404; 409 when it is over.
 */
export async function stopRun(session: Decider, ids: RunIds): Promise<AutomationRun> {
  await checkRun(session, ids)
  const outcome = unwrap(await session.db.rpc('stop_run', { p_run: ids.runId }))
  refuse(outcome, { not_running: 'NOT_RUNNING' })
  return withFinalCounts(session, ids)
}

async function checkRun(session: Decider, { automationId, runId }: RunIds): Promise<void> {
  const { id } = await getAutomation(session, automationId)
  const run = await getRun(session, runId)
  if (run.automation_id !== id) throw new HttpError('NOT_FOUND')
}

/** Writes off what is queued, and returns the run with its final counts. */
async function withFinalCounts(session: Decider, { runId }: RunIds): Promise<AutomationRun> {
  await cancelHeld(serviceDb(), session.organization.id, new Date(), AbortSignal.timeout(BUDGET_MS))
  return getRun(session, runId)
}

/**
 * Resumes a paused run: its messages are sent after the answer.
 * @throws HttpError 404 when the caller sees no such automation or it has no such run; 409 when it is not paused.
 */
export async function resumeRun(
  session: Pick<Session, 'db' | 'organization'>,
  automationId: string,
  runId: string,
): Promise<AutomationRun> {
  const { id } = await getAutomation(session, automationId)
  const [db, organizationId] = [serviceDb(), session.organization.id]
  const parameters = { p_organization: organizationId, p_automation: id, p_run: runId }
  const outcome = unwrap(await db.rpc('resume_run', parameters))
  refuse(outcome, { not_paused: 'NOT_PAUSED' })
  await mayRun(session.db, id, runId)
  const run = await getRun(session, runId)
  const signal = AbortSignal.timeout(BUDGET_MS)
  runAfter('resumed run', () => sendRun({ db, organizationId, now: () => new Date(), signal }, runId))
  return run
}

/**
 * Whether the person may run the automation, or let the run go on; the audit log says that they do. False when there
 * is none, or when it reaches a location they do not work in.
 * @param db the person's own client
 * @throws HttpError 403 where the organization limits marketing to roles.
 */
export async function mayRun(db: Db, automationId: string, runId?: string): Promise<boolean> {
  if (!isUuid(automationId)) return false
  const outcome = unwrap(await db.rpc('authorize_run', { p_automation: automationId, p_run: runId }))
  refuse(outcome)
  return outcome === 'allowed'
}

/** Whether the organization's automations send. */
export async function readSending({
  db,
  organization,
}: Pick<Session, 'db' | 'organization'>): Promise<Sending> {
  const columns = 'stopped_at:sending_stopped_at, stopped_by:sending_stopped_by'
  return sendingSchema.parse(
    unwrap(await db.from('organizations').select(columns).eq('id', organization.id).single()),
  )
}

/**
 * Stops everything that automations send, or lets it go on.
 * @throws HttpError 403 for someone bound to locations.
 */
export async function stopSending(
  session: Pick<Session, 'db' | 'organization'>,
  stopped: boolean,
): Promise<Sending> {
  const outcome = unwrap(await session.db.rpc('stop_sending', { p_stop: stopped }))
  refuse(outcome)
  return readSending(session)
}
