import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { addDays } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { notFoundError } from '@/lib/http/errors'
import { type KnownDays, knownOf } from '@/lib/locations/known-days'
import type { Served, Week, Weeks } from './schema'

/** Weeks before this one that are shown, and days from a week to the same weekdays a year before. */
const WEEKS = 13
const YEAR_DAYS = 364
/** Weeks whose mean a week is compared with; fewer are no base. */
const USUAL = 4

const storedSchema = z.object({
  monday: z.string(),
  locations: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      is_active: z.boolean(),
      pms_id: z.string().nullable(),
      known_from: z.string().nullable(),
      known_until: z.string().nullable(),
    }),
  ),
  weeks: z.array(
    z.object({
      location_id: z.string(),
      week: z.string(),
      reservations: z.number(),
      covers: z.number(),
      visits: z.number(),
      no_shows: z.number(),
      cancelled: z.number(),
      revenue: z.number(),
      estimated_revenue: z.number(),
      booked_reservations: z.number(),
      booked_covers: z.number(),
    }),
  ),
})
type Row = z.infer<typeof storedSchema>['weeks'][number]

const NOTHING: Served = {
  ...{ reservations: 0, covers: 0, visits: 0, no_shows: 0, cancelled: 0 },
  ...{ revenue: 0, estimated_revenue: 0 },
}
const NOTHING_BOOKED = { booked_reservations: 0, booked_covers: 0 }
const FIELDS = Object.keys(NOTHING) as (keyof Served)[]
const servedOf = (row: Served): Served =>
  Object.fromEntries(FIELDS.map((field) => [field, row[field]])) as unknown as Served

/** The sum of several weeks or locations; null without any. */
function sumOf(all: readonly Served[]): Served | null {
  if (all.length === 0) return null
  return all.reduce(
    (sum, one) =>
      Object.fromEntries(FIELDS.map((field) => [field, sum[field] + one[field]])) as unknown as Served,
    NOTHING,
  )
}

/**
 * What was served and is booked by week and location, in a location of the caller or in all of them.
 * @throws HttpError 404 for a location outside the caller's.
 */
export async function readWeeks(
  { db }: Pick<Session, 'db'>,
  { location_id }: { location_id?: string },
  now = new Date(),
): Promise<Weeks> {
  const found = unwrap(await db.rpc('report_weeks', { p_location: location_id, p_now: now.toISOString() }))
  if (found === null) throw notFoundError()
  const { monday, locations, weeks: stored } = storedSchema.parse(found)
  const mondays = Array.from({ length: WEEKS + 2 }, (_, n) => addDays(monday, 7 * (n - WEEKS)))
  const rows = Map.groupBy(stored, ({ location_id: of }) => of)
  const shown = locations
    // A closed location matters while its weeks do.
    .filter(({ id, is_active }) => is_active || rows.has(id))
    .map((place) => {
      const own = rows.get(place.id) ?? []
      return {
        ...{ id: place.id, name: place.name },
        weeks: mondays.map((week) => weekOf(place, week, monday, own)),
      }
    })
  return {
    last_week: addDays(monday, -7),
    totals: mondays.map((week, n) =>
      totalOf(
        week,
        shown.flatMap(({ weeks }) => weeks[n] ?? []),
      ),
    ),
    locations: shown,
  }
}

function weekOf(place: KnownDays, week: string, monday: string, own: readonly Row[]): Week {
  const before = addDays(week, -YEAR_DAYS)
  const [row, then] = [week, before].map((asked) => own.find((one) => one.week === asked))
  const since = own[0]?.week
  const hasRow = row || hasData(place, week, since)
  const { booked_reservations: reservations, booked_covers: covers } = row ?? NOTHING_BOOKED
  return {
    week,
    served: week <= monday && hasRow ? servedOf(row ?? NOTHING) : null,
    booked: hasRow ? { reservations, covers } : null,
    // A few bookings from before the data begin are no base.
    year_before: hasData(place, before, since) ? servedOf(then ?? NOTHING) : null,
  }
}

/** Whether a week without reservations had none: all its days were fetched, or the location had others before. */
const hasData = (place: KnownDays, week: string, since: string | undefined) =>
  place.is_active &&
  (place.pms_id === null
    ? since !== undefined && since < week
    : knownOf(
        [place],
        Array.from({ length: 7 }, (_, n) => addDays(week, n)),
      ) === 'all')

/** The sums of a week; that of a year before only where all that have the week have it, so that equal sets are shown. */
function totalOf(week: string, all: readonly Week[]): Week {
  const booked = all.flatMap((one) => one.booked ?? [])
  const compared = all.filter(({ served }) => served !== null)
  const isWhole = compared.every(({ year_before }) => year_before !== null)
  return {
    week,
    served: sumOf(all.flatMap(({ served }) => served ?? [])),
    booked:
      booked.length > 0
        ? {
            reservations: booked.reduce((sum, { reservations }) => sum + reservations, 0),
            covers: booked.reduce((sum, { covers }) => sum + covers, 0),
          }
        : null,
    year_before: isWhole ? sumOf(compared.flatMap(({ year_before }) => year_before ?? [])) : null,
  }
}

type Change = Record<'revenue' | 'covers', number | null>

/** A week of some locations, and its change as a share: from the mean of the four weeks before, and from a year before. */
export interface WeekCompared {
  /** Null where there is no data. */
  served: Served | null
  /** Null without a base. Only locations that have both count, so that equal sets are compared. */
  sinceMean: Change
  sinceYear: Change
}

/** How a week compares, of one location or of several together. */
export function compareWeek(locations: readonly { weeks: readonly Week[] }[], asked: string): WeekCompared {
  const all = locations.flatMap(({ weeks }) => {
    const index = weeks.findIndex(({ week }) => week === asked)
    const served = weeks[index]?.served
    if (!served) return []
    // The week after one without data may be half of one.
    const usual = weeks
      .filter((_, at) => at >= index - USUAL && at < index && (at === 0 || weeks[at - 1]?.served))
      .flatMap(({ served: found }) => found ?? [])
    const mean = usual.length === USUAL ? sumOf(usual) : null
    return { served, year: weeks[index]?.year_before ?? null, mean, of: usual.length }
  })
  const change = (base: (one: (typeof all)[number]) => { served: Served; times: number } | null): Change => {
    const both = all.flatMap((one) => ({ one, base: base(one) }))
    const of = (field: 'revenue' | 'covers') => {
      const known = both.flatMap(({ one, base: found }) => (found ? { now: one.served, found } : []))
      const now = known.reduce((sum, { now: one }) => sum + one[field], 0)
      const then = known.reduce((sum, { found }) => sum + found.served[field] / found.times, 0)
      return then > 0 ? (now - then) / then : null
    }
    return { revenue: of('revenue'), covers: of('covers') }
  }
  return {
    served: sumOf(all.map(({ served }) => served)),
    sinceMean: change(({ mean, of }) => mean && { served: mean, times: of }),
    sinceYear: change(({ year }) => year && { served: year, times: 1 }),
  }
}
