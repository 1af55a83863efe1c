import type { Figure } from '../support/figures'
import type { Lab } from './lab'

const ROWS = 100_000
const ROUNDS = 4

/**
 * The most memory that a process takes for 100,000 reservations of one location; the worst round counts.
 * A process that has just started takes more than one that has synced before, whose heap has settled.
 */
export function memory(lab: Lab): Promise<Figure[]> {
  return lab.withPms({ rows: ROWS }, async (fresh) => {
    const peaks: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { created, peakMb } = await fresh((place) => lab.withApp(place.sync))
      if (created !== ROWS) throw new Error(`${ROWS} reservations expected, ${created} created`)
      peaks.push(peakMb)
    }
    const name = '100,000 reservations: peak memory of a new process'
    const detail = `peaks ${peaks.map((peak) => peak.toFixed(0)).join(', ')} MB`
    return [{ name, measured: Math.max(...peaks), unit: 'MB', bound: 400, detail }]
  })
}
