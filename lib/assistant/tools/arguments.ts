import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { type Location, listLocations } from '@/lib/organization/list-locations'
import { normalizeText } from '@/lib/search'
import { ToolError } from './tool'

/** A date the database can hold, in years that mean something here. */
export const dateSchema = z.iso
  .date()
  .refine((date) => date >= '1990-01-01' && date <= '2100-12-31', 'outside of 1990–2100')

/**
 * The location that the model means, by name or a part of it that only one has.
 * @throws ToolError naming the caller's locations.
 */
export async function locationNamed(session: Session, name: string): Promise<Location> {
  const locations = await listLocations(session)
  const wanted = normalizeText(name)
  const exact = locations.filter((location) => normalizeText(location.name) === wanted)
  const similar = locations.filter((location) => normalizeText(location.name).includes(wanted))
  const [match, ...others] = exact.length > 0 ? exact : similar
  if (match && others.length === 0) return match
  const names = locations.slice(0, 50).map((location) => location.name)
  throw new ToolError(`No such location. The locations are: ${JSON.stringify(names)}`)
}
