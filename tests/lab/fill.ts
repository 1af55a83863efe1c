import { bookingSteps, reservationStep } from './fill/bookings'
import { aboutCustomers, customerSteps, pointsStep } from './fill/customers'
import { derivedSteps } from './fill/derived'
import { guestSteps } from './fill/guests'
import { messageSteps } from './fill/messages'
import type { Step } from './fill/steps'
import type { LabGroup, LabSize } from './settings'

/** A connection: `pg`'s client, or one like it. */
export interface Writer {
  query: <Row>(sql: string, values?: unknown[]) => Promise<{ rows: Row[] }>
}

/** Tables that are filled without their indexes, which are built afterwards. */
const FILLED = ['customers', 'reservations', 'loyalty_points', 'messages']
const BATCH = 20_000
/** Reservations of one statement. */
const SLICE = 500_000

/**
 * Fills an empty group by set-based SQL, as the database's superuser over one connection or several. Triggers are off:
 * they would be too slow row by row, or for a statement of a million rows. `derivedSteps` does their work.
 * @throws when the product's own recounts, of some guests and of the kept figures, would change anything.
 */
export async function fillLab(clients: Writer[], group: LabGroup, size: LabSize): Promise<void> {
  const [client] = clients
  if (!client) return
  const run = (step: Step) => runStep(client, step)
  for (const one of clients) {
    await one.query('set session_replication_role = replica')
    await one.query('select setseed(0.5)')
  }
  await withoutIndexes(client)
  for (const step of guestSteps(group.organization, size.guests, size.reservations)) await run(step)
  for (const step of bookingSteps()) await run(step)
  for (const step of customerSteps(group.organization)) await run(step)
  await timed('reservations', async () => {
    const slices = Array.from({ length: Math.ceil(size.reservations / SLICE) }, (_, n) => n * SLICE)
    await inParallel(clients, slices, (one, from) =>
      runStep(one, reservationStep(group.organization, from + 1, from + SLICE)),
    )
  })
  await run({ ...pointsStep(group.organization), name: 'points' })
  for (const step of messageSteps(group.organization, group.past)) await run(step)
  for (const step of aboutCustomers(group.organization)) await run(step)
  await timed('indexes', () =>
    inParallel(clients, ['reservations', 'customers', 'messages', 'loyalty_points'], async (one, table) => {
      await one.query(`reindex table public.${table}`)
    }),
  )
  await run({ sql: `analyze ${FILLED.map((table) => `public.${table}`).join(', ')}` })
  const batches = Array.from({ length: Math.ceil(size.guests / BATCH) }, (_, n) => n * BATCH)
  await timed('rhythms', () =>
    inParallel(clients, batches, (one, from) => recount(one, 'refresh_rhythms', from)),
  )
  if (size.identity)
    await timed('comparison forms', () =>
      inParallel(clients, batches, (one, from) => recount(one, 'prepare_identities', from)),
    )
  for (const step of derivedSteps()) await run(step)
  await timed('check against the product’s own recounts', () => check(client, group.organization))
  await run({ sql: 'drop schema lab cascade' })
  await run({ sql: 'vacuum (analyze, freeze)', name: 'vacuum' })
  for (const one of clients) await one.query('set session_replication_role = origin')
}

async function recount(client: Writer, name: string, from: number): Promise<void> {
  await client.query(`select private.${name}(array(select id from lab.guests where n > $1 and n <= $2))`, [
    from,
    from + BATCH,
  ])
}

/** @throws when the product's recounts would change anything: then the lab is not what the product makes. */
async function check(client: Writer, organization: string): Promise<void> {
  await client.query('begin')
  await client.query(
    `create temporary table checked on commit drop as select id, xmin::text as version from public.customers
     where id in (select id from lab.guests where n <= 3 or n % 500 = 1)`,
  )
  await client.query('select private.refresh_customers(array(select id from checked))')
  const { rows } = await client.query<{ changed: number }>(
    `select count(*)::integer as guests, count(*) filter (where c.xmin::text <> k.version)::integer as changed,
       min(c.id::text) filter (where c.xmin::text <> k.version) as example
     from checked k join public.customers c using (id)`,
  )
  const { rows: kept } = await client.query<{ counts: unknown[]; days: { mended?: unknown[] } }>(
    'select public.check_customer_counts($1) as counts, public.check_daily_figures($1) as days',
    [organization],
  )
  await client.query('rollback')
  if (rows[0]?.changed !== 0) throw new Error(`The recount changed ${JSON.stringify(rows[0])}`)
  const mended = [...(kept[0]?.counts ?? []), ...(kept[0]?.days.mended ?? [])]
  if (mended.length > 0)
    throw new Error(`The recount of figures mended ${JSON.stringify(mended.slice(0, 5))}`)
}

/** Postgres inserts into no index that is not ready; `reindex` makes each ready again. */
async function withoutIndexes(client: Writer): Promise<void> {
  await client.query(
    `update pg_catalog.pg_index set indisready = false, indisvalid = false
     where indrelid = any($1::regclass[])`,
    [FILLED.map((table) => `public.${table}`)],
  )
}

async function runStep(client: Writer, { name, sql, values }: Step): Promise<void> {
  const work = async () => {
    await client.query(sql, values)
  }
  await (name ? timed(name, work) : work())
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const begin = performance.now()
  await work()
  console.log(`  ${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`)
}

/** Each item once, by whichever client is free. */
async function inParallel<Item>(
  clients: Writer[],
  items: Item[],
  work: (client: Writer, item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  await Promise.all(
    clients.map(async (client) => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(client, item)
    }),
  )
}
