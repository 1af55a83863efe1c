import type { ServiceFigure } from '@/lib/overview/reads'
import { RESERVATION_STATUSES, type ReservationStatus } from '@/lib/reservations/status'

/** The number of reservations, and of their guests. */
export interface Count {
  reservations: number
  covers: number
}

/** The statuses of reservations whose guests are still to come. */
export const AWAITED: readonly ReservationStatus[] = ['pending', 'confirmed']
/** The statuses of reservations whose guests do not come. */
export const LOST: readonly ReservationStatus[] = ['cancelled', 'no_show']
/** The statuses that count for a service: all except the lost ones. */
export const EXPECTED = RESERVATION_STATUSES.filter((status) => !LOST.includes(status))

/** The sum over some statuses, all by default. */
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
