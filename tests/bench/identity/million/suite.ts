import { generateKeys } from '../../../../supabase/local/keys'
import { type ClusterConnection, startCluster } from '../../../support/postgres/cluster'
import { startPostgresStack } from '../../../support/postgres/stack'
import type { Stack } from '../../../support/stack'
import type { Figure } from '../../support/figures'
import { startWorker, type Worker } from '../../support/worker'
import {
  type Agreement,
  agreementOfGroups,
  agreementOfPairs,
  carefulGroups,
  type Pair,
} from '../public/groups'
import { secondConnection } from '../second-connection'
import { drawBase } from '../spanish/base'
import { addRecords } from '../spanish/model'
import type { GuestRecord } from '../spanish/records'
import type { MillionAnswer, MillionQuestion } from './app-worker'
import { type Used, watchBackends } from './backends'

const SIZE = 1_000_000
const SEED = 'million'
const NEWCOMERS = 500
const READS = 30
const WARM_UP = 10

/**
 * The first scoring of `size` Spanish guests on Postgres, by the steps of the job: how
 * long it takes, how good it is, and how long a new guest and the page of duplicates take afterwards.
 */
export async function millionFigures({ size = SIZE }: { size?: number }): Promise<Figure[]> {
  const { connection, stop } = await startCluster()
  try {
    const stack = await startPostgresStack(connection, await generateKeys())
    const app = startWorker<MillionQuestion, MillionAnswer>(new URL('app-worker.ts', import.meta.url))
    try {
      return await measure(connection, stack, app, size)
    } finally {
      await app.stop()
      await stack.close()
    }
  } finally {
    await stop()
  }
}

async function measure(
  connection: ClusterConnection,
  stack: Stack,
  app: Worker<MillionQuestion, MillionAnswer>,
  size: number,
): Promise<Figure[]> {
  const address = { kind: stack.kind, url: stack.url, keys: stack.keys }
  const { organization } = await app.ask({ stack: address, ask: 'group' })
  const truth = new Map<string, string>()
  const filling = performance.now()
  const second = await secondConnection(connection, stack)
  await addRecords(
    [stack.sql, second.sql],
    organization,
    noted(drawBase({ seed: SEED, records: size }), truth),
  )
  await second.close()
  await stack.sql('vacuum analyze public.customers, private.customer_identity')
  console.log(`${truth.size} records in ${((performance.now() - filling) / 1000).toFixed(0)} s; scoring …`)
  const backends = watchBackends(stack)
  let used: Used = { seconds: 0, megabytes: 0 }
  // What stops the scoring is to be seen, not what the watch then meets.
  const { learnedMs, scoredMs, longestMs } = await app
    .ask({ stack: address, ask: 'score', organization })
    .finally(async () => {
      used = await backends.stop()
    })
  const pairs = await stack.sql<Pair>(
    `select first_id::text as one, second_id::text as other, probability from public.identity_pairs
     where organization_id = $1`,
    [organization],
  )
  const [certain] = await stack.sql<{ pairs: number }>(
    'select count(*)::integer as pairs from public.identity_pairs where organization_id = $1 and certain',
    [organization],
  )
  await stack.sql('analyze public.identity_pairs')
  const news = await newcomers(stack, organization)
  const { reads, groups } = await app.ask({ stack: address, ask: 'read', times: READS + WARM_UP })
  const found = agreementOfPairs(truth, pairs)
  return [
    {
      name: `${size} guests: first scoring`,
      measured: (learnedMs + scoredMs) / 1000,
      unit: 's',
      bound: 600,
      detail: `learning ${(learnedMs / 1000).toFixed(0)} s; ${used.seconds.toFixed(0)} s of processor, ${((1e6 * used.seconds) / truth.size).toFixed(0)} µs a guest`,
    },
    { name: 'the longest statement', measured: longestMs / 1000, unit: 's', bound: 8 },
    {
      name: 'memory of the largest backend',
      measured: used.megabytes,
      unit: 'MB',
      detail: 'without shared buffers',
    },
    {
      ...f1Figure('F1 of the pairs', found),
      least: 0.88,
      detail: `${shares(found)}; ${pairs.length} pairs, ${certain?.pairs ?? 0} certain`,
    },
    f1Figure('F1 of the groups', agreementOfGroups(truth, carefulGroups(pairs))),
    { name: 'a new guest, p95', measured: at(0.95, news), unit: 's', bound: 0.02, detail: spread(news) },
    {
      name: 'the page of duplicates, p95',
      measured: at(0.95, reads.slice(WARM_UP)) / 1000,
      unit: 's',
      bound: 0.15,
      detail: `${groups} groups; ${spread(reads.slice(WARM_UP).map((ms) => ms / 1000))}`,
    },
  ]
}

function* noted(records: Iterable<GuestRecord>, truth: Map<string, string>): Generator<GuestRecord> {
  for (const record of records) {
    truth.set(record.id, String(record.person))
    yield record
  }
}

/** How long it takes to find who a new guest may be, in seconds: people of another base, one after another. */
async function newcomers(stack: Stack, organization: string): Promise<number[]> {
  const times: number[] = []
  for (const { id: _, ...person } of drawBase({ seed: `${SEED}/new`, records: NEWCOMERS + WARM_UP })) {
    const begin = performance.now()
    await stack.sql('select * from private.score_new($1, $2::text::jsonb)', [
      organization,
      JSON.stringify(person),
    ])
    times.push((performance.now() - begin) / 1000)
  }
  return times.slice(WARM_UP)
}

const shares = ({ precision, recall }: Agreement) =>
  `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`

const f1Figure = (name: string, agreement: Agreement): Figure => ({
  name,
  measured: agreement.f1,
  unit: 'share',
  detail: shares(agreement),
})

function at(share: number, values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}

function spread(seconds: readonly number[]): string {
  return `median ${(1000 * at(0.5, seconds)).toFixed(1)} ms, worst ${(1000 * at(1, seconds)).toFixed(1)} ms of ${seconds.length}`
}
