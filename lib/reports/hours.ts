import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { notFoundError } from '@/lib/http/errors'
import { serviceHour } from '@/lib/reservations/service-day'
import { CHANNELS, type Hours, type HoursPart, type ReportsQuery } from './schema'

/** The hours that are always shown; others are shown when they have covers. */
const USUAL = { from: 12, to: 23 }

const storedSchema = z.object({
  from: z.string(),
  to: z.string(),
  locations: z.array(z.object({ id: z.string(), name: z.string() })),
  // Without a location: of all.
  days: z.array(z.object({ location_id: z.string().nullable(), weekday: z.number(), days: z.number() })),
  cells: z.array(
    z.object({ location_id: z.string(), weekday: z.number(), hour: z.number(), covers: z.number() }),
  ),
  channels: z.array(
    z.object({
      location_id: z.string(),
      channel: z.enum(CHANNELS),
      visits: z.number(),
      covers: z.number(),
    }),
  ),
})

/**
 * The covers of visits to services that are over by weekday and hour and by channel, in a location of the caller or in all of them.
 * @throws HttpError 404 for a location outside the caller's.
 */
export async function readHours(
  { db }: Pick<Session, 'db'>,
  { months, location_id }: Pick<ReportsQuery, 'months' | 'location_id'>,
  now = new Date(),
): Promise<Hours> {
  const parameters = { p_months: months, p_location: location_id, p_now: now.toISOString() }
  const found = unwrap(await db.rpc('report_hours', parameters))
  if (found === null) throw notFoundError()
  const { from, to, locations, days, cells, channels } = storedSchema.parse(found)
  const [daysOf, cellsOf, channelsOf] = [days, cells, channels].map((rows) =>
    Map.groupBy<string | null, { location_id: string | null }>(rows, (row) => row.location_id),
  ) as [
    Map<string | null, typeof days>,
    Map<string | null, typeof cells>,
    Map<string | null, typeof channels>,
  ]
  return {
    ...{ from, to },
    all: partOf(daysOf.get(null) ?? [], cells, channels),
    locations: locations.map(({ id, name }) => ({
      ...{ id, name },
      ...partOf(daysOf.get(id) ?? [], cellsOf.get(id) ?? [], channelsOf.get(id) ?? []),
    })),
  }
}

type Stored = z.infer<typeof storedSchema>

function partOf(days: Stored['days'], cells: Stored['cells'], channels: Stored['channels']): HoursPart {
  const part: HoursPart = {
    days: Array(7).fill(0),
    covers: Array.from({ length: 7 }, () => Array(24).fill(0)),
    channels: [],
  }
  for (const { weekday, days: found } of days) part.days[weekday - 1] = found
  for (const { weekday, hour, covers } of cells) {
    const row = part.covers[weekday - 1]
    if (row) row[hour] = (row[hour] ?? 0) + covers
  }
  part.channels = CHANNELS.map((channel) => {
    const own = channels.filter((row) => row.channel === channel)
    return {
      channel,
      visits: own.reduce((sum, { visits }) => sum + visits, 0),
      covers: own.reduce((sum, { covers }) => sum + covers, 0),
    }
  })
  return part
}

/** The mean covers of an hour, or of the whole day, on the days with guests of a weekday (0: Monday); null without days. */
export function meanCovers({ days, covers }: HoursPart, weekday: number, hour?: number): number | null {
  const [open, hours] = [days[weekday] ?? 0, covers[weekday] ?? []]
  if (open === 0) return null
  return (hour === undefined ? hours.reduce((sum, one) => sum + one, 0) : (hours[hour] ?? 0)) / open
}

/** The hours to show in the order of a service (12 to 23, 0 to 5), with those before noon or after midnight that had guests. */
export function shownHours({ covers }: HoursPart): number[] {
  const all = Array.from({ length: 24 }, (_, position) => serviceHour(position))
  const isShown = (hour: number) =>
    (hour >= USUAL.from && hour <= USUAL.to) || covers.some((hours) => (hours[hour] ?? 0) > 0)
  return all.slice(all.findIndex(isShown), all.findLastIndex(isShown) + 1)
}

/** An hour (0–23) as a time, HH:mm. */
export const hourOf = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
