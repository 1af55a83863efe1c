import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { SEED_BRANDS, SEED_LOCATIONS } from './seed-data'

/**
 * Creates the fixed brands and locations that an organization does not have yet (brands by slug, locations by
 * name, with their first loyalty rules), and answers the names of the new ones.
 * @param db the service client
 * @throws DatabaseError
 */
export async function seedLocations(db: Db, organizationId: string) {
  const mine = { organization_id: organizationId }
  const brandRows = SEED_BRANDS.map((brand) => ({ ...brand, ...mine }))
  const newBrands = unwrap(
    await db
      .from('brands')
      .upsert(brandRows, { onConflict: 'organization_id,slug', ignoreDuplicates: true })
      .select('name'),
  )
  const slugs = SEED_BRANDS.map(({ slug }) => slug)
  const brands = unwrap(await db.from('brands').select('id, slug').match(mine).in('slug', slugs))
  const idBySlug = new Map(brands?.map(({ slug, id }) => [slug, id]))
  const locationRows = SEED_LOCATIONS.map(({ brand, ...location }) => ({
    ...location,
    brand_id: idBySlug.get(brand) ?? null,
  }))
  const opened = await db.rpc('open_locations', { p_organization: organizationId, p_rows: locationRows })
  const brandNames = (newBrands ?? []).map(({ name }) => name)
  return { success: true, seeded: { brands: brandNames, locations: unwrap(opened) ?? [] } }
}
