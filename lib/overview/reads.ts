import 'server-only'
import { z } from 'zod'
import { onReplica, type Session } from '@/lib/auth/session'
import { addDays } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import type { ReservationsQuery } from '@/lib/reservations/filters'
import { LISTED_COLUMNS, type ListedReservation, listedReservationSchema } from '@/lib/reservations/schema'
import { RESERVATION_STATUSES } from '@/lib/reservations/status'
import { searchPatterns } from '@/lib/search'
import { storedGuestSchema } from './schema'

const serviceFigureSchema = z.object({
  location_id: z.string(),
  service_date: z.string(),
  status: z.enum(RESERVATION_STATUSES),
  hour: z.number(),
  reservations: z.number(),
  covers: z.number(),
})
/** Reservations and covers (guests) of one location, status and hour (0–23) of a service day. */
export type ServiceFigure = z.infer<typeof serviceFigureSchema>

/** The reservations to count: of a location, from a source, under a name. */
interface CountFilters {
  locationId?: string
  source?: ReservationsQuery['source']
  /** Only for callers who may read reservations; others get no figure. */
  search?: string
}

const countFilters = ({ locationId, source, search }: CountFilters) => ({
  p_location: locationId,
  p_source: source,
  p_search: search === undefined ? undefined : searchPatterns(search),
})

/** The figures of a date's service, or of the current one of each location when no date is given. */
export async function serviceSummary(
  { db }: Pick<Session, 'db'>,
  { date, now = new Date(), ...filters }: CountFilters & { date?: string; now?: Date },
): Promise<ServiceFigure[]> {
  const parameters = { ...countFilters(filters), p_date: date, p_now: now.toISOString() }
  return z.array(serviceFigureSchema).parse(unwrap(await db.rpc('service_summary', parameters)))
}

const occupancySchema = z.object({
  location_id: z.string(),
  shift_id: z.string(),
  name: z.string(),
  capacity: z.number(),
  covers: z.number(),
})
/** The covers and capacity of a shift. */
export type Occupancy = z.infer<typeof occupancySchema>

/** The occupancy of the shifts of the current service, by location and time; only where the capacity is known. */
export async function shiftOccupancy(
  { db }: Pick<Session, 'db'>,
  { now = new Date() }: { now?: Date } = {},
): Promise<Occupancy[]> {
  const found = await db.rpc('shift_occupancy', { p_now: now.toISOString() })
  return z.array(occupancySchema).parse(unwrap(found))
}

const dailyFigureSchema = z.object({
  location_id: z.string(),
  service_date: z.string(),
  reservations: z.number(),
  covers: z.number(),
  no_shows: z.number(),
  cancelled: z.number(),
})
/** A service day of a location: reservations and covers, no-shows and cancellations. */
export type DailyFigure = z.infer<typeof dailyFigureSchema>

/** The figures of the services from one date to another (at most 62 days), in the caller's locations. */
export async function dailySummary(
  { db }: Pick<Session, 'db'>,
  { from, to, ...filters }: CountFilters & { from: string; to: string },
): Promise<DailyFigure[]> {
  const found = unwrap(await db.rpc('daily_summary', { p_from: from, p_to: to, ...countFilters(filters) }))
  return z.array(dailyFigureSchema).parse(found)
}

/** Like `dailySummary`, with the days that are over from the read replica. */
export async function weeksSummary(
  session: Pick<Session, 'db' | 'reads'>,
  { from, to, ...filters }: CountFilters & { from: string; to: string },
  now = new Date(),
): Promise<DailyFigure[]> {
  // In no time zone is the service of an earlier day under way.
  const live = addDays(now.toISOString().slice(0, 10), -1)
  if (session.reads === session.db || from >= live) return dailySummary(session, { from, to, ...filters })
  const last = addDays(live, -1)
  const parts = await Promise.all([
    dailySummary(onReplica(session), { from, to: to < last ? to : last, ...filters }),
    to < live ? [] : dailySummary(session, { from: live, to, ...filters }),
  ])
  return parts.flat()
}

/** The next expected reservations of the current service, soonest first. */
export async function nextArrivals(
  { db }: Pick<Session, 'db'>,
  { locationId, limit = 8, now = new Date() }: { locationId?: string; limit?: number; now?: Date },
): Promise<ListedReservation[]> {
  const parameters = { p_location: locationId, p_limit: limit, p_now: now.toISOString() }
  const found = unwrap(await db.rpc('next_arrivals', parameters).select(LISTED_COLUMNS))
  return z.array(listedReservationSchema).parse(found)
}

const customerToKnowSchema = storedGuestSchema.extend({ found: z.number() })
/** A customer expected today, with the facts that staff should know; `found` counts all of them. */
export type CustomerToKnow = z.infer<typeof customerToKnowSchema>

/** The most noteworthy customers still expected or seated today, by time; `total` counts all of them. */
export async function customersToKnow(
  { db }: Pick<Session, 'db'>,
  { locationId, limit = 8, now = new Date() }: { locationId?: string; limit?: number; now?: Date },
): Promise<{ customers: CustomerToKnow[]; total: number }> {
  const parameters = { p_location: locationId, p_limit: limit, p_now: now.toISOString() }
  const customers = z.array(customerToKnowSchema).parse(unwrap(await db.rpc('customers_to_know', parameters)))
  return { customers, total: customers[0]?.found ?? 0 }
}

const issueSchema = z.object({
  location_id: z.string(),
  location: z.string(),
  code: z.string(),
  reservation: z.string().nullable(),
  detail: z.string().nullable(),
})
const runSchema = z.object({
  status: z.enum(['running', 'succeeded', 'partial', 'failed']),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  result: z.object({
    locations: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          count: z.number(),
          created: z.number(),
          updated: z.number(),
          failed: z.boolean(),
          missing: z.array(z.string()).default([]),
        }),
      )
      .default([]),
    issues: z.array(issueSchema).default([]),
    error: z.string().optional(),
  }),
})
/** The latest run of the PMS sync: the counts of each location, and its issues (lib/pms/sync-issues). */
export type LastSync = z.infer<typeof runSchema>

/**
 * The organization's latest sync, limited to these locations (those the caller works in); null before the first one.
 */
export async function lastSync(
  { db }: Pick<Session, 'db'>,
  locationIds: readonly string[],
): Promise<LastSync | null> {
  const found = unwrap(await db.rpc('last_sync'))
  if (!found) return null
  const { result, ...run } = runSchema.parse(found)
  const locations = result.locations.filter(({ id }) => locationIds.includes(id))
  const issues = result.issues.filter(({ location_id }) => locationIds.includes(location_id))
  return { ...run, result: { ...result, locations, issues } }
}
