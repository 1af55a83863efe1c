import type { Shape } from './types'

export interface DemoVenue {
  brand: string
  name: string
  slug: string
  city: string
  address: string
  timezone: string
  /** EUR a guest. */
  averageSpend: number
  shape: Shape
  /** Guests on an average open day. */
  coversPerDay: number
  /** 0 is Sunday. */
  closedWeekdays: number[]
}

/** Three invented brands. */
export const DEMO_BRANDS = [
  { name: 'Casa Lumbre', slug: 'casa-lumbre', description: 'Cocina de brasa' },
  { name: 'Marisma', slug: 'marisma', description: 'Arrocería' },
  { name: 'Taberna Nébula', slug: 'taberna-nebula', description: 'Taberna de tapas y vinos' },
]

/** Guests in the demo's pool at scale 1; about 3,000 with contact data come within a year. */
export const DEMO_PEOPLE = 3_500

/** Five invented restaurants: together about 20,000 reservations a year at scale 1. */
export const DEMO_VENUES: DemoVenue[] = [
  {
    brand: 'Casa Lumbre',
    name: 'Casa Lumbre Chamberí',
    slug: 'casa-lumbre-chamberi',
    city: 'Madrid',
    address: 'Calle del Olmo Viejo 12, 28010 Madrid',
    timezone: 'Europe/Madrid',
    averageSpend: 42,
    shape: 'external',
    coversPerDay: 46,
    closedWeekdays: [],
  },
  {
    brand: 'Casa Lumbre',
    name: 'Casa Lumbre Triana',
    slug: 'casa-lumbre-triana',
    city: 'Sevilla',
    address: 'Calle de la Almona Alta 7, 41010 Sevilla',
    timezone: 'Europe/Madrid',
    averageSpend: 36,
    shape: 'external',
    coversPerDay: 45,
    closedWeekdays: [1],
  },
  {
    brand: 'Marisma',
    name: 'Marisma Cabanyal',
    slug: 'marisma-cabanyal',
    city: 'València',
    address: 'Carrer de la Barraca Blava 31, 46011 València',
    timezone: 'Europe/Madrid',
    averageSpend: 48,
    shape: 'mapped',
    coversPerDay: 49,
    closedWeekdays: [1],
  },
  {
    brand: 'Marisma',
    name: 'Marisma Las Canteras',
    slug: 'marisma-las-canteras',
    city: 'Las Palmas de Gran Canaria',
    address: 'Paseo de la Marea Baja 5, 35010 Las Palmas de Gran Canaria',
    timezone: 'Atlantic/Canary',
    averageSpend: 33,
    shape: 'mapped',
    coversPerDay: 37,
    closedWeekdays: [2],
  },
  {
    brand: 'Taberna Nébula',
    name: 'Taberna Nébula Gràcia',
    slug: 'taberna-nebula-gracia',
    city: 'Barcelona',
    address: 'Carrer del Forn de Vidre 18, 08012 Barcelona',
    timezone: 'Europe/Madrid',
    averageSpend: 24,
    shape: 'external',
    coversPerDay: 42,
    closedWeekdays: [1],
  },
]
