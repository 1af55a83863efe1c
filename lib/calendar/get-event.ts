import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { type CalendarEvent, eventSchema } from './schema'

/**
 * An event by id.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function getEvent({ db }: Pick<Session, 'db'>, id: string): Promise<CalendarEvent> {
  const [found] = unwrap(await db.rpc('list_calendar_events', { p_id: id })) ?? []
  if (!found) throw new HttpError(404, { error: 'Not found' })
  return eventSchema.parse(found)
}
