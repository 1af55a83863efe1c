import 'server-only'
import type { Session } from '@/lib/auth/session'
import { listEvents } from '@/lib/calendar/list-events'
import { instantAt, localTime } from '@/lib/calendar/local-time'
import type { CalendarEvent } from '@/lib/calendar/schema'
import { customerNames } from '@/lib/customers/customer-names'
import { TIME_ZONE } from '@/lib/i18n/locales'
import type { Location } from '@/lib/organization/list-locations'
import { addDays } from '@/lib/pms/sync/window'

/** An event as a calendar shows it: its date and times on the clock of its location. */
export interface ShownEvent extends CalendarEvent {
  date: string
  start: string
  endDate: string | null
  /** The last date it is on; a night until 06:00 belongs to the evening before, as a service does. */
  lastDate: string
  end: string | null
  timezone: string
  location: string | null
  customer: { id: string; name: string } | null
}

const PAGE = 200
/** The most events a month shows. */
export const MOST_EVENTS = 1000

/** The events on any of the dates from the first to the last, in order of time. */
export async function loadEvents(
  session: Pick<Session, 'db' | 'can'>,
  locations: readonly Location[],
  { first, last, location }: { first: string; last: string; location: Location | undefined },
): Promise<{ events: ShownEvent[]; hasMore: boolean }> {
  // Clocks differ by location: a day more on each side, and each location's own dates decide.
  const from = instantAt(`${addDays(first, -1)}T00:00`, TIME_ZONE).toISOString()
  const to = instantAt(`${addDays(last, 2)}T00:00`, TIME_ZONE).toISOString()
  const found: CalendarEvent[] = []
  let cursor: string | undefined
  do {
    const query = { from, to, location_id: location?.id, cursor, limit: PAGE }
    const page = await listEvents(session, { ...query, underWay: true })
    found.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor && found.length < MOST_EVENTS)
  const mayName = session.can('canAccessClientes')
  const ids = mayName ? found.map(({ customer_id }) => customer_id) : []
  const names = mayName ? await customerNames(session, ids) : null
  const events = found.map((event) => show(event, locations, names))
  return {
    events: events.filter(({ date, lastDate }) => lastDate >= first && date <= last),
    hasMore: cursor !== undefined,
  }
}

function show(
  event: CalendarEvent,
  locations: readonly Location[],
  names: Map<string, string> | null,
): ShownEvent {
  const location = locations.find(({ id }) => id === event.location_id)
  const timezone = location?.timezone ?? TIME_ZONE
  const [date = '', start = ''] = localTime(event.event_datetime, timezone).split('T')
  const [endDate = null, end = null] = event.ends_at ? localTime(event.ends_at, timezone).split('T') : []
  const isNight = end !== null && end <= '06:00' && endDate !== null && endDate > date
  const { customer_id: id } = event
  return {
    ...event,
    ...{ date, start, endDate, end, timezone },
    lastDate: isNight ? addDays(endDate, -1) : (endDate ?? date),
    location: location?.name ?? null,
    // Without its name, too: saving the form must not lose the customer.
    customer: id && names ? { id, name: names.get(id) ?? '' } : null,
  }
}
