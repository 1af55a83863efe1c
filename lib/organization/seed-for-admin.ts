import 'server-only'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { seedLocations } from './seed-locations'

/** GET /api/admin/seed-locations: seeds the caller's organization with the service's rights, as the contract says. */
export function seedForAdmin({ organization }: Pick<Session, 'organization'>) {
  return seedLocations(serviceDb(), organization.id)
}
