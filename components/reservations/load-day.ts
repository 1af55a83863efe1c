import 'server-only'
import { fromCursor } from '@/components/ui/from-cursor'
import { EXPECTED } from '@/components/ui/service-count'
import type { Session } from '@/lib/auth/session'
import { listDay } from '@/lib/reservations/reads'
import type { ListedReservation } from '@/lib/reservations/schema'
import type { DayQuery } from './day-query'

/** The most reservations of the timeline: a service of several locations. Beyond that, people have to filter. */
export const WHOLE_DAY = 500

/** The reservations a day's address asks for: a page of the list, or all of them by hour. */
export async function loadDay(
  session: Session,
  { view, date, location, status = [], source, search, cursor }: DayQuery,
): Promise<{ data: ListedReservation[]; next_cursor: string | null }> {
  const filters = { date, location_id: location?.id, status, source, search }
  if (view === 'list') return fromCursor(cursor, (from) => listDay(session, { ...filters, cursor: from }))
  // The timeline leaves out parties that do not come, unless the filter asks for them.
  const shown = status.length > 0 ? status : [...EXPECTED]
  return listDay(session, { ...filters, status: shown, limit: WHOLE_DAY })
}
