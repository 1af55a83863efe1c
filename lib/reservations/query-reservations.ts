import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import type { reservationsQuery } from './fields'
import { listDay } from './list-day'
import type { Reservation } from './schema'
import { currentServiceDay } from './service-day'

/**
 * GET /api/reservations: a page of a service day in the caller's locations. Without a date it is the day under way in
 * the location asked for, else in the caller's first one by name.
 * @throws HttpError 400 for a malformed cursor.
 */
export async function queryReservations(
  session: Pick<Session, 'db'>,
  { date, location_id, status, ...query }: z.infer<typeof reservationsQuery>,
  now = new Date(),
): Promise<{ data: Reservation[]; next_cursor: string | null }> {
  const { data, next_cursor } = await listDay(session, {
    ...query,
    date: date ?? currentServiceDay(await timezoneOf(session, location_id), now),
    locationId: location_id,
    statuses: status,
  })
  return { data: data.map(({ location: _, customer: __, ...reservation }) => reservation), next_cursor }
}

async function timezoneOf({ db }: Pick<Session, 'db'>, locationId?: string): Promise<string | undefined> {
  const locations = db.from('locations').select('timezone')
  const asked = locationId ? locations.eq('id', locationId) : locations
  return unwrap(await asked.order('name').limit(1).maybeSingle())?.timezone
}
