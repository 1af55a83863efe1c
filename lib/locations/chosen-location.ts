import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { pageAddress, type Query } from '@/lib/http/page-address'
import { LOCATION_PARAMETER } from './location-cookie'
import type { Location } from './locations'

const address = pageAddress('', z.object({ [LOCATION_PARAMETER]: z.string().optional() }))

/**
 * The location of a page, from its address like in the header's switch; undefined for all. A location outside the given
 * ones (where the person works) counts as all, and the page's frame shows a message.
 */
export async function chosenLocation(
  query: Query,
  locations: readonly Location[],
): Promise<Location | undefined> {
  const { [LOCATION_PARAMETER]: asked } = address.read(query)
  return locations.find(({ id }) => id === asked)
}

/**
 * The time zone of what a page shows: of the chosen location, else the one that all active locations of the person
 * share, else the group's.
 */
export function zoneOf(
  { organization }: Pick<Session, 'organization'>,
  locations: readonly Location[],
  chosen: Location | undefined,
): string {
  if (chosen) return chosen.timezone
  const [shared, ...others] = new Set(
    locations.filter(({ is_active }) => is_active).map(({ timezone }) => timezone),
  )
  return shared !== undefined && others.length === 0 ? shared : organization.timezone
}

/** The active locations, and the location of a page about one service: the chosen one, or the only one. */
export async function servedLocation(
  query: Query,
  all: readonly Location[],
): Promise<{ location: Location | undefined; locations: Location[] }> {
  const locations = all.filter(({ is_active }) => is_active)
  const chosen = await chosenLocation(query, locations)
  return { location: chosen ?? (locations.length === 1 ? locations[0] : undefined), locations }
}
