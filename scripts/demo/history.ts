import { addDays, localDate } from '@/lib/dates'
import { type PmsReservation, parseRow } from '@/lib/pms/parse-row'
import { DEMO_VENUES } from '../../tests/fakes/pms/demo-venues'
import { createDemoWorld } from '../../tests/fakes/pms/demo-world'
import { openGuestBook } from './guests'
import type { SeededLocation, Service } from './service-client'

/** The seed of the demo's guests; the simulator runs with the same one, so its regulars are ours. */
export const DEMO_SEED = 'sobremesa'
const MONTHS_OF_HISTORY_DAYS = 365
// The sync brings these itself. The first of them is seeded all the same: no gap should midnight pass meanwhile.
const SYNCED_DAYS = 7
const BATCH_ROWS = 4000

/** Saves a year of each location's reservations through the sync's own SQL function, oldest first, and their guests. */
export async function seedHistory(
  db: Service,
  organizationId: string,
  locations: SeededLocation[],
  scale: number,
): Promise<void> {
  const world = createDemoWorld({ seed: DEMO_SEED, now: () => new Date(), scale })
  const rowsOf = (slug: string, date: string) =>
    world.day(slug, date).flatMap((row) => {
      const parsed = parseRow(row)
      return parsed.ok ? [parsed.row] : []
    })
  const places = DEMO_VENUES.flatMap(({ name, slug, city, timezone }) => {
    const location = locations.find((known) => known.name === name)
    const batch: PmsReservation[] = []
    return location ? [{ id: location.id, slug, city, today: localDate(new Date(), timezone), batch }] : []
  })
  const tables = places.flatMap(({ slug, city, today }) => rowsOf(slug, today).map((row) => ({ row, city })))
  const expected = tables.map(({ row }) => row)
  const guests = openGuestBook(db, organizationId, localDate(new Date(), 'Europe/Madrid'), expected)

  async function save(place: (typeof places)[number]): Promise<void> {
    await guests.save()
    const rows = place.batch.splice(0) as never
    await db.rpc('sync_reservations', { p_location: place.id, p_rows: rows }).throwOnError()
  }
  for (let ago = MONTHS_OF_HISTORY_DAYS; ago >= SYNCED_DAYS; ago--) {
    for (const place of places) {
      const rows = rowsOf(place.slug, addDays(place.today, -ago))
      for (const row of rows) guests.meet(row, place.city)
      place.batch.push(...rows)
      if (place.batch.length >= BATCH_ROWS) await save(place)
    }
  }
  for (const { row, city } of tables) guests.meet(row, city)
  for (const place of places) {
    await save(place)
    const known = {
      known_from: addDays(place.today, -MONTHS_OF_HISTORY_DAYS),
      known_until: addDays(place.today, -SYNCED_DAYS),
    }
    await db.from('locations').update(known).eq('id', place.id).throwOnError()
  }
}
