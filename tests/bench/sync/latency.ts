import { type Figure, median, seconds } from '../support/figures'
import type { Lab } from './lab'

const ROUNDS = 3
const LOCATIONS = 5
const LATENCY_MS = 100

/** A usual run: 200 reservations in five restaurants, in a process that has just started. */
export function latency(lab: Lab): Promise<Figure[]> {
  const scenario = { locations: LOCATIONS, rows: 40, latencyMs: LATENCY_MS }
  return lab.withPms(scenario, async (fresh) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { milliseconds, created } = await fresh((place) => lab.withApp(place.sync))
      if (created !== 200) throw new Error(`200 reservations expected, ${created} created`)
      times.push(milliseconds)
    }
    const measured = (median(times) - LOCATIONS * LATENCY_MS) / 1000
    const name = '200 reservations, 5 locations: time without the 5 × 100 ms of the PMS'
    return [{ name, measured, unit: 's', bound: 1, detail: times.map(seconds).join(', ') }]
  })
}
