import { leadDays } from './booking-curve'
import { dayNumber, localMinutes } from './calendar'
import type { Person } from './people'
import { createPicker } from './picker'
import { planDay } from './plan'
import { minutesSince, recordedStatus, statusAt, visitedAt } from './progress'
import { buildTruth } from './rows'
import type { PmsRow, TruthRow, Venue } from './types'

export type { ExternalRow, MappedRow, Shape, TruthRow } from './types'

export interface World {
  readonly seed: string
  readonly venues: readonly Venue[]
  readonly people: readonly Person[]
  /** The rows of a venue for a date `YYYY-MM-DD`, by time. Throws RangeError for an unknown slug or a bad date. */
  day(slug: string, date: string): PmsRow[]
  /** The same rows with their truth beside them. */
  truth(slug: string, date: string): TruthRow[]
}

export interface WorldOptions {
  seed: string
  /** At most 50. */
  venues: readonly Venue[]
  people: readonly Person[]
  /** Only statuses depend on it, and what the two options below leave out. */
  now: () => Date
  /** Multiplies the reservations per day; default 1. Scale the number of people alike. */
  scale?: number
  /** Leave out walk-ins that have not come yet, as a real PMS does; default false: all rows, whatever the time. */
  hideFutureWalkIns?: boolean
  /** Leave out bookings that are not made yet (see booking-curve.ts); default false. */
  hideUnmade?: boolean
}

/** A group of restaurants whose reservations follow from the seed and the date alone. */
export function createWorld(options: WorldOptions): World {
  const { seed, venues, people, now, scale = 1, hideFutureWalkIns = false, hideUnmade = false } = options
  // Ids leave 20,000 numbers a day for each of 50 venues.
  if (venues.length > 50) throw new RangeError('A world has at most 50 venues')
  const places = new Map(
    venues.map((venue, venueIndex) => [
      venue.slug,
      { venue, venueIndex, picker: createPicker(people, venue.slug) },
    ]),
  )

  function truth(slug: string, date: string): TruthRow[] {
    const place = places.get(slug)
    if (!place) throw new RangeError(`Unknown venue: ${slug}`)
    const localNow = localMinutes(now(), place.venue.timezone)
    const ahead = dayNumber(date) - Math.floor(localNow / 1440)
    return planDay({ seed, date, scale, ...place })
      .filter((booking) => !hideFutureWalkIns || !booking.walkIn || minutesSince(booking, localNow) >= 0)
      .filter((booking) => !hideUnmade || ahead <= leadDays(seed, booking))
      .map((booking) => {
        const status = recordedStatus(seed, place.venue.shape, booking, statusAt(booking, localNow))
        return {
          ...buildTruth(seed, place.venue, booking, status),
          visited: visitedAt(booking, localNow, status),
        }
      })
  }

  return { seed, venues, people, truth, day: (slug, date) => truth(slug, date).map((entry) => entry.row) }
}
