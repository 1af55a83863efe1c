import { DEMO_VENUES } from '../../tests/fakes/pms/demo-venues'
import { demoPlace } from './floor-plan'
import type { SeededLocation, Service } from './service-client'

/** The shifts of each restaurant, on the days on which it opens. */
export const SHIFTS = [
  { name: 'Comida', opens: '13:00', closes: '17:00' },
  { name: 'Cena', opens: '20:00', closes: '01:30' },
]
/** Zone, the letter its tables begin with, how many they are, and how many guests each seats. */
const ZONES = [
  ['Sala', 'S', 18, 4],
  ['Terraza', 'T', 18, 4],
  ['Barra', 'B', 18, 2],
  ['Privado', 'P', 2, 14],
] as const

/** The shifts and tables of each location, with their plan, as the simulator's bookings use them. */
export async function seedHours(
  db: Service,
  organization_id: string,
  locations: SeededLocation[],
): Promise<void> {
  const places = locations.flatMap(({ id, name }) => {
    const venue = DEMO_VENUES.find((one) => one.name === name)
    return venue ? [{ location_id: id, venue }] : []
  })
  const shifts = places.flatMap(({ location_id, venue }) => {
    const weekdays = [1, 2, 3, 4, 5, 6, 7].filter((day) => !venue.closedWeekdays.includes(day % 7))
    const capacity = Math.ceil(venue.coversPerDay * 0.9)
    return SHIFTS.map((shift) => ({ organization_id, location_id, ...shift, weekdays, capacity }))
  })
  await db.from('shifts').insert(shifts).throwOnError()
  const tables = places.flatMap(({ location_id }) =>
    ZONES.flatMap(([zone, letter, count, capacity]) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ organization_id, location_id, zone, name: `${letter}${index + 1}`, capacity },
        ...demoPlace(zone, index),
      })),
    ),
  )
  await db.from('dining_tables').insert(tables).throwOnError()
}
