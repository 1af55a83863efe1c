import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, type Person } from '../factories/group'
import { createRandom, type Random } from '../fakes/pms/random'
import { type Stack, startStack } from '../support/stack'
import { type Asked, type Booking, cohortsOf, type Guest, PLACES, tiersOf, type World } from './report-model'

const HISTORIES = Number(process.env.HISTORIES ?? 480)
/** Guests whose histories are stored at a time, and how often each such world is looked at. */
const [GUESTS, LOOKS] = [24, 4]
const SEED = process.env.HISTORY_SEED ?? 'reports'
const DAY_MS = 86_400_000
const STATUSES = [
  'completed',
  'completed',
  'completed',
  'seated',
  'confirmed',
  'pending',
  'cancelled',
  'no_show',
]

interface Place {
  group: Group
  boss: Person
  /** Works in the first location only. */
  bound: Person
  places: World['places']
  tiers: World['tiers']
}

let stack: Stack
let everywhere: Place
let single: Place
let stranger: Person

beforeAll(async () => {
  stack = await startStack()
  everywhere = await arrange('Grupo Mundo', PLACES)
  single = await arrange('Grupo Uno', PLACES.slice(0, 1))
  stranger = await (await createGroup(stack, 'Grupo Vacío')).person('super_admin')
})
afterAll(() => stack?.close())

async function arrange(name: string, places: readonly (typeof PLACES)[number][]): Promise<Place> {
  const group = await createGroup(
    stack,
    name,
    places.map((place) => ({ ...place, slug: place.name.toLowerCase() })),
  )
  const tiers = await stack.sql<{ id: string; name: string }>(
    'select id::text, name from public.loyalty_tiers where organization_id = $1 order by rank desc',
    [group.id],
  )
  return {
    ...{ group, tiers },
    boss: await group.person('super_admin'),
    bound: await group.person('operaciones', [group.locations[0]?.id ?? '']),
    places: places.map((place) => ({
      ...place,
      id: group.locations.find((one) => one.name === place.name)?.id ?? '',
    })),
  }
}

/** Any hour, so that the locations' days differ; of several years, with leap days. */
const moment = (random: Random) =>
  new Date(Date.UTC(2024, 0, 1) + random.int(0, 1200) * DAY_MS + random.int(0, 23) * 3_600_000)

/**
 * Guests who come now and then up to about a moment, all drawn; half of the worlds have many
 * sources.
 */
function draw(random: Random, { places, tiers }: Place): World {
  const now = moment(random)
  const many = random.chance(0.5)
  const guests: Guest[] = Array.from({ length: many ? GUESTS * 2 : GUESTS }, (_, index) => ({
    id: randomUUID(),
    source: random.chance(0.15)
      ? random.pick([null, '', '  '])
      : `s${String(many && random.chance(0.9) ? index : random.int(1, 3)).padStart(2, '0')}`,
    tier: random.chance(0.3) ? null : random.pick(tiers).id,
  }))
  const taken = new Set<string>()
  const bookings: Booking[] = []
  for (let n = GUESTS * (many ? 7 : random.int(1, 5)); n > 0; n--) {
    const guest = random.chance(0.1) ? null : random.pick(guests).id
    // Near each other and near now, so that steps and the edges of months are met.
    const back = random.chance(0.3) ? random.int(-3, 40) : random.int(0, random.pick([120, 400, 1200]))
    const date = new Date(now.getTime() - back * DAY_MS).toISOString().slice(0, 10)
    const hour = random.pick([0, 1, 5, 6, 13, 14, 20, 21, 23])
    const time = `${String(hour).padStart(2, '0')}:${random.pick(['00', '30', '59'])}`
    if (taken.has(`${guest} ${date} ${time}`)) continue
    taken.add(`${guest} ${date} ${time}`)
    bookings.push({
      ...{ guest, date, time, place: random.pick(places).id },
      party: random.int(1, 9),
      status: random.pick(STATUSES),
      source: random.pick(['pms', 'pms', 'manual', 'import']),
      over: random.chance(0.8),
      unmarked: random.chance(0.7),
      walkIn: random.chance(0.2),
      amount: random.chance(0.4) ? null : random.int(0, 30_000),
    })
  }
  return { now, places, tiers, guests, bookings }
}

async function store({ group }: Place, { guests, bookings }: World): Promise<void> {
  await stack.sql('delete from public.reservations where organization_id = $1', [group.id])
  await stack.sql('delete from public.customers where organization_id = $1', [group.id])
  await stack.sql(
    `insert into public.customers (id, organization_id, source, loyalty_tier_id)
     select g.id, $1, g.source, g.tier from jsonb_to_recordset($2::jsonb) as g (id uuid, source text, tier uuid)`,
    [group.id, JSON.stringify(guests)],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, service_over, counts_unmarked, walk_in, total_amount)
     select $1, b.place, b.guest, b.date, b.time, b.party, b.status, b.source, b.over, b.unmarked, b."walkIn", b.amount / 100.0
     from jsonb_to_recordset($2::jsonb) as b (place uuid, guest uuid, date date, time time, party integer, status text,
       source text, over boolean, unmarked boolean, "walkIn" boolean, amount integer)`,
    [group.id, JSON.stringify(bookings)],
  )
}

/** Both reports as the person reads them. */
async function read({ db }: Person, now: Date, { months, place, split }: Asked) {
  const parameters = { p_months: months, p_now: now.toISOString(), p_location: place ?? undefined }
  const cohorts = await db
    .rpc('report_cohorts', { ...parameters, p_split: split ?? undefined })
    .throwOnError()
  const tiers = await db.rpc('report_tiers', parameters).throwOnError()
  return { cohorts: cohorts.data, tiers: tiers.data }
}

describe('the reports', () => {
  it(`equal the model for ${HISTORIES} random histories of guests (seed ${SEED})`, {
    timeout: 120_000 + HISTORIES * 1000,
  }, async () => {
    const random = createRandom(SEED)
    let place = everywhere
    let drawn = draw(random, place)
    const seen = { parts: 0, again: 0, young: 0, rest: 0, estimated: 0, nobody: 0 }
    const worlds = Math.ceil(HISTORIES / GUESTS)
    for (let n = 0; n < worlds * LOOKS; n++) {
      if (n % LOOKS === 0) {
        place = random.chance(0.25) ? single : everywhere
        drawn = draw(random, place)
        await store(place, drawn)
      }
      // As of the day it was drawn for, a little later or earlier, or any.
      const days = random.pick([0, 0, random.int(-40, 120), random.int(-1000, 100)])
      const world = { ...drawn, now: new Date(drawn.now.getTime() + days * DAY_MS) }
      const asked: Asked = {
        months: random.pick([1, 3, 6, 12, 24, 36]),
        place: random.chance(0.3) ? random.pick(place.places).id : null,
        split: random.pick([null, 'location', 'source', 'source', 'channel']),
      }
      const label = JSON.stringify({ n, asked, now: world.now })
      const expected = { cohorts: cohortsOf(world, asked), tiers: tiersOf(world, asked) }
      expect({ label, ...(await read(place.boss, world.now, asked)) }).toEqual({ label, ...expected })

      const own = world.places.slice(0, 1)
      const theirs = { ...world, places: own }
      const sees = asked.place === null || asked.place === own[0]?.id
      expect({ label, ...(await read(place.bound, world.now, asked)) }).toEqual({
        label,
        cohorts: sees ? cohortsOf(theirs, asked) : null,
        tiers: sees ? tiersOf(theirs, asked) : null,
      })

      const { groups } = expected.cohorts
      const steps = groups.flatMap(({ cohorts }) => cohorts.flatMap(({ returned }) => returned))
      seen.parts += Number(groups.length > 1)
      seen.again += Number(steps.some((count) => count !== null && count > 0))
      seen.young += Number(steps.includes(null))
      seen.rest += Number(groups.some(({ rest }) => rest))
      seen.estimated += Number(expected.tiers.tiers.some((tier) => tier.estimated_revenue > 0))
      seen.nobody += Number(expected.tiers.tiers.some((tier) => !tier.known && tier.visits > 0))
    }
    // The sample is not a quiet one.
    const { rest, ...others } = seen
    expect(Math.min(...Object.values(others))).toBeGreaterThan((worlds * LOOKS) / 5)
    expect(rest).toBeGreaterThan(0)
  })

  it('are empty for a group without locations, and never show another group’s', async () => {
    const now = new Date('2026-11-20T12:00:00Z')
    const world = draw(createRandom('another'), everywhere)
    await store(everywhere, world)
    const asked: Asked = { months: 12, place: null, split: 'location' }
    const { cohorts, tiers } = await read(stranger, now, asked)
    expect(cohorts).toEqual({
      ...{ from: '2025-12-01', to: '2026-11-20', closed_until: '2026-11-19', data_from: null, groups: [] },
    })
    const nothing = { guests: 0, visits: 0, covers: 0, revenue: 0, estimated_revenue: 0 }
    expect((tiers as { tiers: object[] }).tiers).toHaveLength(6)
    for (const tier of (tiers as { tiers: object[] }).tiers) expect(tier).toMatchObject(nothing)
    const foreign = { ...asked, place: everywhere.places[0]?.id ?? '' }
    expect(await read(stranger, now, foreign)).toEqual({ cohorts: null, tiers: null })
  })
})
