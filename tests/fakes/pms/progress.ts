import { dayNumber } from './calendar'
import type { Booking } from './plan'
import { createRandom } from './random'
import type { LocalStatus, Shape } from './types'

/**
 * The status of a reservation at a moment.
 * @param localNow the venue's wall clock in minutes since 1970-01-01 00:00, see `localMinutes`
 */
export function statusAt(booking: Booking, localNow: number): LocalStatus {
  const since = minutesSince(booking, localNow)
  if (booking.fate === 'cancelled' && since >= -booking.cancelLead) return 'cancelled'
  if (since < 0) return since < -booking.confirmLead ? 'pending' : 'confirmed'
  if (booking.fate === 'no_show') return 'no_show'
  return since < booking.stay ? 'seated' : 'completed'
}

/** Minutes since the reservation's start; negative before it. */
export function minutesSince(booking: Booking, localNow: number): number {
  return localNow - (dayNumber(booking.date) * 1440 + booking.minutes)
}

const SERVICE_ENDS = 6 * 60
const UNMARKED_SHARE = 0.35

/**
 * What the PMS records of what happened. Numeric codes have none for a finished visit, and hosts who use them often
 * do not even mark the arrival: such a booking stays confirmed.
 */
export function recordedStatus(
  seed: string,
  shape: Shape,
  booking: Booking,
  status: LocalStatus,
): LocalStatus {
  if (shape === 'mapped' || (status !== 'seated' && status !== 'completed')) return status
  const unmarked = !booking.walkIn && createRandom(`${seed}|mark|${booking.id}`).chance(UNMARKED_SHARE)
  return unmarked ? 'confirmed' : 'seated'
}

/** Whether the guest came, as one knows at a moment; `recorded` is the status on record then. */
export function visitedAt(booking: Booking, localNow: number, recorded: LocalStatus): boolean | null {
  if (recorded === 'completed') return true
  const day = dayNumber(booking.date) - (booking.minutes < SERVICE_ENDS ? 1 : 0)
  return localNow < (day + 1) * 1440 + SERVICE_ENDS ? null : booking.fate === 'completed'
}
