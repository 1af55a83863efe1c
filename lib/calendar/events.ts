import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { addDays, HOUR_MS, instantAt, localDate } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { pageOf } from '@/lib/http/cursor'
import { HttpError, refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { type InputProblem, RECORD_PROBLEMS } from '@/lib/http/issues'
import { editedMeanwhile } from '@/lib/http/loaded'
import type { EventsQuery } from './filters'
import { type CalendarEvent, type EventChanges, eventSchema } from './schema'
import type { Scope } from './scopes'

/**
 * A keyset page of the events that the caller may see, in order of time, starting at `from` (or `now`). With
 * `under_way` it includes events that began before and end after that.
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
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.event_datetime, last.id))
  return { ...page, data: z.array(eventSchema).parse(page.data) }
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
/** Returns the day of an instant; times before 06:00 belong to the day before, as in a service. */
const NIGHT_MS = 6 * HOUR_MS

/**
 * Today's and tomorrow's events, and those under way that began earlier, by the days of a time zone. With a location
 * only its events, as in the calendar.
 */
export async function twoDays(
  session: Pick<Session, 'db'>,
  { locationId, timezone, now = new Date() }: { locationId?: string; timezone: string; now?: Date },
): Promise<Record<'underWay' | 'today' | 'tomorrow', CalendarEvent[]>> {
  const today = localDate(now, timezone)
  const [from = '', middle = '', to = ''] = [0, 1, 2].map((days) =>
    instantAt(`${addDays(today, days)}T00:00`, timezone).toISOString(),
  )
  const filters = { from, to, location_id: locationId, limit: MAX_SHOWN, under_way: true }
  const { data } = await listEvents(session, filters, now)
  const dawn = new Date(Date.parse(from) + NIGHT_MS).toISOString()
  // An all-day event has calendar days, independent of the time zone.
  const on = ({ starts_on, ends_on, event_datetime, ends_at }: CalendarEvent) => {
    if (starts_on !== null) {
      if (starts_on < today) return (ends_on ?? '') >= today ? 'underWay' : 'over'
      return starts_on === today ? 'today' : starts_on === addDays(today, 1) ? 'tomorrow' : 'later'
    }
    if (event_datetime < from) return (ends_at ?? '') > dawn ? 'underWay' : 'over'
    return event_datetime < middle ? 'today' : 'tomorrow'
  }
  const days = Object.groupBy(data, on)
  return { underWay: days.underWay ?? [], today: days.today ?? [], tomorrow: days.tomorrow ?? [] }
}

const savedSchema = z.object({
  outcome: z.string(),
  event: eventSchema.optional(),
  current: eventSchema.partial().optional(),
})

const PROBLEMS = {
  ...RECORD_PROBLEMS,
  ends_before_first_day: { path: 'ends_on', code: 'ends_before_start', message: 'before starts_on' },
  repeat_scope: { path: 'repeat', code: 'invalid', message: 'a new rule needs scope=following' },
  repeat_ends_before_start: {
    path: 'repeat.until',
    code: 'ends_before_start',
    message: 'before the event itself',
  },
  repeat_out_of_range: {
    path: 'repeat',
    code: 'out_of_range',
    message: 'begins, or is moved, more than 400 days away, or lasts longer',
  },
} as const satisfies Record<string, InputProblem>

/**
 * Creates an event (`id` null) or changes one and, by `scope`, others of its series; fields that were changed for
 * one occurrence stay. After a new time, customer or assignee the event is announced again, and queued messages about
 * the former state are withdrawn. A new `repeat` starts with this event; an earlier series ends before it.
 * @throws HttpError 404 for an event that the caller may not see, 400 for an unknown location, customer or assignee,
 * 403 for a customer without the permission for customers, 409 for fields that another person changed since they were
 * `loaded`.
 */
export async function saveEvent(
  { db }: Pick<Session, 'db'>,
  id: string | null,
  changes: EventChanges,
  scope: Scope = 'one',
): Promise<CalendarEvent> {
  const parameters = { p_id: id as string, p_fields: changes, p_scope: scope }
  const { outcome, event, current } = savedSchema.parse(
    unwrap(await db.rpc('save_calendar_event', parameters)),
  )
  if (current) throw editedMeanwhile(current)
  refuse(outcome, PROBLEMS)
  if (!event) throw new Error(`Unexpected outcome "${outcome}"`)
  return event
}

/**
 * Deletes an event and, by `scope`, others of its series; withdraws their queued messages.
 * @throws HttpError 404 when the caller may see no event with this id.
 */
export async function deleteEvent(
  { db }: Pick<Session, 'db'>,
  id: string,
  scope: Scope = 'one',
): Promise<void> {
  const deleted = unwrap(await db.rpc('delete_calendar_event', { p_id: id, p_scope: scope }))
  if (!deleted) throw new HttpError('NOT_FOUND')
}
