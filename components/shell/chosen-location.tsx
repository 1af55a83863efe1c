import type { Session } from '@/lib/auth/session'
import { choice } from '@/lib/http/choice'
import { LOCATION_COOKIE } from '@/lib/locations/location-cookie'
import { listLocations } from '@/lib/organization/list-locations'
import { LocationSwitch } from './location-switch'

/** The header's choice of a location; nothing to choose for someone who works in one. */
export async function ChosenLocation({ session }: { session: Session }) {
  const [locations, kept] = await Promise.all([listLocations(session), choice(LOCATION_COOKIE)])
  if (locations.length < 2) return null
  const chosen = locations.find(({ id }) => id === kept)?.id
  return <LocationSwitch locations={locations.map(({ id, name }) => ({ id, name }))} chosen={chosen} />
}
