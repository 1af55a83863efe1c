import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { LOCATION_SLUGS } from '@/lib/pms/location-slugs'

/**
 * Creates the fixed brands and locations that an organization does not have yet: brands by slug, locations by name,
 * with their slug in the PMS, average spend and first loyalty rules. A location of such a name without a slug gets it.
 * @param db the service client
 * @returns the names of the new ones
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
    pms_id: LOCATION_SLUGS[location.name]?.slug ?? null,
    average_spend_per_guest: LOCATION_SLUGS[location.name]?.averageSpend ?? null,
  }))
  const opened = await db.rpc('open_locations', { p_organization: organizationId, p_rows: locationRows })
  const brandNames = (newBrands ?? []).map(({ name }) => name)
  return { success: true, seeded: { brands: brandNames, locations: unwrap(opened) ?? [] } }
}

/** The three demo brands that seeding creates. */
export const SEED_BRANDS = [
  { name: 'Casa Lumbre', slug: 'casa-lumbre' },
  { name: 'Marisma', slug: 'marisma' },
  { name: 'Taberna Nébula', slug: 'taberna-nebula' },
] as const

/** A location to seed; `brand` is the brand's slug. */
export interface SeedLocation {
  brand: (typeof SEED_BRANDS)[number]['slug']
  name: string
  city: string
  address: string
  timezone: string
}

/** The five demo locations. */
export const SEED_LOCATIONS: readonly SeedLocation[] = [
  {
    brand: 'casa-lumbre',
    name: 'Casa Lumbre Chamberí',
    city: 'Madrid',
    address: 'Calle del Olmo Viejo 12, 28010 Madrid',
    timezone: 'Europe/Madrid',
  },
  {
    brand: 'casa-lumbre',
    name: 'Casa Lumbre Triana',
    city: 'Sevilla',
    address: 'Calle de la Almona Alta 7, 41010 Sevilla',
    timezone: 'Europe/Madrid',
  },
  {
    brand: 'marisma',
    name: 'Marisma Cabanyal',
    city: 'València',
    address: 'Carrer de la Barraca Blava 31, 46011 València',
    timezone: 'Europe/Madrid',
  },
  {
    brand: 'marisma',
    name: 'Marisma Las Canteras',
    city: 'Las Palmas de Gran Canaria',
    address: 'Paseo de la Marea Baja 5, 35010 Las Palmas de Gran Canaria',
    timezone: 'Atlantic/Canary',
  },
  {
    brand: 'taberna-nebula',
    name: 'Taberna Nébula Gràcia',
    city: 'Barcelona',
    address: 'Carrer del Forn de Vidre 18, 08012 Barcelona',
    timezone: 'Europe/Madrid',
  },
]
