/** The days of a location with known data: those fetched from the PMS; without a PMS, all. */
export interface KnownDays {
  pms_id: string | null
  known_from: string | null
  known_until: string | null
  is_active: boolean
}

/** How many of the given locations and days have known data. */
export const KNOWN = ['all', 'some', 'none'] as const
export type Known = (typeof KNOWN)[number]

/** Whether a day (YYYY-MM-DD) of a location is known, so that no reservations means that there are none. */
export function isKnown({ pms_id, known_from, known_until }: KnownDays, date: string): boolean {
  if (pms_id === null) return true
  return known_from !== null && known_until !== null && known_from <= date && date <= known_until
}

/**
 * The locations where a day is not known. Inactive ones, which are no longer fetched, count only when they are alone.
 */
export function unknownAt<L extends KnownDays>(locations: readonly L[], date: string): L[] {
  return counting(locations).filter((location) => !isKnown(location, date))
}

/** Whether all, some or none of the days of the locations are known. */
export function knownOf(locations: readonly KnownDays[], dates: readonly string[]): Known {
  const expected = counting(locations).length * dates.length
  const unknown = dates.reduce((sum, date) => sum + unknownAt(locations, date).length, 0)
  if (unknown === 0) return 'all'
  return unknown < expected ? 'some' : 'none'
}

function counting<L extends KnownDays>(locations: readonly L[]): readonly L[] {
  const active = locations.filter(({ is_active }) => is_active)
  return active.length > 0 ? active : locations
}
