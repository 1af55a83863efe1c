import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { assignedLocationSchema } from './schema'

const assignedSchema = z.array(assignedLocationSchema)

/** GET /api/organization/context: the caller's organization; null, with a message, without a session. */
export function organizationContext(session: Session | null) {
  if (!session)
    return { success: true, data: null, isPlatformAdmin: false, message: 'No hay organización activa' }
  const { id, name, slug } = session.organization
  return { success: true, data: { id, name, slug, isPlatformAdminView: false }, isPlatformAdmin: false }
}

/**
 * The same with `?view=assignments`: the locations the caller works in, each with its brand.
 * @throws HttpError 401 without a session.
 */
export async function organizationAssignments(session: Session | null) {
  if (!session) throw new HttpError(401, { error: 'Unauthorized' })
  const columns =
    'id, name, city, address, brand_id, pms_id, timezone, average_spend_per_guest, count_unmarked_visits, ' +
    'is_active, known_until, brand:brands(id, name, slug)'
  const locations = assignedSchema.parse(
    unwrap(await session.db.from('locations').select(columns).order('name')),
  )
  const brandIds = new Set(locations.flatMap(({ brand_id }) => brand_id ?? []))
  return { user_id: session.user_id, locations, brand_ids: [...brandIds] }
}
