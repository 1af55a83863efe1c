import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { refuseBound } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { decodeKey, encodeKey } from '@/lib/http/cursor'
import { invalidInput, notFoundError, refuse } from '@/lib/http/errors'
import { type brandChangesSchema, brandSchema, type newBrandSchema, slugOf } from './schema'

const COLUMNS = 'id, name, slug, postal_address'

/** A keyset page of the organization's brands, by slug (unique in it). */
export async function listBrands({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  let query = db.from('brands').select(COLUMNS).order('slug')
  if (page.cursor !== undefined) query = query.gt('slug', decodeKey(page.cursor))
  const rows = z.array(brandSchema).parse(unwrap(await query.limit(page.limit + 1)))
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return { data: rows.slice(0, page.limit), next_cursor: last ? encodeKey(last.slug) : null }
}

/** The names of those of the brands that there still are, in order. */
export async function brandNames({ db }: Pick<Session, 'db'>, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const found = unwrap(
    await db
      .from('brands')
      .select('name')
      .in('id', [...ids])
      .order('name'),
  )
  return (found ?? []).map(({ name }) => name)
}

/**
 * Adds a brand to the caller's organization.
 * @throws HttpError 403 for people bound to locations, 400 when the name gives no slug; DatabaseError 23505 for a slug
 * that is taken.
 */
export async function createBrand(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  { name, slug = slugOf(name), ...more }: z.infer<typeof newBrandSchema>,
) {
  if (slug === '')
    throw invalidInput({ path: 'slug', code: 'required', message: 'needed, for this name gives none' })
  await refuseBound(session)
  const parameters = {
    p_organization: session.organization.id,
    p_id: null as never,
    p_fields: { name, slug, ...more },
  }
  return brandSchema.parse(unwrap(await serviceDb().rpc('save_brand', parameters))?.[0])
}

/**
 * Changes the given fields of a brand of the caller's organization.
 * @throws HttpError 403 for people bound to locations, 404; DatabaseError 23505 for a slug that is taken.
 */
export async function changeBrand(
  session: Pick<Session, 'organization' | 'db' | 'user_id' | 'role'>,
  id: string,
  changes: z.infer<typeof brandChangesSchema>,
) {
  await refuseBound(session)
  const mine = { id, organization_id: session.organization.id }
  const unchanged = Object.keys(changes).length === 0
  const query = unchanged
    ? session.db.from('brands').select(COLUMNS).match(mine)
    : serviceDb().rpc('save_brand', { p_organization: session.organization.id, p_id: id, p_fields: changes })
  const [found] = unwrap(await query) ?? []
  if (!found) throw notFoundError()
  return brandSchema.parse(found)
}

/**
 * Deletes a brand without locations.
 * @throws HttpError 404, or 409 when it has locations.
 */
export async function deleteBrand({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  const outcome = unwrap(await db.rpc('delete_brand', { p_brand: id }))
  refuse(outcome, { in_use: 'BRAND_IN_USE' })
}
