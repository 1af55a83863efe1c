import { type Figure, median } from '../support/figures'
import type { SyncAnswer } from './app-worker'
import type { Fresh, Lab } from './lab'

const FEW = 1000
const MANY = 100_000
const ROUNDS = 3
const FEW_EACH_ROUND = 3

interface Round {
  many: SyncAnswer
  few: SyncAnswer[]
}

/** What a row costs at 100,000 rows beside 1,000. */
export async function growth(lab: Lab): Promise<Figure[]> {
  const rounds = await lab.withPms({ rows: FEW }, (fresh) =>
    lab.withPms({ rows: MANY }, (freshMany) => measureRounds(lab, fresh, freshMany)),
  )
  const ratios = rounds.map(({ many, few }) => perRow(many) / median(few.map(perRow)))
  const micros = (answers: SyncAnswer[]) => answers.map((one) => (perRow(one) * 1000).toFixed(0)).join(', ')
  const many = rounds.map((round) => round.many)
  const few = rounds.flatMap((round) => round.few)
  return [
    {
      name: 'cost per row at 100,000 rows / at 1,000',
      measured: median(ratios),
      unit: '×',
      bound: 1.3,
      detail: `${micros(many)} µs a row; ${micros(few)} µs a row`,
    },
  ]
}

/** Many and few side by side, so that whatever else the machine does weighs on both. */
async function measureRounds(lab: Lab, fresh: Fresh, freshMany: Fresh): Promise<Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const few: SyncAnswer[] = []
    for (let run = 0; run < FEW_EACH_ROUND; run++) few.push(await measure(lab, fresh, fresh, FEW))
    rounds.push({ few, many: await measure(lab, fresh, freshMany, MANY) })
  }
  return rounds
}

/** One sync into a fresh database, by a process that has already synced 1,000 rows into another. */
function measure(lab: Lab, warm: Fresh, fresh: Fresh, rows: number): Promise<SyncAnswer> {
  return lab.withApp(async (app) => {
    await warm((place) => place.sync(app))
    const answer = await fresh((place) => place.sync(app))
    if (answer.created !== rows) throw new Error(`${rows} reservations expected, ${answer.created} created`)
    return answer
  })
}

const perRow = ({ milliseconds, received }: SyncAnswer) => milliseconds / received
