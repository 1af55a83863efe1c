import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FactCode, kindOf } from '@/lib/customers/fact-codes'
import { conditionsOf, type SegmentNode } from '@/lib/segments/schema'
import { createGroup, type Group } from '../factories/group'
import { createAutomation } from '../factories/messaging'
import { drawnGuests, drawnSegments } from '../support/drawn-segments'
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
let automations: string[]
let campaigns: Record<string, string[]>
const optedOut = new Set<string>()
const AVERAGES: Record<string, number | null> = {}
// Past midnight in Madrid and before it in London; at the end of a year; in February of a leap year.
const NOWS = ['2027-02-25T23:30:00Z', '2026-12-20T12:00:00Z', '2028-02-20T12:00:00Z']

const ALL_FIELDS = [
  ...[
    'birthday',
    'birthday_month',
    'birthday_within',
    'booking',
    'city',
    'clicked',
    'consent',
    'created',
    'facts',
  ],
  ...[
    'first_visit',
    'language',
    'last_visit',
    'location',
    'no_show_rate',
    'no_shows',
    'not_written',
    'opened',
  ],
  ...['party_size', 'points', 'postal_code', 'received', 'rfm', 'rhythm', 'search', 'source', 'spend'],
  ...['survey_score', 'tags', 'tier', 'visited_on', 'visits'],
]

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Segmentos', [
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: null },
    { name: 'Este', slug: 'este', averageSpend: 12.5, timezone: 'Atlantic/Canary' },
  ])
  await stack.sql(`update public.organizations set language = 'ca' where id = $1`, [group.id])
  const other = await createGroup(stack, 'Otros Segmentos', [{ name: 'Fuera', slug: 'fuera' }])
  const places = group.locations.map(({ id }) => id)
  for (const [n, id] of places.entries()) AVERAGES[id] = [20, null, 12.5][n] ?? null
  tiers = (
    await stack.sql<{ id: string }>(
      'select id::text from public.loyalty_tiers where organization_id = $1 order by rank',
      [group.id],
    )
  ).map(({ id }) => id)
  const campaign = '00000000-0000-4000-8000-00000000c001'
  await stack.sql(
    `with made as (insert into public.campaigns (id, organization_id, name) values ($1, $2, 'Otoño'))
     insert into public.automations (id, organization_id, name, type, campaign_id, step, variant, after_days, channel)
     select case m.step when 1 then $1 else '00000000-0000-4000-8000-00000000c002' end, $2, 'Otoño', 'campaign', $1,
       m.step, 'a', case m.step when 2 then 3 end, 'email' from (values (1), (2)) as m (step)`,
    [campaign, group.id],
  )
  const birthday = await createAutomation(stack, group.id, { type: 'birthday' })
  const nobody = '00000000-0000-4000-8000-00000000c009'
  campaigns = { [campaign]: [campaign, '00000000-0000-4000-8000-00000000c002'], [nobody]: [] }
  automations = [...(campaigns[campaign] ?? []), birthday]
  const drawn = fc.sample(drawnGuests(tiers, places, automations, new Date(NOWS[0] ?? '')), {
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
       location_id, loyalty_tier_id, points, total_visits, total_spend, last_visit_at, last_visit_on, created_at, consents, postal_code, city, language)
     select r.id, $1::uuid, r.name, r.email, r.phone, r.whatsapp_id, r.birth_date, r.tags, r.source, r.location, r.tier,
       r.points, r.total_visits, r.total_spend, r.last_visit_at, r.last_visit_on, r.created_at, r.consents, r.postal_code,
       r.city, r.language
     from jsonb_to_recordset($2::jsonb) as r (id uuid, name text, email text, phone text, whatsapp_id text, birth_date date,
       tags text[], source text, location uuid, tier uuid, points bigint, total_visits integer, total_spend numeric,
       last_visit_at timestamptz, last_visit_on date, created_at timestamptz, consents jsonb, postal_code text, city text,
       language text)`,
    [group.id, JSON.stringify(guests)],
  )
  await stack.sql(
    `with drawn as materialized (
       select gen_random_uuid() as id, c.id as customer, v.*
       from jsonb_to_recordset($2::jsonb) as c (id uuid, visits jsonb)
       cross join lateral jsonb_to_recordset(c.visits) as v (location uuid, day date, "time" time, party_size integer,
         status text, source text, service_over boolean, counts_unmarked boolean, amount numeric, answer jsonb)
     ), made as (
       insert into public.reservations (id, organization_id, location_id, customer_id, reservation_date,
         reservation_time, party_size, status, source, service_over, counts_unmarked, total_amount)
       select d.id, $1::uuid, d.location, d.customer, d.day + (d.time < '06:00')::integer, d.time, d.party_size,
         d.status, d.source, d.service_over, d.counts_unmarked, d.amount from drawn d
     )
     insert into public.feedback (organization_id, location_id, customer_id, reservation_id, score, language, answered_at)
     select $1::uuid, d.location, d.customer, d.id, (d.answer ->> 'score')::smallint, 'es',
       (d.answer ->> 'at')::timestamptz from drawn d where d.answer <> 'null'`,
    [group.id, JSON.stringify(guests)],
  )
  await stack.sql(
    `with drawn as materialized (
       select gen_random_uuid() as id, c.id as customer, m.*
       from jsonb_to_recordset($2::jsonb) as c (id uuid, messages jsonb)
       cross join lateral jsonb_to_recordset(c.messages) as m (kind text, status text, automation uuid,
         sent_at timestamptz, events jsonb)
     ), made as (
       insert into public.messages (id, organization_id, kind, purpose, automation_id, customer_id, channel, status,
         dedupe_key, sent_at)
       select d.id, $1::uuid, d.kind, 'campaign', d.automation, d.customer, 'email', d.status, d.id::text, d.sent_at
       from drawn d
     )
     insert into public.message_engagement (message_id, kind, link, actor, first_at, times)
     select d.id, e.kind, e.link, e.actor, e.at, 1
     from drawn d cross join lateral jsonb_to_recordset(d.events) as e (kind text, link text, actor text, at timestamptz)`,
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
  // Not emptied: that would take the campaigns and their messages along.
  await stack.sql('delete from public.segments')
  expect(found).toHaveLength(rows.length)
  return found.map(({ ids }) => ids)
}

/** Compares the members of the definitions at `now` with the plain computation; how many guests each has. */
async function compared(definitions: SegmentNode[], now: string): Promise<number[]> {
  const world: OracleWorld = {
    now: new Date(now),
    timeZone: 'Europe/Madrid',
    language: 'ca',
    zones: { [group.locations[2]?.id ?? '']: 'Atlantic/Canary' },
    averages: AVERAGES,
    optedOut,
    ...{ cuts, campaigns },
  }
  const found = await members(definitions, now)
  return definitions.map((definition, n) => {
    const expected = guests.filter((guest) => belongs(guest, definition, world)).map(({ id }) => id)
    const wrong = new Set(found[n]).symmetricDifference(new Set(expected))
    expect(wrong, `${now} ${JSON.stringify(definition)}`).toEqual(new Set())
    return expected.length
  })
}

const drawnHere = (numRuns: number) =>
  fc.sample(
    drawnSegments(
      tiers,
      group.locations.map(({ id }) => id),
      Object.keys(campaigns),
      automations,
    ),
    { numRuns, seed: SEED },
  )

describe('a segment is who a plain computation says', () => {
  it(
    `for ${SEGMENTS} generated definitions`,
    async () => {
      const drawn = drawnHere(SEGMENTS)
      const sizes: number[] = []
      for (let from = 0; from < drawn.length; from += BATCH) {
        const now = NOWS[(from / BATCH) % NOWS.length] ?? ''
        sizes.push(...(await compared(drawn.slice(from, from + BATCH), now)))
      }
      // They are no trivial ones: most have some of the guests, and not all.
      const telling = sizes.filter((size) => size > 0 && size < GUESTS).length
      expect(telling).toBeGreaterThan(SEGMENTS * 0.5)
    },
    60_000 + SEGMENTS * 500,
  )

  it('for each condition by itself, and for its contrary', async () => {
    const byField = Map.groupBy(conditionsOf({ and: drawnHere(1000) }), ({ field }) => field)
    expect([...byField.keys()].sort()).toEqual(ALL_FIELDS)
    for (const [field, drawn] of byField) {
      const some = drawn.slice(0, 8)
      const sizes = await compared([...some, ...some.map((not) => ({ not }))], NOWS[0] ?? '')
      // Of each field one has some of the guests, and not all.
      expect(
        sizes.some((size) => size > 0 && size < GUESTS),
        field,
      ).toBe(true)
    }
  }, 60_000)
})
