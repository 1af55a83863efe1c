import type { Figure } from '../support/figures'
import { longFile, ROWS, wideFile } from './csv'
import type { Lab } from './lab'

const ROUNDS = 2

/** The most memory of a new process for a file of 50 MB; the worst round counts. */
export async function memory(lab: Lab): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [what, csv] of Object.entries({ '600,000 rows': longFile(), '5,000 wide rows': wideFile() })) {
    const peaks: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const peak = await lab.withApp(async (app) => {
        const { imported } = await app.import(csv)
        if (imported !== ROWS) throw new Error(`${ROWS} rows expected, ${imported} imported`)
        return app.peakMb()
      })
      peaks.push(peak)
    }
    const detail = `peaks ${peaks.map((peak) => peak.toFixed(0)).join(', ')} MB; file ${(Buffer.byteLength(csv) / 2 ** 20).toFixed(0)} MB`
    const name = `50 MB in ${what}: peak memory of a new process`
    figures.push({ name, measured: Math.max(...peaks), unit: 'MB', bound: 400, detail })
  }
  return figures
}
