import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { addDays } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/errors'
import { type KnownDays, knownOf } from '@/lib/locations/known-days'
import {
  type Figures,
  figuresSchema,
  type KnownFigures,
  type Overview,
  type overviewQuerySchema,
} from './schema'

const outcomeSchema = z.object({ outcome: z.string() })
// One row per day, one per location, one for the period (`recent`) and one for the period before.
const rowSchema = figuresSchema.extend({
  recent: z.boolean(),
  day: z.string().nullable(),
  location_id: z.string().nullable(),
})
const answerSchema = z.object({
  from: z.string(),
  to: z.string(),
  figures: z.array(rowSchema),
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
  customers: z.number(),
  by_tier: z.array(z.object({ id: z.string(), name: z.string(), customers: z.number() })),
})
const NOTHING: Figures = {
  booked: 0,
  reservations: 0,
  covers: 0,
  completed: 0,
  visits: 0,
  cancelled: 0,
  no_shows: 0,
  revenue: 0,
  estimated_revenue: 0,
}
const NO_DATA = {
  booked: null,
  reservations: null,
  covers: null,
  completed: null,
  visits: null,
  cancelled: null,
  no_shows: null,
  revenue: null,
  estimated_revenue: null,
}

/**
 * The figures of a period in the caller's locations: by day, by location, and in total with the period before; and the
 * organization's customers by tier. Figures that were never fetched from the PMS are null, not zero.
 * @throws HttpError 404 for a location outside the caller's, 400 for a period that is not 1 to 366 days.
 */
export async function statsOverview(
  { db }: Pick<Session, 'db'>,
  { from, to, location_id }: z.infer<typeof overviewQuerySchema>,
  now = new Date(),
): Promise<Overview> {
  const parameters = { p_from: from, p_to: to, p_location: location_id, p_now: now.toISOString() }
  const answer = unwrap(await db.rpc('stats_overview', parameters))
  refuse(outcomeSchema.parse(answer).outcome, {
    unknown_location: 'NOT_FOUND',
    bad_period: {
      path: 'from',
      code: 'out_of_range',
      message: 'the period must have 1 to 366 days',
    },
  })
  const { figures, ...found } = answerSchema.parse(answer)
  const ofDay = new Map(figures.filter(({ day }) => day).map((row) => [row.day, row]))
  const ofLocation = new Map(figures.filter((row) => row.location_id).map((row) => [row.location_id, row]))
  const total = (recent: boolean) =>
    figures.find((row) => row.recent === recent && !row.day && !row.location_id)
  const dates = datesOf(found.from, found.to)
  const before = { from: addDays(found.from, -dates.length), to: addDays(found.from, -1) }
  const { locations } = found
  return {
    from: found.from,
    to: found.to,
    totals: asKnown(total(true), locations, dates),
    previous: { ...before, ...asKnown(total(false), locations, datesOf(before.from, before.to)) },
    days: dates.map((date) => ({ date, ...asKnown(ofDay.get(date), locations, [date]) })),
    locations: locations.map((location) => {
      const { id, name, known_until } = location
      return { id, name, known_until, ...asKnown(ofLocation.get(id), [location], dates) }
    }),
    customers: { total: found.customers, by_tier: found.by_tier },
  }
}

/** The figures of these locations and days, null where they are unknown; manual reservations always count. */
function asKnown(
  row: Figures | undefined,
  locations: readonly KnownDays[],
  dates: readonly string[],
): KnownFigures {
  const known = knownOf(locations, dates)
  if (!row && known === 'none') return { known, ...NO_DATA }
  return { known, ...figuresSchema.parse(row ?? NOTHING) }
}

function datesOf(from: string, to: string): string[] {
  const dates: string[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date)
  return dates
}
