import { join } from 'node:path'
import { type Figure, median, seconds } from '../support/figures'
import { runFile } from './bare-sql'
import type { Fresh, Lab } from './lab'

const ROWS = 20_000
const ROUNDS = 5

interface Round {
  first: number
  second: number
  bare: number
  psql: number
}

/** 20,000 new reservations: the whole sync beside the bare SQL function with the same batches. */
export function againstBareSql(lab: Lab): Promise<Figure[]> {
  const batches = join(lab.directory, 'batches.sql')
  return lab.withPms({ rows: ROWS }, async (fresh) => {
    await fresh((place) => lab.withApp((app) => place.sync(app, batches)))
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // The one goes first as often as the other.
      const early = round % 2 === 1 ? await bareRun(lab, fresh, batches) : undefined
      const sync = await syncTwice(lab, fresh)
      rounds.push({ ...sync, ...(early ?? (await bareRun(lab, fresh, batches))) })
    }
    const list = (field: keyof Round) => rounds.map((round) => seconds(round[field])).join(', ')
    const ratio = (over: keyof Round, under: keyof Round) =>
      median(rounds.map((round) => round[over] / round[under]))
    const rows = `${ROWS.toLocaleString('en')} reservations`
    return [
      {
        name: `${rows}: sync / bare SQL function in psql`,
        measured: ratio('first', 'bare'),
        unit: '×',
        bound: 2,
        detail: `sync ${list('first')}; statements ${list('bare')}`,
      },
      {
        name: `${rows}: sync / whole psql process`,
        measured: ratio('first', 'psql'),
        unit: '×',
        detail: `psql ${list('psql')}`,
      },
      {
        name: `${rows}: second sync, nothing changed / first`,
        measured: ratio('second', 'first'),
        unit: '×',
        detail: `second ${list('second')}`,
      },
    ]
  })
}

function syncTwice(lab: Lab, fresh: Fresh): Promise<Pick<Round, 'first' | 'second'>> {
  return fresh(async (place) => {
    const first = await lab.withApp(place.sync)
    const second = await lab.withApp(place.sync)
    if (first.created !== ROWS || second.created !== 0) throw new Error('The sync did not save all rows once')
    return { first: first.milliseconds, second: second.milliseconds }
  })
}

function bareRun(lab: Lab, fresh: Fresh, file: string): Promise<Pick<Round, 'bare' | 'psql'>> {
  return fresh(async ({ stack }) => {
    const times = await runFile(lab.cluster, stack, file)
    const [saved] = await stack.sql<{ rows: number }>('select count(*)::int as rows from public.reservations')
    if (saved?.rows !== ROWS) throw new Error('psql did not save all rows')
    return { bare: times.statements, psql: times.process }
  })
}
