import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { RECORD_REFUSALS, refuse } from '@/lib/http/refusals'
import { type CalendarEvent, type EventChanges, eventSchema } from './schema'

const savedSchema = z.object({ outcome: z.string(), event: eventSchema.optional() })

/**
 * Creates an event (`id` null) or changes one. Moving it, or giving it another customer or assignee, makes it
 * be announced again; messages about the former plan that still wait are withdrawn.
 * @throws HttpError 404 for an event the caller may not see, 400 for a location, customer or assignee that is
 * not of the caller's, 403 for a customer without the permission for customers.
 */
export async function saveEvent(
  { db }: Pick<Session, 'db'>,
  id: string | null,
  changes: EventChanges,
): Promise<CalendarEvent> {
  const parameters = { p_id: id as string, p_fields: changes }
  const { outcome, event } = savedSchema.parse(unwrap(await db.rpc('save_calendar_event', parameters)))
  refuse(outcome, RECORD_REFUSALS)
  if (!event) throw new Error(`Unexpected outcome "${outcome}"`)
  return event
}
