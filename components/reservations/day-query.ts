import { currentServiceDay } from '@/components/ui/service-day'
import type { Query } from '@/lib/http/page-address'
import type { Location } from '@/lib/locations/locations'
import { reservationsPage } from '@/lib/reservations/filters'

/** What the reservations page shows, read from its address. */
export interface DayQuery extends ReturnType<typeof reservationsPage.read> {
  date: string
  today: string
  location: Location | undefined
}

/** Reads the address, for the chosen location or all. Without a date it is the current service there. */
export function parseDayQuery(query: Query, location: Location | undefined): DayQuery {
  const today = currentServiceDay(location?.timezone)
  const asked = reservationsPage.read(query)
  return { ...asked, date: asked.date ?? today, today, location }
}

/** The address of the same view with some of it changed; by default from its first page and without a drawer. */
export function dayHref(day: DayQuery, change: Partial<DayQuery> = {}): string {
  const next = { ...day, cursor: undefined, reservation: undefined, ...change }
  const date = next.date === next.today ? undefined : next.date
  return reservationsPage.href({ ...next, date, location_id: next.location?.id })
}

/** The address that opens a reservation beside what is shown. */
export function reservationHref(day: DayQuery, id: string): string {
  return dayHref(day, { cursor: day.cursor, reservation: id })
}
