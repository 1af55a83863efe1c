import { parseRow } from '../../lib/pms/parse-row'
import { addDays, localDate } from '../../lib/pms/sync/window'
import { DEMO_VENUES } from '../../tests/fakes/pms/demo-venues'
import { createDemoWorld } from '../../tests/fakes/pms/demo-world'
import type { SeededLocation, Service } from './seed'

/** The seed of the demo's guests; the simulator runs with the same one, so its regulars are ours. */
export const DEMO_SEED = 'sobremesa'
const MONTHS_OF_HISTORY_DAYS = 365
// The sync brings the last seven days itself.
const SYNCED_DAYS = 7
const BATCH_ROWS = 4000

/** Saves a year of each location's reservations through the sync's own SQL function, oldest first. */
export async function seedHistory(db: Service, locations: SeededLocation[], scale: number): Promise<void> {
  const world = createDemoWorld({ seed: DEMO_SEED, now: () => new Date(), scale })
  for (const venue of DEMO_VENUES) {
    const location = locations.find(({ name }) => name === venue.name)
    if (!location) continue
    const today = localDate(new Date(), venue.timezone)
    let batch: object[] = []
    const save = async () => {
      if (batch.length === 0) return
      await db.rpc('sync_reservations', { p_location: location.id, p_rows: batch as never }).throwOnError()
      batch = []
    }
    for (let ago = MONTHS_OF_HISTORY_DAYS; ago > SYNCED_DAYS; ago--) {
      for (const row of world.day(venue.slug, addDays(today, -ago))) {
        const parsed = parseRow(row)
        if (parsed.ok) batch.push(parsed.row)
      }
      if (batch.length >= BATCH_ROWS) await save()
    }
    await save()
  }
}
