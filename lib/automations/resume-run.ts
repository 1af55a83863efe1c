import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { runAfter } from '@/lib/http/after'
import { HttpError } from '@/lib/http/errors'
import { getAutomation } from './get-automation'
import { getRun } from './list-runs'
import { mayRun } from './may-run'
import { sendRun } from './run'
import type { AutomationRun } from './schema'

// The platform ends the function at 300 s, counted from the request's arrival.
const BUDGET_MS = 260_000

/**
 * Lets a paused run go on: its messages are sent after the answer.
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
  if (outcome === 'not_found') throw new HttpError(404, { error: 'Not found' })
  if (outcome === 'not_paused') throw new HttpError(409, { error: 'Not paused' })
  await mayRun(session.db, id, runId)
  const run = await getRun(session, runId)
  const signal = AbortSignal.timeout(BUDGET_MS)
  runAfter('resumed run', () => sendRun({ db, organizationId, now: () => new Date(), signal }, runId))
  return run
}
