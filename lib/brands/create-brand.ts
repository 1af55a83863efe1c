import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { refuseBound } from '@/lib/locations/bound-to'
import { brandSchema } from '@/lib/organization/schema'
import { type newBrandSchema, slugOf } from './schema'

/**
 * Adds a brand to the caller's organization.
 * @throws HttpError 403 for someone bound to locations; 400 when no slug can be made of the name; DatabaseError 23505 for a slug that is taken.
 */
export async function createBrand(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
  { name, slug = slugOf(name) }: z.infer<typeof newBrandSchema>,
) {
  if (slug === '') throw new HttpError(400, { error: 'slug: needed, for this name gives none' })
  await refuseBound(session)
  const parameters = {
    p_organization: session.organization.id,
    p_id: null as never,
    p_fields: { name, slug },
  }
  return brandSchema.parse(unwrap(await serviceDb().rpc('save_brand', parameters))?.[0])
}
