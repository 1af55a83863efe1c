import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { COMMENT_COLUMNS, commentSchema, type TicketComment } from './schema'

/**
 * A keyset page of a ticket's comments, the oldest first.
 * @throws HttpError 404 when there is no such ticket that the caller may see.
 */
export async function listComments(
  { db }: Pick<Session, 'db'>,
  ticketId: string,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: TicketComment[]; next_cursor: string | null }> {
  let query = db.from('ticket_comments').select(COMMENT_COLUMNS).eq('ticket_id', ticketId)
  if (cursor !== undefined) query = query.or(afterCursor('created_at', decodeInstantCursor(cursor), true))
  const page = query
    .order('created_at')
    .order('id')
    .limit(limit + 1)
  const ticket = db.from('tickets').select('id').eq('id', ticketId).maybeSingle()
  const [found, visible] = await Promise.all([page, ticket])
  if (!unwrap(visible)) throw new HttpError(404, { error: 'Not found' })
  const rows = unwrap(found) ?? []
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    data: z.array(commentSchema).parse(rows.slice(0, limit)),
    next_cursor: last ? encodeInstantCursor(last.created_at, last.id) : null,
  }
}
