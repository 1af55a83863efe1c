import 'server-only'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { checkAutomation } from './check'
import { AUTOMATION_COLUMNS, type Automation, automationSchema, type NewAutomation } from './schema'

/**
 * Creates an automation in the caller's organization.
 * @throws HttpError 400 (see checkAutomation); DatabaseError 23505 when the name is taken.
 */
export async function createAutomation(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
  input: NewAutomation,
): Promise<Automation> {
  const checked = await checkAutomation(session, input)
  const row = { ...checked, criteria: checked.criteria as NonNullable<Json> }
  const made = await serviceDb()
    .from('automations')
    .insert({ ...row, organization_id: session.organization.id })
    .select(AUTOMATION_COLUMNS)
    .single()
  return automationSchema.parse(unwrap(made))
}
