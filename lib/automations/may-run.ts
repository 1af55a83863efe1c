import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { refuse } from '@/lib/http/refusals'
import { isUuid } from '@/lib/uuid'

/**
 * Whether the person may run the automation, or let the run go on; the audit log says that they do. False when there
 * is none, or when it reaches a location they do not work in.
 * @param db the person's own client
 * @throws HttpError 403 where the organization limits marketing to roles.
 */
export async function mayRun(db: Db, automationId: string, runId?: string): Promise<boolean> {
  if (!isUuid(automationId)) return false
  const outcome = unwrap(await db.rpc('authorize_run', { p_automation: automationId, p_run: runId }))
  refuse(outcome, { forbidden: [403, 'Forbidden'] })
  return outcome === 'allowed'
}
