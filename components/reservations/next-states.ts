import type { ReservationStatus } from '@/lib/pms/status'
import type { Reservation } from '@/lib/reservations/schema'

// What usually follows a state, and the way back, while the service is on …
const DURING: Record<ReservationStatus, ReservationStatus[]> = {
  pending: ['confirmed', 'seated', 'no_show', 'cancelled'],
  confirmed: ['seated', 'no_show', 'cancelled'],
  seated: ['completed', 'confirmed', 'no_show'],
  completed: ['seated', 'confirmed', 'no_show'],
  cancelled: ['confirmed', 'seated'],
  no_show: ['seated', 'confirmed'],
}
// … and the next morning, when no guest is seated any more.
const AFTERWARDS: Record<ReservationStatus, ReservationStatus[]> = {
  pending: ['completed', 'no_show', 'cancelled'],
  confirmed: ['completed', 'no_show', 'cancelled'],
  seated: ['completed', 'no_show', 'confirmed'],
  completed: ['no_show', 'confirmed', 'seated'],
  cancelled: ['completed', 'confirmed'],
  no_show: ['completed', 'confirmed'],
}

/** Whether the service of a reservation is over: only then is it known whether the guest came. */
export const isOver = ({ status, visited }: Pick<Reservation, 'status' | 'visited'>): boolean =>
  visited !== null && status !== 'completed'

/**
 * The states to offer, the likeliest first.
 * @param pms what the PMS says, where staff marked something else: always a way back
 */
export function nextStates(
  reservation: Pick<Reservation, 'status' | 'visited'>,
  pms?: ReservationStatus,
): ReservationStatus[] {
  const { status } = reservation
  const usual = (isOver(reservation) ? AFTERWARDS : DURING)[status]
  return pms && pms !== status && !usual.includes(pms) ? [...usual, pms] : usual
}
