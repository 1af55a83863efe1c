import 'server-only'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { refuseBound } from '@/lib/locations/bound-to'
import { seedLocations } from './seed-locations'

/**
 * GET /api/admin/seed-locations: seeds the caller's organization with the service's rights, as the contract says.
 * @throws HttpError 403 for someone bound to locations.
 */
export async function seedForAdmin(session: Pick<Session, 'db' | 'organization' | 'user_id'>) {
  await refuseBound(session)
  return seedLocations(serviceDb(), session.organization.id)
}
