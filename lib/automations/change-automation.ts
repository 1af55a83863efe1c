import 'server-only'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { checkAutomation } from './check'
import { getAutomation } from './get-automation'
import { AUTOMATION_COLUMNS, type Automation, type AutomationPatch, automationSchema } from './schema'

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
  const changed = await serviceDb()
    .from('automations')
    .update({ ...checked, criteria: checked.criteria as NonNullable<Json> })
    .match({ id: before.id, organization_id: session.organization.id, updated_at })
    .is('deleted_at', null)
    .select(AUTOMATION_COLUMNS)
    .maybeSingle()
  const after = unwrap(changed)
  if (!after) throw new HttpError(409, { error: 'Changed by someone else meanwhile' })
  return automationSchema.parse(after)
}
