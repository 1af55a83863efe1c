import { currentServiceDay } from '@/components/ui/service-day'
import type { Query } from '@/lib/http/page-address'
import type { Location } from '@/lib/locations/locations'
import { reservationsPage } from '@/lib/reservations/filters'

/** The state of the reservations page, read from its address. */
export interface DayQuery extends ReturnType<typeof reservationsPage.read> {
  date: string
  today: string
  location: Location | undefined
}

/** Reads the address, for the chosen location or all. The default date is the current service day by the clock of the zone. */
export function parseDayQuery(query: Query, location: Location | undefined, timezone: string): DayQuery {
  const today = currentServiceDay(timezone)
  const asked = reservationsPage.read(query)
  return { ...asked, date: asked.date ?? today, today, location }
}

/** Returns the address of the same view with some parameters changed; by default its first page, without a drawer. */
export function dayHref(day: DayQuery, change: Partial<DayQuery> = {}): string {
  const next = { ...day, cursor: undefined, reservation: undefined, ...change }
  const date = next.date === next.today ? undefined : next.date
  return reservationsPage.href({ ...next, date, location_id: next.location?.id })
}

/** Returns the address that opens a reservation in the drawer of the current view. */
export function reservationHref(day: DayQuery, id: string): string {
  return dayHref(day, { cursor: day.cursor, reservation: id })
}
