import { type Figure, median } from '../support/figures'
import type { SyncAnswer } from './app-worker'
import type { Lab } from './lab'

const FEW = 1000
const MANY = 100_000

/** What a row costs at 100,000 rows beside 1,000, and the memory that the many take. */
export async function growth(lab: Lab): Promise<Figure[]> {
  const few = await perRow(lab, FEW, 5)
  const many = await perRow(lab, MANY, 2)
  const micros = (rows: number[]) => `${rows.map((row) => (row * 1000).toFixed(0)).join(', ')} µs a row`
  const peak = Math.max(...many.answers.map((answer) => answer.peakMb))
  const resting = median(many.answers.map((answer) => answer.restingMb))
  return [
    {
      name: 'cost per row at 100,000 rows / at 1,000',
      measured: median(many.costs) / median(few.costs),
      unit: '×',
      bound: 1.3,
      detail: `${micros(many.costs)}; ${micros(few.costs)}`,
    },
    {
      name: 'peak memory of the process at 100,000 rows',
      measured: peak,
      unit: 'MB',
      bound: 400,
      detail: `${resting.toFixed(0)} MB before the sync`,
    },
  ]
}

/** Milliseconds a row in fresh databases, each by a process that has synced before. */
function perRow(lab: Lab, rows: number, rounds: number): Promise<{ costs: number[]; answers: SyncAnswer[] }> {
  return lab.withPms({ rows: FEW }, (warm) =>
    lab.withPms({ rows }, async (fresh) => {
      const answers: SyncAnswer[] = []
      for (let round = 0; round < rounds; round++) {
        const answer = await lab.withApp(async (app) => {
          for (let run = 0; run < 2; run++) await warm((place) => place.sync(app))
          return fresh((place) => place.sync(app))
        })
        if (answer.created !== rows)
          throw new Error(`${rows} reservations expected, ${answer.created} created`)
        answers.push(answer)
      }
      return { costs: answers.map((answer) => answer.milliseconds / rows), answers }
    }),
  )
}
