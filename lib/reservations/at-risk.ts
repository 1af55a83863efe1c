import 'server-only'
import type { Session } from '@/lib/auth/session'
import { MAX_RESERVATIONS } from './no-show-risk'
import { type DayFilters, listDay } from './reads'
import type { NoShowRisk } from './risk-schema'
import type { ListedReservation } from './schema'

/** A reservation with its risk. */
export interface RiskyReservation {
  reservation: ListedReservation
  risk: NoShowRisk
}

/** The reservations of a day with a medium or high risk, the highest first, at most `limit`. */
export async function riskyReservations(
  session: Pick<Session, 'db'>,
  day: Pick<DayFilters, 'date' | 'location_id'>,
  { limit = 8, now = new Date() }: { limit?: number; now?: Date } = {},
): Promise<RiskyReservation[]> {
  const { data, risks } = await listDay(session, { ...day, risk: 'medium', limit: MAX_RESERVATIONS }, now)
  return data
    .flatMap((reservation) => {
      const risk = risks.get(reservation.id)
      return risk ? [{ reservation, risk }] : []
    })
    .sort((a, b) => b.risk.probability - a.risk.probability)
    .slice(0, limit)
}
