import { href, param, type Query } from '@/components/ui/query'
import { currentServiceDay, isCalendarDate } from '@/components/ui/service-day'
import type { Location } from '@/lib/organization/list-locations'
import { RESERVATION_STATUSES, type ReservationStatus } from '@/lib/pms/status'

/** What the reservations page shows, read from its address; nonsense counts as absent. */
export interface DayQuery {
  date: string
  today: string
  location: Location | undefined
  statuses: ReservationStatus[]
  search: string
  cursor: string | undefined
}

/** Reads the address, for the chosen location or all. Without a date it is the current service there. */
export function parseDayQuery(query: Query, location: Location | undefined): DayQuery {
  const today = currentServiceDay(location?.timezone)
  const date = param(query, 'date')
  const wanted = param(query, 'status').split(',')
  return {
    date: isCalendarDate(date) ? date : today,
    today,
    location,
    statuses: RESERVATION_STATUSES.filter((status) => wanted.includes(status)),
    search: param(query, 'q'),
    cursor: param(query, 'cursor', 1000) || undefined,
  }
}

/** The address of the same list with some of it changed; always from its first page unless told. */
export function dayHref(day: DayQuery, change: Partial<DayQuery> = {}): string {
  const { date, today, location, statuses, search, cursor } = { ...day, cursor: undefined, ...change }
  return href('/reservations', {
    date: date === today ? undefined : date,
    location: location?.id,
    status: statuses.join(','),
    q: search,
    cursor,
  })
}
