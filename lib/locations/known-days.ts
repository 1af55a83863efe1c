/** Which days of a location are known: those the PMS was asked for; without a PMS, all. */
export interface KnownDays {
  pms_id: string | null
  known_from: string | null
  known_until: string | null
  is_active: boolean
}

/** At how many of some locations, and on how many of some days, there are data. */
export const KNOWN = ['all', 'some', 'none'] as const
export type Known = (typeof KNOWN)[number]

/** Whether a day (YYYY-MM-DD) of a location is known, so that no reservations means that there are none. */
export function isKnown({ pms_id, known_from, known_until }: KnownDays, date: string): boolean {
  if (pms_id === null) return true
  return known_from !== null && known_until !== null && known_from <= date && date <= known_until
}

/** Those locations of which a day is not known. Closed ones, which are no longer asked for, count only by themselves. */
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
