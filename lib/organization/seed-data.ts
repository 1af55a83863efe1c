/** The three invented brands that seeding creates; the demo is the same group. */
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

/** The five invented locations. */
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
