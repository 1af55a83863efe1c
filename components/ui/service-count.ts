import type { ServiceFigure } from '@/lib/overview/reads'
import { RESERVATION_STATUSES, type ReservationStatus } from '@/lib/reservations/status'

/** How many reservations, and how many guests they bring. */
export interface Count {
  reservations: number
  covers: number
}

/** The states in which guests are still to come. */
export const AWAITED: readonly ReservationStatus[] = ['pending', 'confirmed']
/** The states of reservations that bring no guests. */
export const LOST: readonly ReservationStatus[] = ['cancelled', 'no_show']
/** The states that make up a service: all but the lost ones. */
export const EXPECTED = RESERVATION_STATUSES.filter((status) => !LOST.includes(status))

/** The sum over some states, all by default. */
export function count(
  figures: readonly ServiceFigure[],
  statuses: readonly ReservationStatus[] = RESERVATION_STATUSES,
): Count {
  const total = { reservations: 0, covers: 0 }
  for (const figure of figures) {
    if (!statuses.includes(figure.status)) continue
    total.reservations += figure.reservations
    total.covers += figure.covers
  }
  return total
}
