import 'server-only'
import { z } from 'zod'
import { onReplica, type Session } from '@/lib/auth/session'
import { withAllergies } from '@/lib/customers/allergies'
import { addDays } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { afterCursor, decodeCursor, encodeCursor, pageOf } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { searchAll } from '@/lib/search'
import type { ReservationsQuery } from './filters'
import { RISK_LEVELS } from './no-show'
import { MAX_RESERVATIONS, noShowRisks } from './no-show-risk'
import type { NoShowRisk } from './risk-schema'
import {
  debugReservationSchema,
  isServiceOrder,
  LISTED_COLUMNS,
  listedReservationSchema,
  RESERVATION_COLUMNS,
  type Reservation,
  type ReservationActivity,
  reservationActivitySchema,
  reservationSchema,
  serviceOrder,
  type ToldReservation,
} from './schema'
import { currentServiceDay, isLiveDay } from './service-day'

/** The filters of a service day's reservations (YYYY-MM-DD; times after midnight belong to the day before). */
export type DayFilters = Partial<ReservationsQuery> & { date: string }

/** The session for reading a service day: from the read replica, unless the service may be under way. */
export const readingDay = <S extends Pick<Session, 'db' | 'reads'>>(
  session: S,
  date: string,
  now?: Date,
): S => (isLiveDay(date, now) ? session : onReplica(session))

/** A keyset page of the reservations of a service day in the caller's locations, in order of time. */
export const listDay = (session: Pick<Session, 'db'>, filters: DayFilters, now?: Date) =>
  listDays(session, filters, LISTED_COLUMNS, listedReservationSchema, now)

/**
 * A page of the reservations of the service days from `date` to `until`, with these columns. With `risk` it looks at
 * the next 500 that are ahead, so a page may have fewer than `limit` and still a next one; `risks` has the risk of each.
 */
export async function listDays<
  R extends z.ZodType<{ id: string; reservation_date: string; reservation_time: string }>,
>(
  { db }: Pick<Session, 'db'>,
  filters: DayFilters & { until?: string },
  columns: string,
  row: R,
  now?: Date,
): Promise<{ data: z.output<R>[]; next_cursor: string | null; risks: ReadonlyMap<string, NoShowRisk> }> {
  const { date, until, location_id, status = [], source, risk, search = '', cursor, limit = 100 } = filters
  const most = risk ? MAX_RESERVATIONS : limit
  const statuses = risk ? AHEAD.filter((one) => status.length === 0 || status.includes(one)) : status
  if (risk && statuses.length === 0) return { data: [], next_cursor: null, risks: new Map() }
  let query = db.from('reservations').select(columns).neq('source', 'import')
  const after = cursor ? decodeCursor(cursor, isServiceOrder) : undefined
  const last = until ?? date
  const alternatives = after ? [afterCursor('service_order', after, true)] : []
  if (location_id) {
    query = query.eq('location_id', location_id)
    query =
      last === date
        ? query.eq('service_date', date)
        : query.gte('service_date', date).lte('service_date', last)
    // Days that were read need no look; a service goes on after midnight, so its day may be the one before.
    if (after && last !== date) query = query.gte('service_date', addDays(after.key.slice(0, 10), -1))
  } else {
    // The same days by the columns of the index of all locations: a service lasts until 06:00.
    query = query.gte('reservation_date', date).lte('reservation_date', addDays(last, 1))
    if (after) query = query.gte('reservation_date', after.key.slice(0, 10))
    alternatives.push(`reservation_date.gt.${date},reservation_time.gte."06:00"`)
    alternatives.push(`reservation_date.lte.${last},reservation_time.lt."06:00"`)
  }
  if (statuses.length > 0) query = query.in('status', statuses)
  if (source) query = query.eq('source', source)
  if (risk) query = query.eq('walk_in', false)
  const pattern = searchAll(search)
  if (pattern) query = query.filter('search_name', 'ilike(all)', pattern)
  for (const either of alternatives) query = query.or(either)
  // Both are the order of the instant; each is that of an index.
  const order = location_id ? ['service_date', 'service_order'] : ['reservation_date', 'reservation_time']
  for (const column of order) query = query.order(column)
  const rows = z.array(row).parse(unwrap(await query.order('id').limit(most + 1)))
  const read = rows.slice(0, most)
  const asked = risk ? read.map(({ id }) => id) : []
  const risks = await noShowRisks({ db }, asked, now)
  const isWanted = ({ id }: { id: string }) => !risk || isAtLeast(risks.get(id), risk)
  const wanted = read.filter(isWanted)
  const data = wanted.slice(0, limit)
  // The next page begins behind the last one shown, or behind the last one looked at.
  const end = wanted.length > limit ? data.at(-1) : rows.length > most ? read.at(-1) : undefined
  const next = end && encodeCursor({ key: serviceOrder(end), id: end.id })
  return { data, next_cursor: next ?? null, risks }
}

/** The statuses of reservations that have a no-show risk. */
const AHEAD = ['pending', 'confirmed'] as const

const isAtLeast = (risk: NoShowRisk | undefined, level: 'medium' | 'high') =>
  risk !== undefined && RISK_LEVELS.indexOf(risk.level) >= RISK_LEVELS.indexOf(level)

/** The service day under way in a location, else in the caller's first location by name. */
export async function serviceDayAt(
  session: Pick<Session, 'db'>,
  locationId?: string,
  now = new Date(),
): Promise<string> {
  return currentServiceDay(await timezoneOf(session, locationId), now)
}

/**
 * GET /api/reservations: a page of a service day. Without a date it is the current one in the given location, else in
 * the caller's first location by name.
 * @throws HttpError 400 for a malformed cursor.
 */
export async function queryReservations(
  session: Pick<Session, 'db' | 'reads'>,
  { date, ...query }: ReservationsQuery,
  now = new Date(),
): Promise<{ data: ToldReservation[]; next_cursor: string | null }> {
  const day = date ?? (await serviceDayAt(session, query.location_id, now))
  const reader = readingDay(session, day, now)
  const { data, next_cursor } = await listDay(reader, { ...query, date: day }, now)
  const reservations = data.map(({ location: _, customer: __, ...reservation }) => reservation)
  return { data: await withAllergies(reader, reservations), next_cursor }
}

async function timezoneOf({ db }: Pick<Session, 'db'>, locationId?: string): Promise<string> {
  const locations = db.from('locations').select('timezone')
  const asked = locationId ? locations.eq('id', locationId) : locations
  // Without a location there are no reservations, whatever the day.
  return unwrap(await asked.order('name').limit(1).maybeSingle())?.timezone ?? TIME_ZONE
}

/** The reservation with this id, or null; imported visits are not reservations. */
export async function findReservation({ db }: Pick<Session, 'db'>, id: string): Promise<Reservation | null> {
  const query = db.from('reservations').select(RESERVATION_COLUMNS).eq('id', id).neq('source', 'import')
  const found = unwrap(await query.maybeSingle())
  return found ? reservationSchema.parse(found) : null
}

/**
 * The reservation with this id.
 * @throws HttpError 404 when it does not exist in the caller's locations.
 */
export async function readReservation(session: Pick<Session, 'db'>, id: string): Promise<Reservation> {
  const found = await findReservation(session, id)
  if (!found) throw new HttpError('NOT_FOUND')
  return found
}

/** Whether any of the locations has ever had a reservation. */
export async function hasReservations(
  { db }: Pick<Session, 'db'>,
  locations: readonly { id: string }[],
): Promise<boolean> {
  const ids = locations.map(({ id }) => id)
  const found = await db.from('reservations').select('id').in('location_id', ids).limit(1)
  return (unwrap(found) ?? []).length > 0
}

/**
 * The last 100 changes of a reservation, the latest first: marks of staff, and values of the PMS that replaced them.
 * @throws HttpError 404 when it does not exist in the caller's locations.
 */
export async function reservationActivity(
  session: Pick<Session, 'db'>,
  id: string,
): Promise<ReservationActivity[]> {
  await readReservation(session, id)
  const rows = unwrap(await session.db.rpc('reservation_activity', { p_reservation: id }))
  return z.array(reservationActivitySchema).parse(rows)
}

const marksSchema = reservationSchema
  .pick({ status: true, table_name: true, notes: true, party_size: true, reservation_time: true })
  .extend({ guest_answer: z.enum(['confirmed', 'cancelled']) })
  .partial()
/** The PMS' values of the fields that staff or the guest changed, and what the guest answered. */
export type StaffMarks = z.infer<typeof marksSchema>

/**
 * The fields of a PMS reservation that staff or its guest changed, each with the PMS' value; and the guest's answer.
 */
export async function staffMarks({ db }: Pick<Session, 'db'>, id: string): Promise<StaffMarks> {
  const columns = db.from('reservations').select('staff_marks, guest_answer')
  const found = unwrap(await columns.eq('id', id).maybeSingle())
  const answered = found?.guest_answer ? { guest_answer: found.guest_answer } : {}
  return marksSchema.parse({ ...Object(found?.staff_marks), ...answered })
}

const historySchema = reservationSchema.extend({ location: z.object({ name: z.string() }).nullable() })
export type HistoryEntry = z.infer<typeof historySchema>

/** A keyset page of a customer's reservations in the caller's locations, the latest first. */
export async function customerHistory(
  { db }: Pick<Session, 'db'>,
  customerId: string,
  { cursor, limit = 25 }: { cursor?: string; limit?: number } = {},
): Promise<{ data: HistoryEntry[]; next_cursor: string | null }> {
  let query = db
    .from('reservations')
    .select(`${RESERVATION_COLUMNS}, location:locations!reservations_location_id_fkey(name)`)
    .eq('customer_id', customerId)
    .neq('source', 'import')
  if (cursor) {
    const after = decodeCursor(cursor, isServiceOrder)
    query = query.lte('service_order', after.key).or(afterCursor('service_order', after, false))
  }
  const found = unwrap(
    await query
      .order('service_order', { ascending: false })
      .order('id', { ascending: false })
      .limit(limit + 1),
  )
  const rows = z.array(historySchema).parse(found)
  return pageOf(rows, limit, (last) => encodeCursor({ key: serviceOrder(last), id: last.id }))
}

const LIMIT = 10
const rowsSchema = z.array(debugReservationSchema.omit({ pax: true, allergies: true }))

/**
 * GET /api/admin/debug-reservations: at most ten reservations of today (the UTC date) of the caller's locations. The
 * contract would let it read with the service's rights; it does not, since these show other locations' reservations.
 */
export async function debugToday(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  now = new Date(),
) {
  const today = now.toISOString().slice(0, 10)
  const found = await db
    .from('reservations')
    .select(
      `${RESERVATION_COLUMNS}, locations!reservations_location_id_fkey(name), customers!reservations_customer_id_fkey(first_name, last_name)`,
    )
    .eq('organization_id', organization.id)
    .eq('reservation_date', today)
    .neq('source', 'import')
    .order('reservation_time')
    .order('id')
    .limit(LIMIT)
  const rows = await withAllergies({ db }, rowsSchema.parse(unwrap(found)))
  const reservations = rows.map((reservation) => ({
    ...reservation,
    reservation_date: `${reservation.reservation_date}T${reservation.reservation_time}:00`,
    pax: reservation.party_size,
  }))
  return { count: reservations.length, today, reservations }
}
