import { choice, href, param, type Query } from '@/components/ui/query'
import { currentServiceDay, isCalendarDate } from '@/components/ui/service-day'
import type { Location } from '@/lib/organization/list-locations'
import { RESERVATION_STATUSES, type ReservationStatus } from '@/lib/pms/status'
import { isUuid } from '@/lib/uuid'

export const VIEWS = ['list', 'timeline', 'week'] as const
type View = (typeof VIEWS)[number]
export const SOURCES = ['pms', 'manual'] as const

/** What the reservations page shows, read from its address; nonsense counts as absent. */
export interface DayQuery {
  view: View
  date: string
  today: string
  location: Location | undefined
  statuses: ReservationStatus[]
  source: (typeof SOURCES)[number] | undefined
  search: string
  cursor: string | undefined
  /** The id of the one whose drawer is open. */
  reservation: string | undefined
}

/** Reads the address, for the chosen location or all. Without a date it is the current service there. */
export function parseDayQuery(query: Query, location: Location | undefined): DayQuery {
  const today = currentServiceDay(location?.timezone)
  const date = param(query, 'date')
  const wanted = param(query, 'status').split(',')
  const reservation = param(query, 'reservation')
  return {
    view: choice(query, 'view', VIEWS) ?? 'list',
    date: isCalendarDate(date) ? date : today,
    today,
    location,
    statuses: RESERVATION_STATUSES.filter((status) => wanted.includes(status)),
    source: choice(query, 'source', SOURCES),
    search: param(query, 'q'),
    cursor: param(query, 'cursor', 1000) || undefined,
    reservation: isUuid(reservation) ? reservation : undefined,
  }
}

/** The address of the same view with some of it changed; from its first page and without a drawer unless told. */
export function dayHref(day: DayQuery, change: Partial<DayQuery> = {}): string {
  const closed = { cursor: undefined, reservation: undefined }
  const next = { ...day, ...closed, ...change }
  return href('/reservations', {
    view: next.view === 'list' ? undefined : next.view,
    date: next.date === next.today ? undefined : next.date,
    location: next.location?.id,
    status: next.statuses.join(','),
    source: next.source,
    q: next.search,
    cursor: next.cursor,
    reservation: next.reservation,
  })
}

/** The address that opens a reservation beside what is shown. */
export function reservationHref(day: DayQuery, id: string): string {
  return dayHref(day, { cursor: day.cursor, reservation: id })
}
