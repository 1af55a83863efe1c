import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'
import { addDays } from '@/lib/pms/sync/window'
import { type Figures, figuresSchema, type Overview, type overviewQuerySchema } from './schema'

const outcomeSchema = z.object({ outcome: z.string() })
// One row a day, one a location, one for the period (`recent`) and one for the period before.
const rowSchema = figuresSchema.extend({
  recent: z.boolean(),
  day: z.string().nullable(),
  location_id: z.string().nullable(),
})
const answerSchema = z.object({
  from: z.string(),
  to: z.string(),
  figures: z.array(rowSchema),
  locations: z.array(z.object({ id: z.string(), name: z.string() })),
  customers: z.number(),
  by_tier: z.array(z.object({ id: z.string(), name: z.string(), customers: z.number() })),
})
const NOTHING: Figures = {
  reservations: 0,
  covers: 0,
  completed: 0,
  visits: 0,
  cancelled: 0,
  no_shows: 0,
  revenue: 0,
  estimated_revenue: 0,
}

/**
 * The figures of a period in the caller's locations, day by day and by location, beside the totals of the period
 * before, and the organization's customers by tier.
 * @throws HttpError 404 for a location the caller does not work in, 400 for a period that is not 1 to 366 days.
 */
export async function statsOverview(
  { db }: Pick<Session, 'db'>,
  { from, to, location_id }: z.infer<typeof overviewQuerySchema>,
  now = new Date(),
): Promise<Overview> {
  const parameters = { p_from: from, p_to: to, p_location: location_id, p_now: now.toISOString() }
  const answer = unwrap(await db.rpc('stats_overview', parameters))
  refuse(outcomeSchema.parse(answer).outcome, {
    unknown_location: [404, 'Not found'],
    bad_period: [400, 'from, to: the period must have 1 to 366 days'],
  })
  const { figures, ...found } = answerSchema.parse(answer)
  const ofDay = new Map(figures.filter(({ day }) => day).map((row) => [row.day, row]))
  const ofLocation = new Map(figures.filter((row) => row.location_id).map((row) => [row.location_id, row]))
  const total = (recent: boolean) =>
    only(figures.find((row) => row.recent === recent && !row.day && !row.location_id))
  const dates = datesOf(found.from, found.to)
  return {
    from: found.from,
    to: found.to,
    totals: total(true),
    previous: { from: addDays(found.from, -dates.length), to: addDays(found.from, -1), ...total(false) },
    days: dates.map((date) => ({ date, ...only(ofDay.get(date)) })),
    locations: found.locations.map((location) => ({ ...location, ...only(ofLocation.get(location.id)) })),
    customers: { total: found.customers, by_tier: found.by_tier },
  }
}

const only = (row: Figures | undefined): Figures => figuresSchema.parse(row ?? NOTHING)

function datesOf(from: string, to: string): string[] {
  const dates: string[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date)
  return dates
}
