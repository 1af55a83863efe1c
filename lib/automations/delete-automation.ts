import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'

/**
 * Deletes an automation: it runs no more, and what it has in the queue is skipped. Its log and messages stay.
 * @throws HttpError 404 when the caller's organization has none of that id.
 */
export async function deleteAutomation(
  { organization }: Pick<Session, 'organization'>,
  id: string,
): Promise<void> {
  const deleted = await serviceDb()
    .from('automations')
    .update({ deleted_at: new Date().toISOString(), status: 'inactive' })
    .match({ id, organization_id: organization.id })
    .is('deleted_at', null)
    .select('id')
  if (unwrap(deleted)?.length === 0) throw new HttpError(404, { error: 'Not found' })
}
