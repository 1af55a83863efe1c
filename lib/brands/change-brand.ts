import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { notFoundError } from '@/lib/http/refusals'
import { refuseBound } from '@/lib/locations/bound-to'
import { brandSchema } from '@/lib/organization/schema'
import type { brandChangesSchema } from './schema'

/**
 * Changes the given fields of a brand of the caller's organization.
 * @throws HttpError 403 for someone bound to locations; 404; DatabaseError 23505 for a slug that is taken.
 */
export async function changeBrand(
  session: Pick<Session, 'organization' | 'db' | 'user_id'>,
  id: string,
  changes: z.infer<typeof brandChangesSchema>,
) {
  await refuseBound(session)
  const mine = { id, organization_id: session.organization.id }
  const unchanged = Object.keys(changes).length === 0
  const query = unchanged
    ? session.db.from('brands').select('id, name, slug').match(mine)
    : serviceDb().rpc('save_brand', { p_organization: session.organization.id, p_id: id, p_fields: changes })
  const [found] = unwrap(await query) ?? []
  if (!found) throw notFoundError()
  return brandSchema.parse(found)
}
