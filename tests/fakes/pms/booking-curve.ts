import type { Booking } from './plan'
import { createRandom } from './random'

const DAYS = 8
// Large parties and a tenth of the others plan well ahead.
const DAYS_OF_PLANNERS = 24
const LARGE_PARTY = 7

/**
 * How many days before its date a booking is made: most in the last two weeks, few two months ahead. Days far ahead
 * thus have few bookings, and fill as they come nearer. A walk-in is made when it comes.
 */
export function leadDays(seed: string, booking: Booking): number {
  if (booking.walkIn) return 0
  const random = createRandom(`${seed}|lead|${booking.id}`)
  const plans = random.chance(0.1) || booking.partySize >= LARGE_PARTY
  return Math.floor(-Math.log(1 - random.next()) * (plans ? DAYS_OF_PLANNERS : DAYS))
}
