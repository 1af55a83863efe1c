import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import type { rulesSchema } from './schema'

/**
 * Saves a location's loyalty rules, all or none. Customers keep their tiers until they are next evaluated.
 * @throws HttpError 403 for a location of another organization, 400 for an unknown tier.
 */
export async function saveRules(
  { db }: Pick<Session, 'db'>,
  { locationId, rules }: z.infer<typeof rulesSchema>,
) {
  const outcome = unwrap(await db.rpc('save_loyalty_rules', { p_location: locationId, p_rules: rules }))
  if (outcome === 'foreign_location') {
    throw new HttpError(403, { error: 'No autorizado para esta ubicación' })
  }
  if (outcome !== 'saved') throw new HttpError(400, { error: 'Datos incompletos' })
  return { success: true }
}
