import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { getAutomation } from './get-automation'

/**
 * Deletes an automation: it runs no more, and what it has in the queue is skipped. Its log and messages stay.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function deleteAutomation(
  session: Pick<Session, 'db' | 'organization'>,
  id: string,
): Promise<void> {
  await getAutomation(session, id)
  const deleted = await serviceDb().rpc('save_automation', {
    p_organization: session.organization.id,
    p_id: id,
    p_fields: { deleted_at: new Date().toISOString(), status: 'inactive' },
  })
  if (unwrap(deleted)?.length === 0) throw new HttpError(404, { error: 'Not found' })
}
