import { addDays, dayNumber, weekday } from './calendar'
import type { Person } from './people'
import { type Picker, pickGuest } from './picker'
import { createRandom, type Random } from './random'
import { type Seat, seatFor } from './seats'
import type { Venue } from './types'

/** A reservation as it will have happened; nothing in it depends on the present moment. */
export interface Booking extends Seat {
  id: string
  date: string
  /** Minutes since midnight. */
  minutes: number
  partySize: number
  person: Person | null
  walkIn: boolean
  fate: 'completed' | 'cancelled' | 'no_show'
  /** Minutes at the table. */
  stay: number
  /** Minutes before the start at which a pending reservation becomes confirmed; Infinity: never was pending. */
  confirmLead: number
  /** Minutes before the start at which the cancellation arrives, for those that are cancelled. */
  cancelLead: number
}

/** By weekday, Sunday first: how busy, and which part of the guests comes to dinner. */
const WEEK = [
  { load: 1.25, dinner: 0.15 },
  { load: 0.55, dinner: 0.4 },
  { load: 0.65, dinner: 0.45 },
  { load: 0.75, dinner: 0.48 },
  { load: 0.95, dinner: 0.55 },
  { load: 1.45, dinner: 0.72 },
  { load: 1.7, dinner: 0.62 },
]
const LUNCH = [2, 3, 5, 7, 10, 10, 9, 7, 5, 3, 2, 1, 1]
const DINNER = [1, 2, 4, 6, 9, 11, 11, 9, 8, 6, 5, 3, 2, 1, 1]
const PARTY = [3, 36, 17, 23, 8, 6, 2, 2.4, 0.8, 0.8, 0.3, 0.4, 0.1, 0.2].map((w, i) => [i + 1, w] as const)
const MEAN_PARTY = PARTY.reduce((sum, [n, w]) => sum + n * w, 0) / PARTY.reduce((sum, [, w]) => sum + w, 0)
const WALK_IN_SHARE = 0.06

/** The reservations of one venue for one date, by time. Empty on a closed weekday. */
export function planDay(options: {
  seed: string
  venue: Venue
  /** Place of the venue in the world: keeps ids apart. */
  venueIndex: number
  date: string
  scale: number
  picker: Picker
}): Booking[] {
  const { seed, venue, venueIndex, date, scale, picker } = options
  const random = createRandom(`${seed}|plan|${venue.slug}|${date}`)
  const closed = venue.closedWeekdays ?? []
  const day = weekday(date)
  if (closed.includes(day)) return []
  const open = WEEK.filter((_, index) => !closed.includes(index))
  const average = open.reduce((sum, entry) => sum + entry.load, 0) / open.length
  const load = (WEEK[day]?.load ?? 1) / average
  const expected = (((venue.coversPerDay ?? 35) * load) / MEAN_PARTY) * scale * (0.85 + 0.3 * random.next())
  const count = Math.floor(expected + random.next())
  if (count > 20_000) throw new RangeError('A venue has at most 20,000 reservations a day: lower the scale')
  const firstId = dayNumber(date) * 1_000_000 + venueIndex * 20_000
  const seen = new Set<string>()

  return Array.from({ length: count }, (_, index) => {
    const start = startTime(random, date, closed)
    const walkIn = start < 360 || random.chance(WALK_IN_SHARE)
    const shift = start < 360 || start >= 1080 ? 'dinner' : 'lunch'
    const person = pickGuest(random, picker, walkIn, seen, shift)
    const partySize = walkIn ? random.int(1, 4) : random.weighted(PARTY)
    return {
      id: String(firstId + index),
      date,
      minutes: start,
      partySize,
      person,
      walkIn,
      ...seatFor(random, partySize, walkIn),
      ...story(random, walkIn),
    }
  }).sort((a, b) => a.minutes - b.minutes || Number(a.id) - Number(b.id))
}

function startTime(random: Random, date: string, closed: readonly number[]): number {
  const eve = weekday(addDays(date, -1))
  // A guest who walks in after midnight carries the new date; that happens after Friday's and Saturday's dinner.
  if (eve >= 5 && !closed.includes(eve) && random.chance(0.025)) return random.int(0, 6) * 15
  const dinner = random.chance(WEEK[weekday(date)]?.dinner ?? 0.5)
  const quarters = (dinner ? DINNER : LUNCH).map((weight, index) => [index, weight] as const)
  return (dinner ? 1200 : 780) + random.weighted(quarters) * 15
}

function story(random: Random, walkIn: boolean) {
  const fate = random.weighted([
    ['completed', 86.3],
    ['cancelled', 8.5],
    ['no_show', 5.2],
  ] as const)
  const pending = random.chance(0.14)
  const confirmLead = random.int(2, 72) * 60
  const cancelLead = random.chance(0.3) ? Number.POSITIVE_INFINITY : random.int(30, 8_640)
  const stay = random.int(80, 115)
  if (walkIn) return { fate: 'completed' as const, confirmLead: Number.POSITIVE_INFINITY, cancelLead, stay }
  return { fate, confirmLead: pending ? confirmLead : Number.POSITIVE_INFINITY, cancelLead, stay }
}
