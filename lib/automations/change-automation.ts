import 'server-only'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { checkAutomation } from './check'
import { getAutomation } from './get-automation'
import { type Automation, type AutomationPatch, automationSchema } from './schema'

/**
 * Changes the given fields of an automation; the whole of it is checked as it would then be.
 * @throws HttpError 404; 400 (see checkAutomation); 409 when someone else changed it meanwhile.
 */
export async function changeAutomation(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
  id: string,
  patch: AutomationPatch,
): Promise<Automation> {
  const before = await getAutomation(session, id)
  if (Object.keys(patch).length === 0) return before
  const { id: _, created_at: __, updated_at, ...current } = before
  const changesType = patch.type !== undefined && patch.type !== before.type
  const criteria = patch.criteria ?? (changesType ? {} : current.criteria)
  const checked = await checkAutomation(session, { ...current, ...patch, criteria }, patch)
  const changed = await serviceDb().rpc('save_automation', {
    p_organization: session.organization.id,
    p_id: before.id,
    p_fields: checked as unknown as Json,
    p_updated_at: updated_at,
  })
  const [after] = unwrap(changed) ?? []
  if (!after) throw new HttpError(409, { error: 'Changed by someone else meanwhile' })
  return automationSchema.parse(after)
}
