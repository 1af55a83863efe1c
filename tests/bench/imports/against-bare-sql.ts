import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvReader } from '@/lib/imports/read-csv'
import { groupRows } from '@/lib/imports/run-import'
import { type Figure, median, seconds } from '../support/figures'
import { runFile } from '../sync/bare-sql'
import { mixedFile, ROWS } from './csv'
import type { Lab } from './lab'

const ROUNDS = 5
const CHUNK_ROWS = 1000

/** 5,000 rows into 200,000 customers: over HTTP, as bare SQL, and the same file over HTTP once more. */
export function againstBareSql(lab: Lab): Promise<Figure[]> {
  return lab.withApp(async (app) => {
    await app.import(mixedFile(0))
    const whole: number[] = []
    const bare: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [1 + 2 * round, 2 + 2 * round]
      // The one goes first as often as the other.
      if (round % 2 === 1) bare.push(await bareRun(lab, one))
      const { imported, milliseconds } = await app.import(mixedFile(other))
      if (imported !== ROWS) throw new Error(`${ROWS} rows expected, ${imported} imported`)
      whole.push(milliseconds)
      if (round % 2 === 0) bare.push(await bareRun(lab, one))
    }
    const before = await versions(lab)
    const again = await app.import(mixedFile(2 * ROUNDS))
    const after = await versions(lab)
    const written = [...after].filter(([id, version]) => before.get(id) !== version).length
    const ratios = whole.map((time, round) => time / (bare[round] ?? Number.NaN))
    return [
      {
        name: '5,000 rows into 200,000 customers, over HTTP',
        measured: median(whole) / 1000,
        unit: 's',
        bound: 3,
        detail: whole.map(seconds).join(', '),
      },
      {
        name: 'the same / bare SQL function in psql',
        measured: median(ratios),
        unit: '×',
        bound: 2,
        detail: `statements ${bare.map(seconds).join(', ')}`,
      },
      {
        name: 'the same file again: row versions written',
        measured: written,
        unit: 'versions',
        bound: 0,
        detail: `of ${before.size.toLocaleString('en')}; ${seconds(again.milliseconds)}`,
      },
    ]
  })
}

async function bareRun({ cluster, stack, group, directory }: Lab, round: number): Promise<number> {
  const reader = csvReader(new Date())
  reader.push(Buffer.from(mixedFile(round)))
  const file = reader.end()
  if ('problem' in file || file.rows.length !== ROWS) throw new Error('The file is not what it should be')
  const [run] = await stack.sql<{ id: string }>(
    `insert into public.import_runs (organization_id, location_id, file_name) values ($1, $2, 'psql.csv') returning id::text`,
    [group.id, group.locations[0]?.id],
  )
  const statements = groupRows(file.rows, [], CHUNK_ROWS).map(
    (chunk) => `select public.import_customers('${run?.id}', $rows$${JSON.stringify(chunk)}$rows$);\n`,
  )
  const script = join(directory, 'chunks.sql')
  writeFileSync(script, statements.join(''))
  const times = await runFile(cluster, stack, script)
  const [saved] = await stack.sql<{ n: number }>(
    'select imported as n from public.import_runs where id = $1',
    [run?.id],
  )
  if (saved?.n !== ROWS) throw new Error('psql did not save all rows')
  return times.statements
}

async function versions({ stack }: Lab): Promise<Map<string, string>> {
  const rows = await stack.sql<{ id: string; version: string }>(
    `select id::text, xmin::text || ctid::text as version from public.customers
     union all select id::text, xmin::text || ctid::text from public.reservations`,
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}
