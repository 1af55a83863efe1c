import { SEED_BRANDS, SEED_LOCATIONS, type SeedLocation } from '@/lib/organization/seed'
import { LOCATION_SLUGS } from '@/lib/pms/location-slugs'
import type { Shape } from './types'

export interface DemoVenue extends Omit<SeedLocation, 'brand'> {
  /** The brand's name. */
  brand: string
  slug: string
  /** EUR a guest. */
  averageSpend: number
  shape: Shape
  /** Guests on an average open day. */
  coversPerDay: number
  /** 0 is Sunday. */
  closedWeekdays: number[]
}

/** Guests in the demo's pool at scale 1; about 3,000 with contact data come within a year. */
export const DEMO_PEOPLE = 3_500

type Habits = Pick<DemoVenue, 'shape' | 'coversPerDay' | 'closedWeekdays'>

const HABITS: Record<string, Habits> = {
  'Casa Lumbre Chamberí': {
    shape: 'external',
    coversPerDay: 46,
    closedWeekdays: [],
  },
  'Casa Lumbre Triana': {
    shape: 'external',
    coversPerDay: 45,
    closedWeekdays: [1],
  },
  'Marisma Cabanyal': {
    shape: 'mapped',
    coversPerDay: 49,
    closedWeekdays: [1],
  },
  'Marisma Las Canteras': {
    shape: 'mapped',
    coversPerDay: 37,
    closedWeekdays: [2],
  },
  'Taberna Nébula Gràcia': {
    shape: 'external',
    coversPerDay: 42,
    closedWeekdays: [1],
  },
}

/** The five seeded restaurants with their habits: together about 20,000 reservations a year at scale 1. */
export const DEMO_VENUES: DemoVenue[] = SEED_LOCATIONS.map((location) => {
  const habits = HABITS[location.name]
  const inPms = LOCATION_SLUGS[location.name]
  if (!habits || !inPms) throw new Error(`${location.name} has no habits, or no slug`)
  const brand = SEED_BRANDS.find(({ slug }) => slug === location.brand)?.name ?? ''
  return { ...location, ...inPms, ...habits, brand }
})
