import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor } from '@/lib/http/cursor'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { type Message, messageSchema } from './schema'

/** What `messageSchema` holds. */
export const MESSAGE_COLUMNS =
  'id, automation_id, run_id, customer_id, channel, recipient, status, reason, simulated, created_at, sent_at'

/** What narrows the list; each filter must hold. */
export interface MessageFilters {
  automation_id?: string
  run_id?: string
  customer_id?: string
  status?: Message['status']
  cursor?: string
  limit?: number
}

/** A keyset page of the messages to the organization's customers, the newest first. */
export async function listMessages(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { cursor, limit = 50, ...filters }: MessageFilters,
): Promise<{ data: Message[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  let query = db.from('messages').select(MESSAGE_COLUMNS).eq('organization_id', organization.id)
  // Quoted, for the embedded stack takes a bare `unknown` for a boolean.
  for (const [column, value] of Object.entries(filters))
    if (value !== undefined) query = query.filter(column, 'in', `("${value}")`)
  if (after) query = query.lte('created_at', after.key).or(afterCursor('created_at', after, false))
  const found = await query
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1)
  const rows = z.array(messageSchema).parse(unwrap(found))
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const next_cursor = last ? encodeInstantCursor(last.created_at, last.id) : null
  return { data: rows.slice(0, limit), next_cursor }
}
