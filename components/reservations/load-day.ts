import 'server-only'
import { fromCursor } from '@/components/ui/from-cursor'
import { EXPECTED } from '@/components/ui/service-count'
import type { Session } from '@/lib/auth/session'
import { listDay, readingDay } from '@/lib/reservations/reads'
import type { NoShowRisk } from '@/lib/reservations/risk-schema'
import type { ListedReservation } from '@/lib/reservations/schema'
import type { DayQuery } from './day-query'

/** The most reservations of the timeline: a service of several locations. Beyond that, people have to filter. */
export const WHOLE_DAY = 500

export interface DayPage {
  data: ListedReservation[]
  next_cursor: string | null
  /** The no-show risk of those shown, by their id, when the address asks for it. */
  risks: ReadonlyMap<string, NoShowRisk>
}

/** The reservations a day's address asks for: a page of the list, or all of them by hour. */
export async function loadDay(
  session: Session,
  { view, date, location, status = [], source, risk, search, cursor }: DayQuery,
): Promise<DayPage> {
  const reader = readingDay(session, date)
  const filters = { date, location_id: location?.id, status, source, risk, search }
  if (view === 'list') return fromCursor(cursor, (from) => listDay(reader, { ...filters, cursor: from }))
  // The timeline leaves out parties that do not come, unless the filter asks for them.
  const shown = status.length > 0 ? status : [...EXPECTED]
  return listDay(reader, { ...filters, status: shown, limit: WHOLE_DAY })
}
