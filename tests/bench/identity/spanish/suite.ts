import { writeFileSync } from 'node:fs'
import { generateKeys } from '../../../../supabase/local/keys'
import { startCluster } from '../../../support/postgres/cluster'
import { startPostgresStack } from '../../../support/postgres/stack'
import type { Stack } from '../../../support/stack'
import type { Figure } from '../../support/figures'
import { type BaseOptions, drawBase } from './base'
import { f1, judge, precision, type Verdict } from './judge'
import { fill, groupsShown, learn, scoreAll, suggestions, takeWeights } from './model'
import type { GuestRecord } from './records'
import { reportOf } from './report'
import { drawTrapPairs } from './trap-pairs'

// The weights are learned on one base and tried on others, of other seeds and other habits of asking.
const TRAINED: BaseOptions = { seed: 'learn', records: 26_000 }
const TRIED: BaseOptions[] = [
  { seed: 'madrid', records: 26_000 },
  { seed: 'club', records: 26_000, knowledge: 'club' },
  { seed: 'telephone', records: 26_000, knowledge: 'telephone' },
]
const TRAP_PAIRS = 1_000_000
const TRAPS_AT_ONCE = 50_000

/**
 * How well the model finds Spanish guests, on Postgres. IDENTITY_RECORDS and IDENTITY_TRAPS make it smaller,
 * IDENTITY_REPORT names a file that gets the whole verdicts, with IDENTITY_EXAMPLES (20) mistakes of each kind.
 */
export function spanishFigures(): Promise<Figure[]> {
  const report: string[] = []
  return withPostgres(async (stack) => {
    const trained = await fill(stack, `trained-${TRAINED.seed}`, drawBase(sized(TRAINED)))
    await learn(stack, trained)
    const figures: Figure[] = []
    for (const options of TRIED) {
      console.log(`${options.seed} …`)
      const { verdict, seconds, records } = await tryBase(stack, sized(options), trained)
      report.push(reportOf(options.seed, verdict, Number(process.env.IDENTITY_EXAMPLES ?? 20)))
      console.log(reportOf(options.seed, verdict).split('\n').slice(1, 4).join('\n'))
      figures.push(...figuresOf(options.seed, verdict, `${records} records in ${seconds.toFixed(0)} s`))
    }
    console.log('traps …')
    figures.push(await tryTraps(stack, trained, Number(process.env.IDENTITY_TRAPS ?? TRAP_PAIRS), report))
    if (process.env.IDENTITY_REPORT) writeFileSync(process.env.IDENTITY_REPORT, `${report.join('\n\n')}\n`)
    return figures
  })
}

function sized(options: BaseOptions): BaseOptions {
  return { ...options, records: Number(process.env.IDENTITY_RECORDS ?? options.records) }
}

async function tryBase(
  stack: Stack,
  options: BaseOptions,
  trained: string,
): Promise<{ verdict: Verdict; seconds: number; records: number }> {
  const records = new Map<string, GuestRecord>()
  for (const record of drawBase(options)) records.set(record.id, record)
  const organization = await fill(stack, `tried-${options.seed}`, records.values())
  await takeWeights(stack, trained, organization)
  const seconds = await scoreAll(stack, organization)
  const { likely, pairs } = await suggestions(stack, organization)
  const groups = await groupsShown(stack, organization)
  await empty(stack)
  return { verdict: judge(records, pairs, likely, groups), seconds, records: records.size }
}

function figuresOf(name: string, { groups, pairs, certain }: Verdict, detail: string): Figure[] {
  const share = (measured: number, least?: number) => ({
    measured,
    unit: 'share' as const,
    ...(least === undefined ? {} : { least }),
  })
  return [
    { name: `${name}: F1 of the groups shown`, ...share(f1(groups), 0.92), detail },
    { name: `${name}: precision of the groups shown`, ...share(precision(groups), 0.95) },
    {
      name: `${name}: F1 of the pairs`,
      ...share(f1(pairs)),
      detail: `precision ${precision(pairs).toFixed(4)}`,
    },
    {
      name: `${name}: precision of what is certain`,
      ...share(precision(certain), 0.99),
      detail: `${certain.suggested} of ${certain.truth} true pairs`,
    },
  ]
}

/** Pairs of two people, in bases of their own: none may be certain. */
async function tryTraps(stack: Stack, trained: string, pairs: number, report: string[]): Promise<Figure> {
  let [joined, suggested] = [0, 0]
  for (let done = 0; done < pairs; done += TRAPS_AT_ONCE) {
    const records = new Map<string, GuestRecord>()
    for (const record of drawTrapPairs(`${TRAINED.seed}-${done}`, Math.min(TRAPS_AT_ONCE, pairs - done)))
      records.set(record.id, record)
    const organization = await fill(stack, `traps-${done}`, records.values())
    await takeWeights(stack, trained, organization)
    await scoreAll(stack, organization)
    const found = await suggestions(stack, organization)
    await empty(stack)
    const verdict = judge(records, found.pairs, found.likely, [])
    joined += verdict.certain.suggested
    suggested += verdict.pairs.suggested
    console.log(`  ${Math.min(pairs, done + TRAPS_AT_ONCE)} pairs: ${joined} certain, ${suggested} suggested`)
    if (verdict.wrong.length > 0)
      report.push(reportOf(`traps from ${done}`, verdict, Number(process.env.IDENTITY_EXAMPLES ?? 20)))
  }
  return {
    name: 'two people of the traps joined as certain',
    measured: joined,
    unit: 'pairs',
    bound: 0,
    detail: `of ${pairs} pairs; ${suggested} suggested to staff`,
  }
}

/** Takes the guests away again, so that the next base meets small tables; what was learned stays. */
async function empty(stack: Stack): Promise<void> {
  await stack.sql('truncate public.customers cascade')
}

async function withPostgres<T>(work: (stack: Stack) => Promise<T>): Promise<T> {
  const { connection, stop } = await startCluster()
  try {
    const stack = await startPostgresStack(connection, await generateKeys())
    try {
      return await work(stack)
    } finally {
      await stack.close()
    }
  } finally {
    await stop()
  }
}
