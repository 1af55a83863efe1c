import 'server-only'
import type { Session } from '@/lib/auth/session'
import { listEvents } from '@/lib/calendar/events'
import type { CalendarEvent } from '@/lib/calendar/schema'
import { type Allergy, allergiesOf } from '@/lib/customers/allergies'
import { customerNames } from '@/lib/customers/read-customer'
import { addDays, instantAt, localTime } from '@/lib/dates'
import type { Location } from '@/lib/locations/locations'

/** An event with its date and times in the time zone of its location, else of the group. */
export interface ShownEvent extends CalendarEvent {
  date: string
  /** Empty for an all-day event. */
  start: string
  endDate: string | null
  /** The last date it covers; times before 06:00 belong to the day before, as in a service. */
  lastDate: string
  end: string | null
  timezone: string
  location: string | null
  customer: { id: string; name: string } | null
  /** The customer's recorded allergies. */
  allergies: readonly Allergy[] | undefined
}

const PAGE = 200
/** The maximum number of events that a month shows. */
export const MAX_EVENTS = 1000

/** The events on any date from the first to the last, in order of time. */
export async function loadEvents(
  session: Pick<Session, 'db' | 'can' | 'organization'>,
  locations: readonly Location[],
  { first, last, location }: { first: string; last: string; location: Location | undefined },
): Promise<{ events: ShownEvent[]; hasMore: boolean }> {
  const groupZone = session.organization.timezone
  // Time zones differ by location: fetch a day more on each side, then filter by each location's dates.
  const from = instantAt(`${addDays(first, -1)}T00:00`, groupZone).toISOString()
  const to = instantAt(`${addDays(last, 2)}T00:00`, groupZone).toISOString()
  const found: CalendarEvent[] = []
  let cursor: string | undefined
  do {
    const query = { from, to, location_id: location?.id, cursor, limit: PAGE }
    const page = await listEvents(session, { ...query, under_way: true })
    found.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor && found.length < MAX_EVENTS)
  const mayName = session.can('canAccessClientes')
  const ids = mayName ? found.map(({ customer_id }) => customer_id) : []
  const names = mayName ? await customerNames(session, ids) : null
  const allergies = await allergiesOf(session, ids)
  const events = found.map((event) => show(event, { locations, groupZone, names, allergies }))
  return {
    events: events.filter(({ date, lastDate }) => lastDate >= first && date <= last),
    hasMore: cursor !== undefined,
  }
}

interface Known {
  locations: readonly Location[]
  groupZone: string
  names: Map<string, string> | null
  allergies: ReadonlyMap<string, Allergy[]>
}

function show(event: CalendarEvent, { locations, groupZone, names, allergies }: Known): ShownEvent {
  const location = locations.find(({ id }) => id === event.location_id)
  const timezone = location?.timezone ?? groupZone
  const { customer_id: id, starts_on, ends_on } = event
  const shared = {
    timezone,
    location: location?.name ?? null,
    // Keep the customer even without a name: saving the form must not remove the customer.
    customer: id && names ? { id, name: names.get(id) ?? '' } : null,
    allergies: allergies.get(id ?? ''),
  }
  if (starts_on !== null) {
    const lastDate = ends_on ?? starts_on
    return { ...event, ...shared, date: starts_on, start: '', endDate: lastDate, end: null, lastDate }
  }
  const [date = '', start = ''] = localTime(event.event_datetime, timezone).split('T')
  const [endDate = null, end = null] = event.ends_at ? localTime(event.ends_at, timezone).split('T') : []
  const isNight = end !== null && end <= '06:00' && endDate !== null && endDate > date
  return {
    ...event,
    ...shared,
    ...{ date, start, endDate, end },
    lastDate: isNight ? addDays(endDate, -1) : (endDate ?? date),
  }
}

/** An event on one of its dates; `goesOn` from the second date on. */
export interface DayEvent {
  event: ShownEvent
  goesOn: boolean
}

/** The events of each date that has any: all-day ones first, then in order of time. */
export function eventsByDate(
  events: readonly ShownEvent[],
  dates: readonly string[],
): ReadonlyMap<string, DayEvent[]> {
  const keyOf = ({ start, date }: ShownEvent) => `${start === '' ? 0 : 1}${date}${start}`
  const sorted = events.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const days = dates.map((date) => {
    const of = sorted.filter((event) => event.date <= date && date <= event.lastDate)
    return [date, of.map((event) => ({ event, goesOn: event.date < date }))] as const
  })
  return new Map(days.filter(([, of]) => of.length > 0))
}
