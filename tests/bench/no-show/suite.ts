import { addDays } from '@/lib/dates'
import { parseRow } from '@/lib/pms/parse-row'
import { kindsOf, type LocationRates, noShowRisk, type RiskFeatures } from '@/lib/reservations/no-show'
import { DEMO_VENUES } from '../../fakes/pms/demo-venues'
import { createDemoWorld } from '../../fakes/pms/demo-world'
import { createRandom, type Random } from '../../fakes/pms/random'
import { brier, calibration, calibrationError, type Forecast } from '../rhythm/scores'
import type { Figure } from '../support/figures'

const FIRST = '2024-01-01'
const DAYS = 730
const A_DAY = 120
/** The first half is the past from which the rates and histories of the second come. */
const LEARN = 365
const WINDOW = 90

/** A population: how likely each guest misses a booking, and how much that depends on the booking. */
interface World {
  name: string
  own: (random: Random) => number
  odds: (features: RiskFeatures) => number
}

const WORLDS: World[] = [
  // A tenth misses a third of their bookings, the others nearly none.
  {
    name: 'guests differ',
    own: (random) => (random.chance(0.1) ? 0.33 : 0.021),
    odds: ({ lead_days: lead, confirmed }) => ((lead ?? 0) > 30 ? 2 : 1) * (confirmed ? 0.4 : 1),
  },
]

/** Brier score and calibration of the no-show risk against the base rate, on drawn bookings (docs/no-show.md). */
export async function noShowFigures(): Promise<Figure[]> {
  return [
    ...figuresOf('PMS simulator', fromSimulator()),
    ...WORLDS.flatMap((world) => figuresOf(world.name, draw(world))),
  ]
}

interface Booked {
  day: number
  guest: string
  features: RiskFeatures
  missed: boolean
}

function figuresOf(name: string, bookings: readonly Booked[]): Figure[] {
  const forecasts: Forecast[] = []
  const alone: Forecast[] = []
  const base: Forecast[] = []
  let rates: LocationRates = { bookings: 0, no_shows: 0, kinds: [], pairs: 0, missed_pairs: 0 }
  let day = -1
  for (const { day: on, features, missed } of bookings.filter((one) => one.day >= LEARN)) {
    if (on !== day) rates = ratesBefore(bookings, on)
    day = on
    forecasts.push({ probability: noShowRisk(features, rates).probability, happened: missed })
    alone.push({ probability: noShowRisk(features, { ...rates, kinds: [] }).probability, happened: missed })
    base.push({ probability: rates.no_shows / rates.bookings, happened: missed })
  }
  console.log(`\n${name}: ${forecasts.length} bookings`)
  for (const { guests: n, predicted, happened } of calibration(forecasts))
    if (n > 0) console.log(`${n} bookings: predicted ${predicted.toFixed(3)}, missed ${happened.toFixed(3)}`)
  const score = brier(base)
  return [
    {
      name: `${name}: Brier score, risk`,
      measured: brier(forecasts),
      unit: 'share',
      bound: Number((score * 1.02).toFixed(4)),
    },
    { name: `${name}: Brier score, history alone`, measured: brier(alone), unit: 'share' },
    { name: `${name}: Brier score, base rate`, measured: score, unit: 'share' },
    {
      name: `${name}: calibration error`,
      measured: calibrationError(forecasts),
      unit: 'share',
      bound: 0.02,
    },
  ]
}

/** Two years of the busiest demo venue. Everyone there misses 5.2 %, so no score can do better than the base rate. */
function fromSimulator(): Booked[] {
  const world = createDemoWorld({
    seed: 'no-show',
    now: () => new Date(`${addDays(FIRST, DAYS + 1)}T12:00:00Z`),
  })
  const venue = DEMO_VENUES.toSorted((a, b) => b.coversPerDay - a.coversPerDay)[0]?.slug ?? ''
  const guests = new Map<string, boolean[]>()
  return Array.from({ length: DAYS }, (_, day) =>
    world.day(venue, addDays(FIRST, day)).flatMap((row): Booked[] => {
      const parsed = parseRow(row)
      if (!parsed.ok || parsed.row.status === 'cancelled') return []
      const { email, phone, external_id: id, party_size } = parsed.row
      const who = email ?? phone ?? id
      const past = guests.get(who) ?? []
      const missed = parsed.row.status === 'no_show'
      guests.set(who, [...past, missed])
      const features = { ...historyOf(past), lead_days: null, party_size, confirmed: false }
      return [{ day, guest: who, features, missed }]
    }),
  ).flat()
}

/** Bookings by day, each with the history of its guest until then. */
function draw({ name, own, odds }: World): Booked[] {
  const random = createRandom(`no-show ${name}`)
  const guests = Array.from({ length: 9000 }, (_, id) => ({
    id: String(id),
    rate: own(random),
    past: [] as boolean[],
  }))
  return Array.from({ length: DAYS * A_DAY }, (_, index) => {
    // Some come often, many once or twice.
    const guest = guests[Math.floor(guests.length * random.next() ** 2)]
    if (!guest) throw new RangeError('No guest')
    const features = {
      ...historyOf(guest.past),
      lead_days: random.chance(0.3) ? 0 : random.chance(0.8) ? random.int(1, 20) : random.int(31, 90),
      party_size: random.int(1, 8),
      confirmed: random.chance(0.4),
    }
    const likely = (guest.rate / (1 - guest.rate)) * odds(features)
    const missed = random.chance(likely / (1 + likely))
    guest.past.push(missed)
    return { day: Math.floor(index / A_DAY), guest: guest.id, features, missed }
  })
}

/** The last 50 bookings of a guest, as public.no_show_features counts them. */
function historyOf(past: readonly boolean[]) {
  const last = past.slice(-50)
  return { bookings: last.length, no_shows: last.filter(Boolean).length }
}

/** What public.no_show_features returns of the location on that day. */
function ratesBefore(bookings: readonly Booked[], day: number): LocationRates {
  const past = bookings.filter((one) => one.day >= day - WINDOW && one.day < day)
  const kinds = new Map<string, { kind: string; bookings: number; no_shows: number }>()
  for (const { features, missed } of past)
    for (const kind of kindsOf(features)) {
      const sum = kinds.get(kind) ?? { kind, bookings: 0, no_shows: 0 }
      kinds.set(kind, {
        ...sum,
        bookings: sum.bookings + 1,
        no_shows: sum.no_shows + Number(missed),
      })
    }
  const guests = new Map<string, [number, number]>()
  for (const { guest, missed } of past) {
    const [n, m] = guests.get(guest) ?? [0, 0]
    guests.set(guest, [n + 1, m + Number(missed)])
  }
  const sums = [...guests.values()]
  return {
    bookings: past.length,
    no_shows: past.filter(({ missed }) => missed).length,
    kinds: [...kinds.values()],
    pairs: sums.reduce((sum, [n]) => sum + n * (n - 1), 0),
    missed_pairs: sums.reduce((sum, [, m]) => sum + m * (m - 1), 0),
  }
}
