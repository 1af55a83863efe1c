import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { commentSchema, type TicketComment } from './schema'

/**
 * Adds a comment of the caller to a ticket; it is told at the next notification.
 * @throws HttpError 404 when there is no such ticket that the caller may see.
 */
export async function addComment(
  { db }: Pick<Session, 'db'>,
  ticketId: string,
  body: string,
): Promise<TicketComment> {
  const added = unwrap(await db.rpc('add_ticket_comment', { p_ticket: ticketId, p_body: body }))
  if (!added) throw new HttpError(404, { error: 'Not found' })
  return commentSchema.parse(added)
}
