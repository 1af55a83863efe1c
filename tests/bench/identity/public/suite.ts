import { readFileSync } from 'node:fs'
import { generateKeys } from '../../../../supabase/local/keys'
import { startCluster } from '../../../support/postgres/cluster'
import { startPostgresStack } from '../../../support/postgres/stack'
import type { Stack } from '../../../support/stack'
import type { Figure } from '../../support/figures'
import { secondConnection } from '../second-connection'
import { learn, scoreAll } from '../spanish/model'
import { DATASETS, type PublicRecord, readDataset } from './datasets'
import { type Agreement, agreementOfGroups, agreementOfPairs, carefulGroups, type Pair } from './groups'
import { pythonWithSplink, splinkPairs } from './splink'

const LIKELY = 0.5
const AT_ONCE = 1000

/**
 * How well the model finds the people of public data sets, learning from each set without its labels, and Splink beside
 * it. IDENTITY_DATASETS is the folder of the files (docs/identity.md says how to fetch them), IDENTITY_PYTHON a Python
 * with splink and pyarrow, without which Splink and the Parquet file are left out.
 */
export async function publicFigures(): Promise<Figure[]> {
  const folder = process.env.IDENTITY_DATASETS
  if (!folder)
    throw new Error('Set IDENTITY_DATASETS to the folder of the data sets: docs/identity.md, "Figures"')
  const python = pythonWithSplink()
  if (!python) console.log('No Python with Splink: its figures are left out')
  const figures: Figure[] = []
  const { connection, stop } = await startCluster()
  const stack = await startPostgresStack(connection, await generateKeys())
  const second = await secondConnection(connection, stack)
  try {
    for (const dataset of DATASETS) {
      const records = readDataset(folder, dataset, python)
      if (!records) {
        console.log(`${dataset.name}: not in ${folder}, or only readable with Python`)
        continue
      }
      console.log(`${dataset.name} …`)
      const truth = new Map(records.map(({ id, truth }) => [id, truth]))
      const ours = await sobremesaPairs([stack, second], dataset.name, records)
      const groups = agreementOfGroups(truth, carefulGroups(ours.pairs))
      figures.push(
        { ...f1Figure(`${dataset.name}: F1 of the groups`, groups), ...least(dataset.least) },
        f1Figure(`${dataset.name}: F1 of the pairs`, agreementOfPairs(truth, ours.pairs)),
        { name: `${dataset.name}: learned and scored`, measured: ours.seconds, unit: 's' },
        {
          name: `${dataset.name}: memory`,
          measured: ours.megabytes,
          unit: 'MB',
          detail: perRecord(ours.megabytes, records),
        },
      )
      if (!python) continue
      const theirs = splinkPairs(python, records)
      const best = bestOf(truth, theirs.pairs)
      figures.push(
        f1Figure(`${dataset.name}: Splink, groups at its best threshold`, best.groups),
        f1Figure(`${dataset.name}: Splink, pairs at its best threshold`, best.pairs),
        { name: `${dataset.name}: Splink`, measured: theirs.seconds, unit: 's' },
        {
          name: `${dataset.name}: Splink, memory`,
          measured: theirs.peak_mb,
          unit: 'MB',
          detail: perRecord(theirs.peak_mb, records),
        },
      )
    }
  } finally {
    await second.close()
    await stack.close()
    await stop()
  }
  return figures
}

const least = (bound: number | undefined) => (bound === undefined ? {} : { least: bound })

function f1Figure(name: string, { f1, precision, recall }: Agreement): Figure {
  return {
    name,
    measured: f1,
    unit: 'share',
    detail: `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`,
  }
}

function perRecord(megabytes: number, records: readonly PublicRecord[]): string {
  return `${((megabytes * 1024) / records.length).toFixed(1)} KB a record, ${records.length} records`
}

/** Splink has no threshold of its own: it gets the one that suits the labels best, of eight. */
function bestOf(truth: ReadonlyMap<string, string>, pairs: readonly Pair[]) {
  const tried = [0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999].map((threshold) => {
    const likely = pairs.filter(({ probability }) => probability >= threshold)
    return { pairs: agreementOfPairs(truth, likely), groups: agreementOfGroups(truth, carefulGroups(likely)) }
  })
  const best = (kind: 'pairs' | 'groups') =>
    tried.map((each) => each[kind]).reduce((one, other) => (other.f1 > one.f1 ? other : one))
  return { pairs: best('pairs'), groups: best('groups') }
}

type Connection = Pick<Stack, 'sql'>

/**
 * What the model finds among the records, in an organization of their own, on two connections, as Splink uses all cores.
 * Seconds include the comparison forms.
 */
async function sobremesaPairs(
  [stack, second]: [Stack, Connection],
  name: string,
  records: readonly PublicRecord[],
) {
  const both = [stack, second] as const
  const organization = await makeOrganization(stack, name)
  const people = emailsOnce(records)
  // The guests are there before, as Splink's records are: only what the model needs of them is counted.
  await stack.sql('alter table public.customers disable trigger customers_identity_new')
  const saved = await stack.sql<{ id: string }>(
    `insert into public.customers (organization_id, first_name, last_name, email, birth_date, address, job_title, notes)
     select $1, r.first_name, r.last_name, r.email, r.birth_date, r.address, r.job_title, r.id
     from jsonb_to_recordset($2::text::jsonb) as r (id text, first_name text, last_name text, email text,
       birth_date date, address text, job_title text)
     returning id::text`,
    [organization, JSON.stringify(people)],
  )
  await stack.sql('alter table public.customers enable trigger customers_identity_new')
  await stack.sql('analyze public.customers')
  const parts = Array.from({ length: Math.ceil(saved.length / AT_ONCE) }, (_, part) =>
    saved.slice(part * AT_ONCE, (part + 1) * AT_ONCE).map(({ id }) => id),
  )
  const memory = watchMemory(await Promise.all(both.map(backendOf)))
  const begin = performance.now()
  await Promise.all(
    both.map(async ({ sql }) => {
      for (let part = parts.pop(); part; part = parts.pop())
        await sql('select private.prepare_identities($1)', [part])
    }),
  )
  await stack.sql('analyze private.customer_identity')
  await learn(stack, organization)
  await Promise.all(both.map((each) => scoreAll(each, organization)))
  const seconds = (performance.now() - begin) / 1000
  const pairs = await stack.sql<Pair>(
    `select a.notes as one, b.notes as other, p.probability from public.identity_pairs p
     join public.customers a on a.id = p.first_id join public.customers b on b.id = p.second_id
     where p.organization_id = $1 and p.probability >= $2`,
    [organization, LIKELY],
  )
  return { pairs, seconds, megabytes: memory.stop() }
}

async function makeOrganization(stack: Stack, name: string): Promise<string> {
  const [organization] = await stack.sql<{ id: string }>(
    `insert into public.organizations (name, slug) values ($1, replace(lower($1), '_', '-')) returning id::text`,
    [name],
  )
  return organization?.id ?? ''
}

/** `customers.email` is unique in a group: who comes second with an address gets a +suffix, a bad address none. */
function emailsOnce(records: readonly PublicRecord[]): PublicRecord[] {
  const taken = new Map<string, number>()
  return records.map((record) => {
    const { email } = record
    if (!email || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return { ...record, email: null }
    const before = taken.get(email) ?? 0
    taken.set(email, before + 1)
    return { ...record, email: before === 0 ? email : email.replace('@', `+${before}@`) }
  })
}

async function backendOf({ sql }: Connection): Promise<number> {
  const [row] = await sql<{ pid: number }>('select pg_backend_pid() as pid')
  return row?.pid ?? 0
}

/** The most memory of processes together, the server's buffers counted in each, asked every 50 ms. */
function watchMemory(pids: readonly number[]): { stop: () => number } {
  let most = 0
  const look = () => {
    const sizes = pids.map((pid) =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
    )
    most = Math.max(most, sizes.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024)
  }
  const timer = setInterval(look, 50)
  return {
    stop: () => {
      look()
      clearInterval(timer)
      return most
    },
  }
}
