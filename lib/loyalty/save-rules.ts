import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { foreignLocation } from './foreign-location'
import type { rulesSchema } from './schema'

/**
 * Saves a location's loyalty rules, all or none. Customers keep their tiers until they are next evaluated.
 * @throws HttpError 403 for a location the caller does not work in, or where the organization limits marketing to
 * roles; 400 for an unknown tier.
 */
export async function saveRules(
  { db }: Pick<Session, 'db'>,
  { locationId, rules }: z.infer<typeof rulesSchema>,
) {
  const outcome = unwrap(await db.rpc('save_loyalty_rules', { p_location: locationId, p_rules: rules }))
  if (outcome === 'foreign_location') throw foreignLocation()
  if (outcome === 'forbidden') throw new HttpError(403, { error: 'Forbidden' })
  if (outcome !== 'saved') throw new HttpError(400, { error: 'Datos incompletos' })
  return { success: true }
}
