import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'

/**
 * Deletes a ticket with its comments; its number is not given again.
 * @throws HttpError 404 when there is none that the caller may delete.
 */
export async function deleteTicket({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  if (!unwrap(await db.rpc('delete_ticket', { p_id: id }))) throw new HttpError(404, { error: 'Not found' })
}
