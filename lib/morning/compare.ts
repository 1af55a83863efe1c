import { allergyCodes } from '@/lib/customers/fact-codes'
import { addDays } from '@/lib/dates'
import { isKnown, type Known } from '@/lib/locations/known-days'
import {
  type Ahead,
  type Compared,
  MEASURES,
  type Morning,
  type MorningFigures,
  type StoredMorning,
} from './schema'

const WEEKS = [1, 2, 3, 4]
type Place = StoredMorning['locations'][number]
type Row = StoredMorning['figures'][number]

/** The figures of each measure, computed from the given rows. */
const each = (of: (measure: keyof MorningFigures) => number): MorningFigures =>
  Object.fromEntries(MEASURES.map((measure) => [measure, of(measure)])) as unknown as MorningFigures
const sum = (all: readonly MorningFigures[]) =>
  each((measure) => all.reduce((total, one) => total + one[measure], 0))
const difference = (a: MorningFigures, b: MorningFigures) => each((measure) => a[measure] - b[measure])

/**
 * The morning report for pages and documents: yesterday's figures with their differences, and the coming days. A day
 * that was never fetched from the PMS is null, not zero, unless it has manual reservations.
 */
export function compareMorning(stored: StoredMorning): Morning {
  const { date, notes, closings } = stored
  const yesterday = addDays(date, -1)
  const rows = new Map(stored.figures.map((row) => [`${row.location_id} ${row.day}`, row]))
  const coming = Map.groupBy(stored.ahead, ({ location_id }) => location_id)
  const locations = stored.locations.map((place) => ({
    id: place.id,
    name: place.name,
    timezone: place.timezone,
    known_until: place.known_until,
    yesterday: compared(place, yesterday, (day) => rows.get(`${place.id} ${day}`)),
    ahead: (coming.get(place.id) ?? [])
      .map((day) => aheadOf(place, day))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
  }))
  const days = Array.from({ length: 8 }, (_, n) => addDays(date, n))
  return {
    date,
    yesterday,
    totals: totalOf(locations.map((location) => location.yesterday)),
    locations,
    ahead: days.map((day, n) =>
      aheadTotal(
        day,
        locations.flatMap(({ ahead }) => ahead[n] ?? []),
      ),
    ),
    guests: stored.guests.map(({ found: _, ...guest }) => ({
      ...guest,
      allergies: allergyCodes(guest.facts),
    })),
    guests_total: stored.guests[0]?.found ?? 0,
    notes,
    closings,
  }
}

function compared(place: Place, day: string, rowOf: (day: string) => Row | undefined): Compared {
  const dataOf = (when: string) => {
    const row = rowOf(when)
    return row && (row.booked > 0 || isKnown(place, when)) ? row : undefined
  }
  const row = dataOf(day)
  // A day on which the location was closed is no basis for a comparison.
  const before = WEEKS.map((weeks) => dataOf(addDays(day, -7 * weeks))).map((found) =>
    found?.closed && found.booked === 0 ? undefined : found,
  )
  const usual = before.filter((found) => found !== undefined)
  const closed = rowOf(day)?.closed ?? false
  const isOpen = row && !(closed && row.booked === 0)
  const mean = usual.length > 0 ? each((measure) => sum(usual)[measure] / usual.length) : null
  return {
    known: isKnown(place, day) ? 'all' : 'none',
    closed,
    figures: row ? each((measure) => row[measure]) : null,
    estimated_revenue: row?.estimated_revenue ?? 0,
    since_week: isOpen && before[0] ? difference(row, before[0]) : null,
    since_mean: isOpen && mean ? difference(row, mean) : null,
    mean_days: usual.length,
  }
}

const knownOfAll = (all: readonly { known: Known }[]): Known => {
  const known = all.filter((one) => one.known === 'all').length
  return known === all.length ? 'all' : known > 0 ? 'some' : 'none'
}

/** The sum of the known figures; only locations with a difference count in it, so that equal sets are compared. */
function totalOf(all: readonly Compared[]): Compared {
  const total = (of: (one: Compared) => MorningFigures | null) => {
    const found = all.map(of).filter((one) => one !== null)
    return found.length > 0 ? sum(found) : null
  }
  return {
    known: knownOfAll(all),
    closed: all.length > 0 && all.every(({ closed }) => closed),
    figures: all.length > 0 ? total((one) => one.figures) : each(() => 0),
    estimated_revenue: all.reduce((estimated, one) => estimated + one.estimated_revenue, 0),
    since_week: total((one) => one.since_week),
    since_mean: total((one) => one.since_mean),
    mean_days: Math.max(0, ...all.map(({ mean_days }) => mean_days)),
  }
}

function aheadOf(place: Place, row: StoredMorning['ahead'][number]): Ahead {
  const { day, has_hours, shifts } = row
  const data = row.booked > 0 || isKnown(place, day)
  const closed = row.closed || (has_hours && shifts === 0)
  return {
    day,
    known: isKnown(place, day) ? 'all' : 'none',
    closed,
    reservations: data ? row.reservations : null,
    covers: data ? row.covers : null,
    capacity: closed || shifts === 0 ? null : row.capacity,
  }
}

function aheadTotal(day: string, all: readonly Ahead[]): Ahead {
  const data = all.filter(({ covers }) => covers !== null)
  const open = all.filter(({ closed }) => !closed)
  const total = (of: (one: Ahead) => number | null) => data.reduce((sum, one) => sum + (of(one) ?? 0), 0)
  return {
    day,
    known: knownOfAll(all),
    closed: all.length > 0 && open.length === 0,
    reservations: data.length > 0 || all.length === 0 ? total((one) => one.reservations) : null,
    covers: data.length > 0 || all.length === 0 ? total((one) => one.covers) : null,
    // Only when the capacity of every open location is known.
    capacity:
      open.length > 0 && open.every(({ capacity, covers }) => capacity !== null && covers !== null)
        ? open.reduce((sum, { capacity }) => sum + (capacity ?? 0), 0)
        : null,
  }
}
