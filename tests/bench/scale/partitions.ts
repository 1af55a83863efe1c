import type { Client } from 'pg'
import { type Figure, median } from '../support/figures'
import type { Ground } from './place'

const SCHEMA = 'bench_partitions'
/** The newest rows of each table, at most. */
const MOST_ROWS = 2_000_000
const ROUNDS = 7
const WRITTEN = 20_000
const QUEUED = 50_000

interface Table {
  name: 'reservations' | 'messages'
  /** The column of the month. A generated one such as service_date cannot partition a table. */
  month: string
  statements: Statement[]
}

/** The same statement on both tables: `T` is the table. */
interface Statement {
  name: string
  sql: string
  values?: (picked: Picked) => unknown[]
}

/** What the statements ask for: ids and keys of rows that are there. */
interface Picked {
  organization: string
  places: string[]
  customers: string[]
  keys: string[]
  day: string
  monthStart: string
}

const NEW_ID = 'private.new_id()'
const NEW_KEY = `'bench-' || gen_random_uuid()`

const TABLES: Table[] = [
  {
    name: 'reservations',
    month: 'reservation_date',
    statements: [
      {
        name: 'a day’s first rows',
        sql: `select * from T where location_id = any($1) and service_date = $2 and reservation_date between $2 and $2::date + 1
          order by service_order, id limit 100`,
        values: ({ places, day }) => [places, day],
      },
      {
        name: 'a week by day, place and status',
        sql: `select location_id, service_date, status, count(*), sum(party_size) from T where location_id = any($1)
          and service_date between $2::date - 6 and $2::date and reservation_date between $2::date - 6 and $2::date + 1
          group by 1, 2, 3`,
        values: ({ places, day }) => [places, day],
      },
      {
        name: 'the last 25 of each of 20 guests',
        sql: `select r.* from unnest($1::uuid[]) as c (id) cross join lateral (
          select * from T where customer_id = c.id order by service_order desc limit 25) as r`,
        values: ({ customers }) => [customers.slice(0, 20)],
      },
      {
        name: 'the newest 50',
        sql: 'select * from T where organization_id = $1 order by created_at desc limit 50',
        values: ({ organization }) => [organization],
      },
      {
        name: 'the sync’s look-up of 500 bookings',
        sql: 'select id, status from T where organization_id = $1 and external_id = any($2)',
        values: ({ organization, keys }) => [organization, keys],
      },
      { name: `insert ${WRITTEN} bookings`, sql: inserts('external_id') },
      {
        name: `change ${WRITTEN} statuses`,
        sql: `update T set status = 'seated' where id in (select id from T where reservation_date >= $1 limit ${WRITTEN})`,
        values: ({ monthStart }) => [monthStart],
      },
    ],
  },
  {
    name: 'messages',
    month: 'created_at',
    statements: [
      {
        name: 'the newest 50',
        sql: 'select * from T where organization_id = $1 order by created_at desc, id desc limit 50',
        values: ({ organization }) => [organization],
      },
      {
        name: 'the last 25 of each of 20 guests',
        sql: `select m.* from unnest($1::uuid[]) as c (id) cross join lateral (
          select * from T where customer_id = c.id order by created_at desc, id desc limit 25) as m`,
        values: ({ customers }) => [customers.slice(0, 20)],
      },
      {
        name: 'the look-up of 500 keys',
        sql: 'select id from T where organization_id = $1 and dedupe_key = any($2)',
        values: ({ organization, keys }) => [organization, keys],
      },
      {
        name: 'the claim of 500',
        sql: `update T set status = 'sending', lease_until = now() where id in (select id from T
          where organization_id = $1 and channel = 'email' and status = 'queued' and not_before <= now()
          order by not_before, id limit 500 for update skip locked)`,
        values: ({ organization }) => [organization],
      },
      { name: `insert ${WRITTEN} messages`, sql: inserts('dedupe_key') },
    ],
  },
]

/** Copies rows under new ids and keys; the columns are filled in when the tables are there. */
function inserts(key: string): string {
  return `insert into T (COLUMNS) select ${key} from T limit ${WRITTEN}`
}

/**
 * Reservations and messages, each as one table and partitioned by month, with the indexes that the product has: what
 * its statements take, as partitioned / plain. Unique indexes get the month's column, which partitions demand.
 */
export async function partitions({ bare }: Ground): Promise<Figure[]> {
  await bare.query(`create schema ${SCHEMA}`)
  const figures: Figure[] = []
  for (const table of TABLES) figures.push(...(await compare(bare, table)))
  return figures
}

async function compare(bare: Client, table: Table): Promise<Figure[]> {
  const columns = await copy(bare, table)
  const picked = await pick(bare, table)
  const [plain, parted] = ['plain', 'parted'].map((kind) => `${SCHEMA}.${table.name}_${kind}`)
  const figures: Figure[] = []
  for (const { name, sql, values } of table.statements) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round++)
      for (const [index, target] of [plain, parted].entries()) {
        const text = withColumns(sql, columns).replace(/\bT\b/g, target ?? '')
        const time = await rolledBack(bare, text, values?.(picked) ?? [])
        if (round > 0) times[index]?.push(time)
      }
    figures.push(ratio(`${table.name}, ${name}`, times))
  }
  figures.push(await oldestMonth(bare, table, plain ?? '', parted ?? ''))
  return figures
}

const ratio = (name: string, [plain, parted]: [number[], number[]]): Figure => ({
  name: `${name}: partitioned / plain`,
  measured: median(parted) / median(plain),
  unit: '×',
  detail: `${median(parted).toFixed(1)} and ${median(plain).toFixed(1)} ms, medians of ${ROUNDS}`,
})

async function rolledBack(bare: Client, sql: string, values: unknown[]): Promise<number> {
  await bare.query('begin')
  const begin = performance.now()
  await bare.query(sql, values)
  const time = performance.now() - begin
  await bare.query('rollback')
  return time
}

/** Deleting the oldest month: a statement on the plain table, dropping a partition on the other. */
async function oldestMonth(bare: Client, { name, month }: Table, plain: string, parted: string) {
  const { rows } = await bare.query<{ start: string; n: number }>(
    `select date_trunc('month', ${month})::date::text as start, count(*)::integer as n from ${plain} group by 1 order by 1 limit 1`,
  )
  const start = rows[0]?.start ?? ''
  const deleted = await rolledBack(
    bare,
    `delete from ${plain} where ${month} >= $1::date and ${month} < $1::date + interval '1 month'`,
    [start],
  )
  const dropped = await rolledBack(bare, `drop table ${partitionOf(parted, start)}`, [])
  return {
    ...ratio(`${name}, its oldest month goes`, [[deleted], [dropped]]),
    detail: `${dropped.toFixed(1)} and ${deleted.toFixed(1)} ms for ${rows[0]?.n} rows; the vacuum after the delete is not counted`,
  }
}

const partitionOf = (parted: string, start: string) => `${parted}_${start.slice(0, 7).replace('-', '_')}`

const withColumns = (sql: string, columns: string[]): string => {
  const [, key] = /\(COLUMNS\) select (\w+)/.exec(sql) ?? []
  // A guest has one message of a run: copies are of another.
  const fresh: Record<string, string> = { id: NEW_ID, run_id: NEW_ID, [key ?? '']: NEW_KEY }
  const values = columns.map((column) => fresh[column] ?? column)
  return sql.replace(/\(COLUMNS\) select \w+/, `(${columns.join(', ')}) select ${values.join(', ')}`)
}

/** Fills both tables, indexes them, and returns the columns that are not generated. */
async function copy(bare: Client, { name, month }: Table): Promise<string[]> {
  const { rows } = await bare.query<{ column: string }>(
    `select column_name as column from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [name],
  )
  const columns = rows.map(({ column }) => column)
  const [plain, parted] = [`${SCHEMA}.${name}_plain`, `${SCHEMA}.${name}_parted`]
  await bare.query(`create table ${plain} (like public.${name} including defaults including generated)`)
  await bare.query(`insert into ${plain} (${columns.join(', ')}) select ${columns.join(', ')} from public.${name}
    order by ${month} desc limit ${MOST_ROWS}`)
  if (name === 'messages')
    await bare.query(`update ${plain} set status = 'queued', channel = 'email', not_before = now() - interval '1 hour'
      where id in (select id from ${plain} order by created_at desc limit ${QUEUED})`)
  await bare.query(
    `create table ${parted} (like public.${name} including defaults including generated) partition by range (${month})`,
  )
  const { rows: months } = await bare.query<{ start: string }>(
    `select start::date::text from generate_series((select date_trunc('month', min(${month})) from ${plain}),
       (select max(${month}) from ${plain}) + interval '1 month', interval '1 month') as start`,
  )
  for (const { start } of months)
    await bare.query(`create table ${partitionOf(parted, start)} partition of ${parted}
      for values from ('${start}') to ('${start}'::date + interval '1 month')`)
  await bare.query(`insert into ${parted} (${columns.join(', ')}) select ${columns.join(', ')} from ${plain}`)
  for (const definition of await indexesOf(bare, name)) {
    await bare.query(indexOn(definition, plain))
    await bare.query(indexOn(definition, parted, month))
  }
  await bare.query(`analyze ${plain}`)
  await bare.query(`analyze ${parted}`)
  return columns
}

async function indexesOf(bare: Client, name: string): Promise<string[]> {
  const { rows } = await bare.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where schemaname = 'public' and tablename = $1`,
    [name],
  )
  return rows.map(({ indexdef }) => indexdef)
}

/** The same index on another table; with `month` a unique one gets that column at its end. */
function indexOn(definition: string, table: string, month?: string): string {
  const moved = definition.replace(/INDEX \S+ ON \S+/, `INDEX ON ${table}`)
  if (!month || !moved.startsWith('CREATE UNIQUE')) return moved
  const open = moved.indexOf('(')
  let depth = 0
  let close = open
  for (let at = open; at < moved.length; at++) {
    depth += moved[at] === '(' ? 1 : moved[at] === ')' ? -1 : 0
    if (depth === 0) {
      close = at
      break
    }
  }
  return `${moved.slice(0, close)}, ${month}${moved.slice(close)}`
}

async function pick(bare: Client, { name }: Table): Promise<Picked> {
  const table = `${SCHEMA}.${name}_plain`
  const key = name === 'messages' ? 'dedupe_key' : 'external_id'
  const { rows } = await bare.query<{ customers: string[]; keys: string[] }>(
    `select array_agg(distinct customer_id) filter (where customer_id is not null) as customers, array_agg(${key}) as keys
     from (select customer_id, ${key} from ${table} where ${key} is not null order by hashtext(id::text) limit 500) as t`,
  )
  const { rows: places } = await bare.query<{ id: string; organization_id: string }>(
    'select id, organization_id from public.locations',
  )
  const day = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
  return {
    organization: places[0]?.organization_id ?? '',
    places: places.map(({ id }) => id),
    customers: rows[0]?.customers ?? [],
    keys: rows[0]?.keys ?? [],
    day,
    monthStart: `${day.slice(0, 7)}-01`,
  }
}
