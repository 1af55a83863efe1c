import { dayNumber } from './calendar'
import type { Booking } from './plan'
import type { LocalStatus } from './types'

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
