import type { Messages } from 'next-intl'
import { fieldOf } from '@/components/settings/send'
import { instantAt, localTime } from '@/lib/calendar/local-time'
import type { CalendarEvent } from '@/lib/calendar/schema'

type Problem = keyof Messages['client']['calendar']['problems']
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** The event as the API takes it, or the field that is wrong; times are those of the time zone's clock. */
export function eventBody(
  fields: FormData,
  timezone: string,
  event?: CalendarEvent,
): { body: Record<string, string | number | null> } | { problem: Problem } {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const title = text('title')
  const [start, end] = [text('start'), text('end')]
  if (title === '') return { problem: 'title' }
  if (!LOCAL.test(start)) return { problem: 'event_datetime' }
  if (end !== '' && (!LOCAL.test(end) || end < start)) return { problem: 'ends_at' }
  // A time that stays is not sent: the event would be announced again.
  const moved = (local: string, former?: string | null) =>
    !former || localTime(former, timezone) !== local ? instantAt(local, timezone).toISOString() : former
  const body = {
    title,
    description: text('description') || null,
    event_datetime: moved(start, event?.event_datetime),
    ends_at: end === '' ? null : moved(end, event?.ends_at),
    location_id: text('location_id') || null,
    assignee_id: text('assignee_id') || null,
    reminder_minutes: Number(text('reminder_minutes')),
  }
  return { body: fields.has('customer_id') ? { ...body, customer_id: text('customer_id') || null } : body }
}

const FIELDS: readonly Problem[] = [
  'title',
  'description',
  'event_datetime',
  'ends_at',
  'location_id',
  'assignee_id',
  'customer_id',
  'reminder_minutes',
]

/** The field that the API refuses; null when only the status says something. */
export function eventProblem(error: string): Problem | null {
  const field = fieldOf(error)
  return FIELDS.find((known) => known === field) ?? null
}
