import 'server-only'
import { param, type Query } from '@/components/ui/query'
import { choice } from '@/lib/http/choice'
import type { Location } from '@/lib/organization/list-locations'
import { ALL_LOCATIONS, LOCATION_COOKIE } from './location-cookie'

/**
 * The location a page is about, undefined for all of them: what `?location=` names, else what was chosen in the header.
 * An id that is none of these locations (those the person works in) counts as absent.
 */
export async function chosenLocation(
  query: Query,
  locations: readonly Location[],
): Promise<Location | undefined> {
  const asked = param(query, 'location')
  if (asked === ALL_LOCATIONS) return undefined
  const withId = (id: string | undefined) => locations.find((location) => location.id === id)
  return withId(asked) ?? withId(await choice(LOCATION_COOKIE))
}
