import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BoardParty } from '@/components/service/board-model'
import { clockOf, usualStay } from '@/components/service/table-model'
import { tableStates } from '@/components/service/table-states'
import { NOT_PLACED } from '@/lib/locations/plan'
import { serviceMinute } from '@/lib/reservations/service-day'
import { tableNames } from '@/lib/reservations/table-names'
import { createGroup } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

// Service mode tells without a connection who is in the way at a table; the server asks with its own rule. They agree.
const NIGHTS = Number(process.env.CLASH_NIGHTS ?? 200)
const DAY = '2026-11-20'
const ZONE = 'Europe/Madrid'
const TABLES = ['S1', 'S2', 'S3']
const LUNCH = serviceMinute('12:00')
const LATE = serviceMinute('03:00')

let stack: Stack
let place: string
beforeAll(async () => {
  stack = await startStack()
  const group = await createGroup(stack, 'Mesas', [{ name: 'Norte', slug: 'norte' }])
  place = group.locations[0]?.id ?? ''
})
afterAll(() => stack?.close())

const minute = fc.integer({ min: LUNCH, max: LATE })
const stays = fc.option(
  fc.dictionary(fc.integer({ min: 1, max: 12 }).map(String), fc.integer({ min: 15, max: 240 }), {
    minKeys: 1,
    maxKeys: 4,
  }),
)
const party = fc.record({
  at: minute,
  size: fc.integer({ min: 1, max: 12 }),
  status: fc.constantFrom('pending', 'confirmed', 'seated', 'completed', 'cancelled', 'no_show'),
  table: fc.subarray(TABLES, { minLength: 1 }).map((names) => names.join('+')),
  /** Minutes before now at which a seated party sat down. */
  sat: fc.option(fc.integer({ min: 0, max: 240 })),
  late: fc.option(fc.integer({ min: 1, max: 240 })),
})
const night = fc.record({
  stays,
  now: minute,
  parties: fc.array(party, { minLength: 1, maxLength: 8 }),
  asked: fc.record({ at: minute, size: fc.integer({ min: 1, max: 12 }) }),
})

/** The instant of a minute of the service: Madrid is an hour ahead of UTC in November. */
const instantOf = (of: number) => new Date(Date.parse(`${DAY}T05:00:00Z`) + of * 60_000).toISOString()

it('who is in the way at a table is the same for the page and the server, at any time of the night', async () => {
  await fc.assert(
    fc.asyncProperty(night, async ({ stays, now, parties, asked }) => {
      const rows = parties.map((each, index) => ({
        ...{ index, date: instantOf(each.at), size: each.size, status: each.status, table: each.table },
        late: each.late,
        seated_at: each.status === 'seated' && each.sat !== null ? instantOf(now - each.sat) : null,
      }))
      const stored = await stack.sql<{ id: string; index: number }>(
        `with place as (
           update public.locations set stay_minutes = $2 where id = $1 returning organization_id, id, timezone
         ), gone as (
           delete from public.reservations where location_id = $1
         )
         insert into public.reservations (organization_id, location_id, reservation_date, reservation_time,
           party_size, status, table_name, seated_at, late_minutes, customer_name)
         select p.organization_id, p.id, (r.date at time zone p.timezone)::date,
           (r.date at time zone p.timezone)::time, r.size, r.status, r."table", r.seated_at, r.late, r.index
         from place p, jsonb_to_recordset($3) as r (index int, date timestamptz, size int, status text,
           "table" text, seated_at timestamptz, late int)
         returning id, customer_name::int as index`,
        [place, stays && JSON.stringify(stays), JSON.stringify(rows)],
      )
      const idOf = (index: number) => stored.find((each) => each.index === index)?.id ?? ''
      const service = {
        ...{ location: { id: place, name: 'Norte', timezone: ZONE, stay_minutes: stays }, day: DAY },
        ...{ at: instantOf(now), closed: null, closings: [], shifts: [], waiting: [] },
        tables: TABLES.map((name) => ({ ...NOT_PLACED, name, zone: null, capacity: null })),
        parties: rows.map(
          ({ index, size, status, table, seated_at, late }) =>
            ({
              ...{ id: idOf(index), time: clockOf(parties[index]?.at ?? 0), party_size: size, status },
              ...{
                table_name: table,
                tables: tableNames(table),
                seated_at,
                arrived_at: seated_at,
                finished_at: null,
              },
              late_minutes: late,
            }) as BoardParty,
        ),
      }
      const states = tableStates(service, clockOf(now), asked.size, { at: clockOf(asked.at) })
      const said = await stack.sql<{ table: string; ids: string[] }>(
        `select t as "table", array(
           select k.id::text from private.parties_at($1, array[t], $3, $4, $5) as k order by 1) as ids
         from unnest($2::text[]) as t`,
        [place, TABLES, instantOf(asked.at), asked.size, instantOf(now)],
      )
      for (const { name, clashes } of states)
        expect(said.find(({ table }) => table === name)?.ids, name).toEqual(
          clashes.map(({ id }) => id).sort(),
        )
    }),
    { numRuns: NIGHTS, seed: Number(process.env.SEED ?? 1) },
  )
})

it('how long a party stays is the same for both, by what the location says', async () => {
  const drawn = fc.sample(fc.tuple(stays, fc.integer({ min: 1, max: 500 })), { numRuns: 300, seed: 1 })
  const said = await stack.sql<{ minutes: number }>(
    `select extract(epoch from private.stay_of((d ->> 1)::int, nullif(d -> 0, 'null')))::int / 60 as minutes
     from jsonb_array_elements($1) with ordinality as x (d, n) order by n`,
    [JSON.stringify(drawn)],
  )
  expect(said.map(({ minutes }) => minutes)).toEqual(drawn.map(([given, size]) => usualStay(size, given)))
})
