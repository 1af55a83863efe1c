import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FactCode, kindOf } from '@/lib/customers/fact-codes'
import type { SegmentNode } from '@/lib/segments/schema'
import { createGroup, type Group } from '../factories/group'
import { drawnGuests, drawnSegments } from '../support/drawn-segments'
import { emptyTables } from '../support/empty-tables'
import { type Cuts, cutsOf } from '../support/rhythm-oracle'
import { belongs, type OracleGuest, type OracleWorld } from '../support/segment-oracle'
import { type Stack, startStack } from '../support/stack'

/** SEGMENTS=2000 tries as many. */
const SEGMENTS = Number(process.env.SEGMENTS ?? 300)
const SEED = Number(process.env.SEED ?? 20261120)
const BATCH = 50
const GUESTS = 400

let stack: Stack
let group: Group
let tiers: string[]
let guests: (OracleGuest & { id: string })[]
let cuts: Cuts
const optedOut = new Set<string>()
const AVERAGES: Record<string, number | null> = {}
// Past midnight in Madrid and before it in London; at the end of a year; in February of a leap year.
const NOWS = ['2027-02-25T23:30:00Z', '2026-12-20T12:00:00Z', '2028-02-20T12:00:00Z']

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Segmentos', [
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: null },
    { name: 'Este', slug: 'este', averageSpend: 12.5, timezone: 'Atlantic/Canary' },
  ])
  const other = await createGroup(stack, 'Otros Segmentos', [{ name: 'Fuera', slug: 'fuera' }])
  const places = group.locations.map(({ id }) => id)
  for (const [n, id] of places.entries()) AVERAGES[id] = [20, null, 12.5][n] ?? null
  tiers = (
    await stack.sql<{ id: string }>(
      'select id::text from public.loyalty_tiers where organization_id = $1 order by rank',
      [group.id],
    )
  ).map(({ id }) => id)
  const drawn = fc.sample(drawnGuests(tiers, places, new Date(NOWS[0] ?? '')), {
    numRuns: GUESTS,
    seed: SEED,
  })
  guests = drawn.map(({ number, ...guest }, n) => ({
    ...guest,
    id: `a0000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    email: n % 3 === 0 ? null : `guest${n}@correo.example`,
    phone: number % 4 === 0 ? null : `+34612${String(number).padStart(6, '0')}`,
  }))
  await stack.sql(
    `insert into public.customers (id, organization_id, first_name, email, phone, whatsapp_id, birth_date, tags, source,
       location_id, loyalty_tier_id, points, total_visits, total_spend, last_visit_at, last_visit_on, created_at, consents)
     select r.id, $1::uuid, r.name, r.email, r.phone, r.whatsapp_id, r.birth_date, r.tags, r.source, r.location, r.tier,
       r.points, r.total_visits, r.total_spend, r.last_visit_at, r.last_visit_on, r.created_at, r.consents
     from jsonb_to_recordset($2::jsonb) as r (id uuid, name text, email text, phone text, whatsapp_id text, birth_date date,
       tags text[], source text, location uuid, tier uuid, points bigint, total_visits integer, total_spend numeric,
       last_visit_at timestamptz, last_visit_on date, created_at timestamptz, consents jsonb)`,
    [group.id, JSON.stringify(guests)],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, service_over, counts_unmarked, total_amount)
     select $1::uuid, v.location, c.id, v.day, time '21:00', v.party_size, v.status, v.source, v.service_over,
       v.counts_unmarked, v.amount
     from jsonb_to_recordset($2::jsonb) as c (id uuid, visits jsonb)
     cross join lateral jsonb_to_recordset(c.visits) as v (location uuid, day date, party_size integer, status text,
       source text, service_over boolean, counts_unmarked boolean, amount numeric)`,
    [group.id, JSON.stringify(guests)],
  )
  const facts = guests.flatMap(({ id, facts: codes }) =>
    codes.map((code) => ({ id, code, kind: kindOf(code as FactCode) })),
  )
  await stack.sql(
    `insert into public.customer_facts (organization_id, customer_id, code, kind, recorded_by)
     select $1::uuid, f.id, f.code, f.kind, 'Sala' from jsonb_to_recordset($2::jsonb) as f (id uuid, code text, kind text)`,
    [group.id, JSON.stringify(facts)],
  )
  const out = guests.flatMap(({ email, phone, whatsapp_id }, n) =>
    n % 5 === 0
      ? [
          ['email', email],
          ['sms', phone],
          ['whatsapp', n % 2 === 0 ? phone : whatsapp_id],
        ].filter(([, address]) => address)
      : [],
  )
  for (const [channel, address] of out) optedOut.add(`${channel}:${address}`)
  await stack.sql(
    `insert into public.suppressions (organization_id, channel, address, reason)
     select $1::uuid, split_part(o, ':', 1), substr(o, strpos(o, ':') + 1), 'stop' from unnest($2::text[]) as o`,
    [group.id, [...optedOut]],
  )
  // Neighbours who would match nearly everything.
  await stack.sql(
    `insert into public.customers (organization_id, first_name, tags, total_visits, total_spend, last_visit_at)
     select $1::uuid, 'Ana Ruiz', array['vip', 'prensa'], 5, 250, '2027-02-01' from generate_series(1, 50)`,
    [other.id],
  )
  await stack.sql(
    'select private.refresh_rhythms(array(select id from public.customers where organization_id = $1))',
    [group.id],
  )
  await stack.sql(`select public.save_rhythm_model($1, '{}', 0, $2)`, [group.id, NOWS[0]])
  cuts = cutsOf(guests, new Date(NOWS[0] ?? ''))
  await stack.sql('analyze')
})
afterAll(() => stack?.close())

async function members(definitions: SegmentNode[], now: string): Promise<string[][]> {
  const rows = await stack.sql<{ ids: string[] }>(
    `with made as (
       insert into public.segments (organization_id, name, shared, definition)
       select $1::uuid, 'n' || d.place, true, d.value from jsonb_array_elements($2::jsonb) with ordinality as d (value, place)
       returning id, name
     ) select id, name from made`,
    [group.id, JSON.stringify(definitions)],
  )
  const found = await stack.sql<{ ids: string[] }>(
    `select array(select m::text from private.segment_members($1::uuid, s.id, $2::timestamptz) as m order by 1) as ids
     from public.segments s where s.organization_id = $1 order by substr(s.name, 2)::integer`,
    [group.id, now],
  )
  await stack.sql(emptyTables('segments'))
  expect(found).toHaveLength(rows.length)
  return found.map(({ ids }) => ids)
}

describe('a segment is who a plain computation says', () => {
  it(
    `for ${SEGMENTS} generated definitions`,
    async () => {
      const drawn = fc.sample(
        drawnSegments(
          tiers,
          group.locations.map(({ id }) => id),
        ),
        { numRuns: SEGMENTS, seed: SEED },
      )
      const sizes: number[] = []
      for (let from = 0; from < drawn.length; from += BATCH) {
        const batch = drawn.slice(from, from + BATCH)
        const now = NOWS[(from / BATCH) % NOWS.length] ?? ''
        const world: OracleWorld = {
          now: new Date(now),
          timeZone: 'Europe/Madrid',
          zones: { [group.locations[2]?.id ?? '']: 'Atlantic/Canary' },
          averages: AVERAGES,
          optedOut,
          cuts,
        }
        const found = await members(batch, now)
        for (const [n, definition] of batch.entries()) {
          const expected = guests.filter((guest) => belongs(guest, definition, world)).map(({ id }) => id)
          const wrong = new Set(found[n]).symmetricDifference(new Set(expected))
          expect(wrong, `${now} ${JSON.stringify(definition)}`).toEqual(new Set())
          sizes.push(expected.length)
        }
      }
      // They are no trivial ones: most have some of the guests, and not all.
      const telling = sizes.filter((size) => size > 0 && size < GUESTS).length
      expect(telling).toBeGreaterThan(SEGMENTS * 0.5)
    },
    60_000 + SEGMENTS * 500,
  )
})
