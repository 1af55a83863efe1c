import { readNumber } from '@/components/forms/numbers'
import type { CalendarEvent, Repeat } from '@/lib/calendar/schema'
import { instantAt, localTime } from '@/lib/dates'

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

export interface EventBody {
  [field: string]: string | number | null | undefined | Repeat
  repeat: Repeat | null
}
type Times = Pick<CalendarEvent, 'event_datetime' | 'ends_at'>

/** The body for the API, or the first field without a value; the times entered are local to the time zone. */
export function eventBody(
  fields: FormData,
  timezone: string,
  locale: string,
  event?: Times,
): { body: EventBody } | { missing: string } {
  const text = textsOf(fields)
  const title = text('title')
  if (title === '') return { missing: 'title' }
  const times = fields.has('all_day') ? daysOf(fields) : timesOf(fields, timezone, event)
  if ('missing' in times) return times
  const rule = repeatOf(fields, times.first, locale)
  if ('missing' in rule) return rule
  const body = {
    title,
    description: text('description') || null,
    ...times.body,
    location_id: text('location_id') || null,
    assignee_id: text('assignee_id') || null,
    reminder_minutes: Number(text('reminder_minutes')),
    repeat: rule.repeat,
  }
  return { body: fields.has('customer_id') ? { ...body, customer_id: text('customer_id') || null } : body }
}

/** The fields that define the time of an event, and the date on which it begins. */
type Entered = { first: string; body: Record<string, string | null> } | { missing: string }

const textsOf = (fields: FormData) => (name: string) => String(fields.get(name) ?? '').trim()

function daysOf(fields: FormData): Entered {
  const text = textsOf(fields)
  const [first, last] = [text('starts_on'), text('ends_on')]
  if (!DAY.test(first)) return { missing: 'starts_on' }
  if (last !== '' && !DAY.test(last)) return { missing: 'ends_on' }
  return { first, body: { starts_on: first, ends_on: last || first } }
}

function timesOf(fields: FormData, timezone: string, event?: Times): Entered {
  const text = textsOf(fields)
  const [start, end] = [text('start'), text('end')]
  if (!LOCAL.test(start)) return { missing: 'event_datetime' }
  if (end !== '' && !LOCAL.test(end)) return { missing: 'ends_at' }
  // An unchanged time keeps its seconds: otherwise the event would be announced again.
  const moved = (local: string, former?: string | null) =>
    !former || localTime(former, timezone) !== local ? instantAt(local, timezone).toISOString() : former
  const body = {
    event_datetime: moved(start, event?.event_datetime),
    ends_at: end === '' ? null : moved(end, event?.ends_at),
    starts_on: null,
    ends_on: null,
  }
  return { first: start.slice(0, 10), body }
}

/** Returns the recurrence rule entered, for an event that begins on a date (YYYY-MM-DD). */
function repeatOf(
  fields: FormData,
  first: string,
  locale: string,
): { repeat: Repeat | null } | { missing: string } {
  const text = textsOf(fields)
  const frequency = text('frequency') as Repeat['frequency'] | ''
  if (frequency === '') return { repeat: null }
  const every = readNumber(text('every'), locale)
  if (every === null) return { missing: 'repeat.every' }
  const ends = text('ends')
  const until = ends === 'until' ? text('until') : null
  const count = ends === 'count' ? readNumber(text('count'), locale) : null
  if (until !== null && !DAY.test(until)) return { missing: 'repeat.until' }
  if (ends === 'count' && count === null) return { missing: 'repeat.count' }
  const ticked = fields.getAll('weekdays').map(Number).sort()
  const weekdays = ticked.length > 0 ? ticked : [new Date(`${first}T00:00:00Z`).getUTCDay() || 7]
  // In the order of the API's answers, so that an unchanged rule compares as equal.
  return { repeat: { frequency, every, weekdays: frequency === 'weekly' ? weekdays : null, until, count } }
}
