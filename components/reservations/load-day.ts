import 'server-only'
import { fromCursor } from '@/components/ui/from-cursor'
import { EXPECTED } from '@/components/ui/service-count'
import type { Session } from '@/lib/auth/session'
import { type Allergy, allergiesOf } from '@/lib/customers/allergies'
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
  /** The recorded allergies of the guests, by the customer's id. */
  allergies: ReadonlyMap<string, Allergy[]>
}

/** The reservations a day's address asks for: a page of the list, or all of them by hour. */
export async function loadDay(
  session: Session,
  { view, date, location, status = [], source, risk, search, cursor }: DayQuery,
): Promise<DayPage> {
  const reader = readingDay(session, date)
  const filters = { date, location_id: location?.id, status, source, risk, search }
  const allergiesIn = (data: readonly ListedReservation[]) =>
    allergiesOf(
      reader,
      data.map(({ customer_id }) => customer_id),
    )
  if (view === 'list') {
    const page = await fromCursor(cursor, (from) => listDay(reader, { ...filters, cursor: from }))
    return { ...page, allergies: await allergiesIn(page.data) }
  }
  // The timeline leaves out parties that do not come, unless the filter asks for them.
  const shown = status.length > 0 ? status : [...EXPECTED]
  const whole = await listDay(reader, { ...filters, status: shown, limit: WHOLE_DAY })
  return { ...whole, allergies: await allergiesIn(whole.data) }
}
