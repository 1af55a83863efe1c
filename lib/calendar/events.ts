import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { addDays, instantAt, localDate } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { HttpError, refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { RECORD_PROBLEMS } from '@/lib/http/issues'
import { editedMeanwhile } from '@/lib/http/loaded'
import { TIME_ZONE } from '@/lib/i18n/locales'
import type { EventsQuery } from './filters'
import { type CalendarEvent, type EventChanges, eventSchema } from './schema'

/**
 * A keyset page of the events that the caller may see, in order of time, starting at `from` (or `now`). With `under_way`
 * it includes events that began before and end after that.
 */
export async function listEvents(
  { db }: Pick<Session, 'db'>,
  { cursor, limit, ...filters }: EventsQuery,
  now = new Date(),
): Promise<{ data: CalendarEvent[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const rows =
    unwrap(
      await db
        .rpc('list_calendar_events', {
          p_filters: { ...filters, from: filters.from ?? now.toISOString() },
          p_after_key: after?.key,
          p_after_id: after?.id,
          p_limit: limit + 1,
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

/**
 * An event by id.
 * @throws HttpError 404 when the caller may see no event with this id.
 */
export async function getEvent({ db }: Pick<Session, 'db'>, id: string): Promise<CalendarEvent> {
  const [found] = unwrap(await db.rpc('list_calendar_events', { p_id: id })) ?? []
  if (!found) throw new HttpError('NOT_FOUND')
  return eventSchema.parse(found)
}

const MAX_SHOWN = 50
/** The time until 06:00 belongs to the day before, as in a service. */
const NIGHT_MS = 6 * 3_600_000

/**
 * Today's and tomorrow's events, and those under way that began earlier, by the days of a time zone. With a location:
 * its events and those without one.
 */
export async function twoDays(
  session: Pick<Session, 'db'>,
  {
    locationId,
    timezone = TIME_ZONE,
    now = new Date(),
  }: { locationId?: string; timezone?: string; now?: Date },
): Promise<Record<'underWay' | 'today' | 'tomorrow', CalendarEvent[]>> {
  const today = localDate(now, timezone)
  const [from = '', middle = '', to = ''] = [0, 1, 2].map((days) =>
    instantAt(`${addDays(today, days)}T00:00`, timezone).toISOString(),
  )
  const { data } = await listEvents(session, { from, to, limit: MAX_SHOWN, under_way: true }, now)
  const here = data.filter(({ location_id }) => !locationId || !location_id || location_id === locationId)
  const between = (one: string, other: string) =>
    here.filter(({ event_datetime: begins }) => one <= begins && begins < other)
  const dawn = new Date(Date.parse(from) + NIGHT_MS).toISOString()
  const underWay = between('', from).filter(({ ends_at }) => (ends_at ?? '') > dawn)
  return { underWay, today: between(from, middle), tomorrow: between(middle, to) }
}

const savedSchema = z.object({
  outcome: z.string(),
  event: eventSchema.optional(),
  current: eventSchema.partial().optional(),
})

/**
 * Creates an event (`id` null) or changes one. A new time, customer or assignee makes the event be announced again;
 * queued messages about the former state are withdrawn.
 * @throws HttpError 404 for an event that the caller may not see, 400 for an unknown location, customer or assignee, 403
 * for a customer without the permission for customers, 409 for fields that someone else changed since they were `loaded`.
 */
export async function saveEvent(
  { db }: Pick<Session, 'db'>,
  id: string | null,
  changes: EventChanges,
): Promise<CalendarEvent> {
  const parameters = { p_id: id as string, p_fields: changes }
  const { outcome, event, current } = savedSchema.parse(
    unwrap(await db.rpc('save_calendar_event', parameters)),
  )
  if (current) throw editedMeanwhile(current)
  refuse(outcome, RECORD_PROBLEMS)
  if (!event) throw new Error(`Unexpected outcome "${outcome}"`)
  return event
}

/**
 * Deletes an event and withdraws its queued messages.
 * @throws HttpError 404 when the caller may see no event with this id.
 */
export async function deleteEvent({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  if (!unwrap(await db.rpc('delete_calendar_event', { p_id: id }))) throw new HttpError('NOT_FOUND')
}
