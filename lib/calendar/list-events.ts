import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { type CalendarEvent, type EventQuery, eventSchema } from './schema'

/**
 * A keyset page of the events the caller may see, in order of time; from `now` on when `from` is absent.
 * With `underWay` also those that began before `from` and end after it.
 */
export async function listEvents(
  { db }: Pick<Session, 'db'>,
  { from, to, location_id, assignee_id, cursor, limit, underWay }: EventQuery & { underWay?: boolean },
  now = new Date(),
): Promise<{ data: CalendarEvent[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const rows =
    unwrap(
      await db
        .rpc('list_calendar_events', {
          p_from: from ?? now.toISOString(),
          p_to: to,
          p_location: location_id,
          p_assignee: assignee_id,
          p_after_key: after?.key,
          p_after_id: after?.id,
          p_limit: limit + 1,
          p_under_way: underWay,
        })
        .order('event_datetime')
        .order('id'),
    ) ?? []
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    data: z.array(eventSchema).parse(rows.slice(0, limit)),
    next_cursor: last ? encodeInstantCursor(last.event_datetime, last.id) : null,
  }
}
