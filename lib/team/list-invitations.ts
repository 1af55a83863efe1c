import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor } from '@/lib/http/cursor'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { INVITATION_COLUMNS, invitationSchema } from './schema'

/** A keyset page of the open invitations, the oldest first. */
export async function listInvitations({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  let query = db.from('invitations').select(INVITATION_COLUMNS).is('accepted_at', null)
  if (page.cursor !== undefined)
    query = query.or(afterCursor('created_at', decodeInstantCursor(page.cursor), true))
  const found = await query
    .order('created_at')
    .order('id')
    .limit(page.limit + 1)
  const rows = unwrap(found) ?? []
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return {
    data: z.array(invitationSchema).parse(rows.slice(0, page.limit)),
    next_cursor: last ? encodeInstantCursor(last.created_at, last.id) : null,
  }
}
