import { afterEach, beforeEach, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { createRandom } from '../fakes/pms/random'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group

beforeEach(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Cifras', [{ name: 'Norte', slug: 'norte', averageSpend: 20 }])
  await stack.sql('alter table public.customers set (autovacuum_enabled = false)')
  await stack.sql('alter table public.reservations set (autovacuum_enabled = false)')
})
afterEach(async () => {
  await stack.sql('alter table public.customers reset (autovacuum_enabled)')
  await stack.sql('alter table public.reservations reset (autovacuum_enabled)')
  await stack.close()
})

/** Rows that were rolled back fill pages, and Postgres then takes the table for one without rows, however it grows. */
async function rollBack() {
  await stack.sql(
    `do $$ begin
       insert into public.customers (organization_id, first_name)
       select o.id, 'Rolled back' from public.organizations o, generate_series(1, 2000);
       raise sqlstate 'ZZ999';
     exception when sqlstate 'ZZ999' then null;
     end $$`,
  )
  await stack.sql('analyze public.customers, public.reservations')
  const [table] = await stack.sql(
    `select relpages > 0 as "hasPages", reltuples from pg_class where oid = 'public.customers'::regclass`,
  )
  expect(table).toEqual({ hasPages: true, reltuples: 0 })
}

type Likeness = 'one' | 'each' | 'none'
interface Past {
  phone: Likeness
  birth: Likeness
  name: Likeness
  guest: Likeness
  source: 'import' | 'manual'
}

/** Leaves the statistics of thirty guests and their reservations, who are no more. */
async function leaveStatistics({ phone, birth, name, guest, source }: Past) {
  const of = { one: '1', each: 'n', none: 'null::integer' }
  await stack.sql(
    `insert into public.customers (organization_id, first_name, phone, birth_date)
     select $1, 'Persona ' || ${of[name]}, '+3460012' || (1000 + ${of[phone]}), date '1980-01-01' + ${of[birth]}
     from generate_series(1, 30) as n`,
    [group.id],
  )
  await stack.sql(
    `insert into public.customer_aliases (organization_id, customer_id, phone)
     select organization_id, id, '+34600129999' from public.customers where ${phone === 'one'}`,
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name, reservation_date,
       reservation_time, party_size, status, source, external_id)
     select $1, $2, (array_agg(c.id) over ())[${of[guest]}], 'Persona', date '2026-05-01', time '21:00', 2, 'completed', $3,
       'past:' || n
     from (select id, row_number() over () as n from public.customers) as c`,
    [group.id, group.locations[0]?.id, source],
  )
  await stack.sql('analyze public.customers, public.customer_aliases, public.reservations')
  await stack.sql(`begin; set local session_replication_role = replica; delete from public.reservations;
    delete from public.customer_aliases; delete from public.customers; commit`)
  await stack.sql('vacuum public.customers, public.customer_aliases, public.reservations')
}

const DRAWN = Number(process.env.STATISTICS_DRAWS ?? 1)
const SITUATIONS: { name: string; arrange: () => Promise<void> }[] = [
  { name: 'a batch that was rolled back', arrange: rollBack },
  // The next import looked for each guest's visit among all reservations.
  {
    name: 'one guest, imported often',
    arrange: () =>
      leaveStatistics({ phone: 'none', birth: 'none', name: 'one', guest: 'one', source: 'import' }),
  },
  {
    name: 'guests of one phone, and a batch that was rolled back',
    // The next sync looked for each phone among all guests.
    arrange: async () => {
      await leaveStatistics({ phone: 'one', birth: 'one', name: 'one', guest: 'one', source: 'import' })
      await rollBack()
    },
  },
  ...Array.from({ length: DRAWN }, (_, seed) => {
    const random = createRandom(`statistics ${seed}`)
    const draw = () => random.pick<Likeness>(['one', 'each', 'none'])
    const past = {
      phone: draw(),
      birth: draw(),
      name: draw(),
      guest: draw(),
      source: random.pick<Past['source']>(['import', 'manual']),
    }
    return {
      name: JSON.stringify(past),
      arrange: async () => {
        await leaveStatistics(past)
        if (random.chance(0.5)) await rollBack()
      },
    }
  }),
]

/** How many rows of tables this connection has read since Postgres last added them up. */
async function readRows(): Promise<number> {
  const [row] = await stack.sql<{ reads: number }>(
    `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::float8 as reads from pg_stat_xact_user_tables
     where schemaname in ('public', 'private')`,
  )
  return row?.reads ?? Number.NaN
}

/** How many rows of tables the statement reads for each of the given ones; what it writes stays. */
async function readsEach(query: string, id: string | undefined, rows: object[]): Promise<number> {
  await stack.sql('begin')
  const before = await readRows()
  await stack.sql(query, [id, JSON.stringify(rows)])
  const reads = (await readRows()) - before
  await stack.sql('commit')
  return reads / rows.length
}

const booking = (n: number, phone: string) => ({
  external_id: `${phone}-${n}`,
  reservation_date: '2026-05-10',
  reservation_time: '21:00',
  party_size: 2,
  status: 'completed',
  email: `persona${n}@correo.example`,
  phone,
  first_name: 'Persona',
  last_name: `Apellido ${n}`,
  customer_name: `Persona Apellido ${n}`,
})

// The embedded stack counts no rows that are read.
it.runIf(process.env.STACK === 'postgres').each(SITUATIONS)(
  'a sync and an import read each row a few times after $name',
  async ({ arrange }) => {
    await arrange()
    const location = group.locations[0]?.id
    const sync = 'select public.sync_reservations($1, $2::text::jsonb)'
    const strangers = Array.from({ length: 500 }, (_, n) =>
      booking(n, `+346001${String(n).padStart(5, '0')}`),
    )
    const family = Array.from({ length: 250 }, (_, n) => booking(1000 + n, '+34600111222'))
    const reads = { strangers: 0, again: 0, family: 0, Primero: 0, Segundo: 0 }
    reads.strangers = await readsEach(sync, location, strangers)
    reads.again = await readsEach(sync, location, strangers)
    reads.family = await readsEach(sync, location, family)
    for (const name of ['Primero', 'Segundo'] as const) {
      const [run] = await stack.sql<{ id: string }>(
        `insert into public.import_runs (organization_id, location_id, file_name, status, consent)
         values ($1, $2, 'guests.csv', 'running', 'none') returning id::text as id`,
        [group.id, location],
      )
      const people = Array.from({ length: 1000 }, (_, n) => ({
        line: n,
        email: `cliente${n}@correo.example`,
        first_name: name,
        last_name: `Apellido ${n}`,
        ...(n % 2 ? { birth_date: new Date(n * 864e5).toISOString().slice(0, 10) } : {}),
        tags: [],
      }))
      reads[name] = await readsEach('select public.import_customers($1, $2::text::jsonb)', run?.id, people)
      await stack.sql(`update public.import_runs set status = 'succeeded'`)
    }
    expect(Object.entries(reads).filter(([, each]) => !(each > 0 && each < 150))).toEqual([])
  },
)
