import { cookies } from 'next/headers'
import type { Session } from '@/lib/auth/session'
import { LOCATION_COOKIE } from '@/lib/locations/location-cookie'
import { listLocations } from '@/lib/organization/list-locations'
import { LocationSwitch } from './location-switch'

/** The header's choice of a location; nothing to choose for someone who works in one. */
export async function ChosenLocation({ session }: { session: Session }) {
  const [locations, store] = await Promise.all([listLocations(session), cookies()])
  if (locations.length < 2) return null
  const chosen = locations.find(({ id }) => id === store.get(LOCATION_COOKIE)?.value)?.id
  return <LocationSwitch locations={locations.map(({ id, name }) => ({ id, name }))} chosen={chosen} />
}
