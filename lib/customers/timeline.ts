import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { pageOf } from '@/lib/http/cursor'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { TIMELINE_KINDS, type TimelineEvent, type TimelineKind, timelineEventSchema } from './timeline-schema'

/** The filter of a timeline, and the start of its page. */
interface TimelineQuery {
  kinds?: TimelineKind[]
  cursor?: string
  limit?: number
}

/**
 * A keyset page of a customer's timeline, the latest first: reservations, messages, conversations, tickets,
 * feedback and changes of the record, each kind only if the caller may read it.
 * @throws HttpError 400 for an invalid cursor.
 */
export async function customerTimeline(
  { db }: Pick<Session, 'db'>,
  customerId: string,
  { kinds = TIMELINE_KINDS, cursor, limit = 30 }: TimelineQuery = {},
): Promise<{ data: TimelineEvent[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const found = await db.rpc('customer_timeline', {
    p_customer: customerId,
    p_kinds: kinds,
    p_before: after?.key,
    p_before_id: after?.id,
    p_limit: limit + 1,
  })
  const rows = unwrap(found) ?? []
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.at, last.id))
  return { ...page, data: z.array(timelineEventSchema).parse(page.data) }
}
