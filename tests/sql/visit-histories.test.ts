import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseRow } from '@/lib/pms/parse-row'
import { claimsOf, createGroup, type Group, type Person, setRules, stackClient } from '../factories/group'
import { createRandom } from '../fakes/pms/random'
import { type Stack, startStack } from '../support/stack'
import { HISTORY_RULES, History, type Moment, ZONES } from './visit-history-model'

/** Each night four times as many. */
const HISTORIES = Number(process.env.HISTORIES ?? 250)
const STEPS = 14
const FIRST_DAY = '2026-06-01'
const START = Date.parse('2026-05-31T08:00:00Z')
const HOUR_MS = 3_600_000
const SEED = process.env.HISTORY_SEED ?? 'histories'

let stack: Stack
let group: Group
let staff: Person

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(
    stack,
    'Grupo Historias',
    ZONES.map(({ name, timezone, averageSpend }) => ({
      name,
      slug: name.toLowerCase(),
      timezone,
      averageSpend,
    })),
  )
  for (const { id } of group.locations) await setRules(stack, id, HISTORY_RULES)
  staff = await group.person('operaciones')
})
afterAll(() => stack?.close())

const service = () => stackClient(stack, 'service')
const locationId = (place: number) => group.locations[place]?.id ?? ''

/** What the PMS answers at the moment, and the close that follows every sync. */
async function sync(histories: History[], now: string) {
  for (const place of ZONES.keys()) {
    const p_rows = histories
      .filter((history) => history.place === place)
      .map((history) => {
        const parsed = parseRow(history.row())
        return parsed.ok ? { ...parsed.row } : expect.fail('malformed row in a test')
      })
    await service()
      .rpc('sync_reservations', { p_location: locationId(place), p_rows, p_now: now })
      .throwOnError()
  }
}

async function close(now: string) {
  const parameters = { p_organization: group.id, p_now: now, p_limit: 400 }
  while ((await service().rpc('close_services', parameters).throwOnError()).data);
}

/** Every staff change of a step, each by the function behind PATCH and under the person's own rights. */
async function mark(changes: { externalId: string; fields: object }[]) {
  const answers = await stack.sql<{ outcome: string }>(
    `select public.save_reservation(change.fields, r.id) ->> 'outcome' as outcome
     from (select set_config('request.jwt.claim.sub', $1::text::jsonb ->> 'sub', true),
       set_config('request.jwt.claims', $1::text, true)) as claims
     cross join jsonb_to_recordset($2::jsonb) as change ("externalId" text, fields jsonb)
     join public.reservations r on r.external_id = change."externalId"`,
    [await claimsOf(staff), JSON.stringify(changes)],
  )
  expect(answers).toHaveLength(changes.length)
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['saved']))
}

async function countUnmarked(place: number, counts: boolean) {
  await stack.sql(
    `update public.locations set count_unmarked_visits = $2, recount_from = '1900-01-01' where id = $1`,
    [locationId(place), counts],
  )
  const parameters = { p_location: locationId(place), p_days: 2 }
  while ((await service().rpc('recount_unmarked', parameters).throwOnError()).data);
}

const stored = () =>
  stack.sql(
    `select r.external_id as id, r.status, r.pms_status, r.visited, r.party_size as covers,
       r.total_amount::float as amount, c.total_visits as visits, c.total_spend::float as spend, c.points::int as points, t.name as tier
     from public.reservations r join public.customers c on c.id = r.customer_id
     left join public.loyalty_tiers t on t.id = c.loyalty_tier_id order by r.external_id`,
  )

it(`equals the model after each step of ${HISTORIES} random histories (seed ${SEED})`, {
  timeout: 300_000,
}, async () => {
  const random = createRandom(SEED)
  const histories = Array.from({ length: HISTORIES }, (_, n) => new History(n, FIRST_DAY, random))
  const counts = ZONES.map(() => true)
  let now = START
  const seen = { marked: 0, overruled: 0, takenBack: 0 }
  for (let step = 0; step < STEPS; step++) {
    now += random.int(2, 30) * HOUR_MS
    const at = new Date(now).toISOString()
    if (step > 3 && random.chance(0.3)) {
      const place = random.int(0, ZONES.length - 1)
      counts[place] = !counts[place]
      await countUnmarked(place, counts[place] ?? true)
    }
    const moment: Moment = { now: at, counts }
    for (const history of histories) history.recount(counts)
    if (step === 0 || random.chance(0.5)) {
      for (const history of histories) history.pmsMoves(moment, random, seen)
      await sync(histories, at)
      for (const history of histories) history.close(moment)
      await close(at)
    } else if (random.chance(0.4)) {
      for (const history of histories) history.close(moment)
      await close(at)
    }
    if (random.chance(0.7)) {
      const changes = histories.flatMap((history) => history.staffMarks(moment, random, seen) ?? [])
      if (changes.length > 0) await mark(changes)
    }
    expect({ step, rows: await stored() }).toEqual({
      step,
      rows: histories.map((history) => history.expected()).sort((a, b) => (a.id < b.id ? -1 : 1)),
    })
  }
  // The sample is not a quiet one.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(HISTORIES / 10)
})
