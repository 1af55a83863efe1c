import 'server-only'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { checkAutomation } from './check'
import { type Automation, automationSchema, type NewAutomation } from './schema'

/**
 * Creates an automation in the caller's organization.
 * @throws HttpError 400 (see checkAutomation); DatabaseError 23505 when the name is taken.
 */
export async function createAutomation(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
  input: NewAutomation,
): Promise<Automation> {
  const checked = await checkAutomation(session, input)
  const made = await serviceDb().rpc('save_automation', {
    p_organization: session.organization.id,
    p_id: null as never,
    p_fields: checked as unknown as Json,
  })
  return automationSchema.parse(unwrap(made)?.[0])
}
