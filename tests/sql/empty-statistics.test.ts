import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group

// Rows that were rolled back fill pages, and Postgres then takes the tables for ones without rows, however they grow.
beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Cifras', [{ name: 'Norte', slug: 'norte', averageSpend: 20 }])
  await stack.sql('alter table public.customers set (autovacuum_enabled = false)')
  await stack.sql('alter table public.reservations set (autovacuum_enabled = false)')
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
})
afterAll(() => stack?.close())

/** How many rows of tables the statement reads for each of the given ones; what it writes stays. */
async function readsEach(query: string, id: string | undefined, rows: object[]): Promise<number> {
  await stack.sql('begin')
  await stack.sql(query, [id, JSON.stringify(rows)])
  const [row] = await stack.sql<{ reads: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as reads from pg_stat_xact_user_tables
     where schemaname in ('public', 'private')`,
  )
  await stack.sql('commit')
  return (row?.reads ?? Number.NaN) / rows.length
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
it.runIf(process.env.STACK === 'postgres')(
  'a sync and an import read each row a few times, whatever the statistics say',
  async () => {
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
        tags: [],
      }))
      reads[name] = await readsEach('select public.import_customers($1, $2::text::jsonb)', run?.id, people)
      await stack.sql(`update public.import_runs set status = 'succeeded'`)
    }
    expect(Object.entries(reads).filter(([, each]) => !(each > 0 && each < 150))).toEqual([])
  },
)
