import type { Stack } from '../../../support/stack'
import type { SuggestedPair } from './judge'
import type { GuestRecord } from './records'

const COLUMNS =
  'id uuid, first_name text, last_name text, email text, phone text, birth_date date, company text, job_title text, address text'
const NAMES = COLUMNS.replaceAll(/ (uuid|text|date)/g, '')

const AT_ONCE = 1000

/** Makes an organization and puts the records into its customers. Returns its id. */
export async function fill(stack: Stack, name: string, records: Iterable<GuestRecord>): Promise<string> {
  const [organization] = await stack.sql<{ id: string }>(
    'insert into public.organizations (name, slug) values ($1, $1) returning id::text',
    [name],
  )
  const id = organization?.id ?? ''
  await addRecords([stack.sql], id, records)
  await stack.sql('analyze public.customers')
  return id
}

/** Puts the records into the organization's customers, a thousand a statement, by as many connections as there are. */
export async function addRecords(
  connections: readonly Stack['sql'][],
  organization: string,
  records: Iterable<GuestRecord>,
): Promise<void> {
  const left = records[Symbol.iterator]()
  const next = () => {
    const batch: GuestRecord[] = []
    while (batch.length < AT_ONCE) {
      const { done, value } = left.next()
      if (done) break
      batch.push(value)
    }
    return batch
  }
  const save = async (sql: Stack['sql']) => {
    for (let batch = next(); batch.length > 0; batch = next())
      await sql(
        `insert into public.customers (organization_id, ${NAMES})
         select $1, ${NAMES} from jsonb_to_recordset($2::text::jsonb) as r (${COLUMNS})`,
        [organization, JSON.stringify(batch)],
      )
  }
  await Promise.all(connections.map(save))
}

// What learning is worth: IDENTITY_WEIGHTS=shipped leaves it out.
const isShipped = process.env.IDENTITY_WEIGHTS === 'shipped'

/** Learns the weights of the organization from its own records, step by step. */
export async function learn(stack: Stack, organization: string): Promise<void> {
  if (isShipped) return
  for (let step: number | null = 0; step !== null; ) step = await learnStep(stack, organization, step)
}

async function learnStep(stack: Stack, organization: string, step: number): Promise<number | null> {
  const [answer] = await stack.sql<{ next: number | null }>(
    `select (private.learn_weights($1, $2) ->> 'next')::integer as next`,
    [organization, step],
  )
  return answer?.next ?? null
}

/** Takes over the weights and the settings that another organization has learned; names are counted anew, as they cost nothing. */
export async function takeWeights(stack: Stack, from: string, to: string): Promise<void> {
  await stack.sql('delete from public.identity_weights where organization_id = $1', [to])
  await stack.sql('delete from public.identity_settings where organization_id = $1', [to])
  for (const table of ['identity_weights', 'identity_settings'])
    await stack.sql(
      `insert into public.${table}
       select (jsonb_populate_record(w, jsonb_build_object('organization_id', $2::uuid))).*
       from public.${table} w where w.organization_id = $1`,
      [from, to],
    )
  if (!isShipped) await learnStep(stack, to, 0)
  await stack.sql('analyze private.customer_identity')
}

/** Scores all records of the organization, step by step. Returns the seconds it took. */
export async function scoreAll(stack: Pick<Stack, 'sql'>, organization: string): Promise<number> {
  const begin = performance.now()
  for (let more = true; more; ) {
    const [step] = await stack.sql<{ more: boolean }>(
      `select (private.score_step($1) ->> 'more')::boolean as more`,
      [organization],
    )
    more = step?.more ?? false
  }
  return (performance.now() - begin) / 1000
}

/** The groups that the page of duplicates shows, of all of the organization's customers. */
export async function groupsShown(stack: Stack, organization: string): Promise<string[][]> {
  const rows = await stack.sql<{ ids: string[] }>(
    `with shown as materialized (
       select row_number() over (order by p.probability desc, p.first_id, p.second_id) as place,
         private.group_of(p.first_id, p.second_id, 0, false) as ids
       from public.identity_pairs p where p.organization_id = $1
     ) select ids::text[] as ids from shown where ids is not null order by place`,
    [organization],
  )
  // As the page does: who stands in a group already begins no other.
  const seen = new Set<string>()
  return rows
    .map(({ ids }) => ids)
    .filter((ids) => {
      if (ids.some((id) => seen.has(id))) return false
      for (const id of ids) seen.add(id)
      return true
    })
}

/** What the model suggests, and from which probability on it shows it. */
export async function suggestions(
  stack: Stack,
  organization: string,
): Promise<{ likely: number; pairs: SuggestedPair[] }> {
  const pairs = await stack.sql<SuggestedPair>(
    `select first_id::text, second_id::text, probability, certain from public.identity_pairs where organization_id = $1`,
    [organization],
  )
  const [settings] = await stack.sql<{ likely: number }>(
    'select likely from public.identity_settings where organization_id = $1',
    [organization],
  )
  return { likely: settings?.likely ?? 0.5, pairs }
}
