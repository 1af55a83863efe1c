import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor, decodeCursor, encodeCursor } from '@/lib/http/cursor'
import type { ReservationStatus } from '@/lib/pms/status'
import { searchAll } from '@/lib/search'
import {
  isServiceOrder,
  LISTED_COLUMNS,
  type ListedReservation,
  listedReservationSchema,
  serviceOrder,
} from './schema'

/** Which reservations of a service day (YYYY-MM-DD; after-midnight entries belong to the day before). */
export interface DayFilters {
  date: string
  locationId?: string
  statuses?: readonly ReservationStatus[]
  source?: 'pms' | 'manual'
  search?: string
  cursor?: string
  limit?: number
}

/** A keyset page of a day's reservations in order of time, under the caller's own rights. */
export async function listDay(
  { db }: Pick<Session, 'db'>,
  { date, locationId, statuses = [], source, search = '', cursor, limit = 100 }: DayFilters,
): Promise<{ data: ListedReservation[]; next_cursor: string | null }> {
  let query = db.from('reservations').select(LISTED_COLUMNS).eq('service_date', date).neq('source', 'import')
  if (locationId) query = query.eq('location_id', locationId)
  if (statuses.length > 0) query = query.in('status', [...statuses])
  if (source) query = query.eq('source', source)
  const pattern = searchAll(search)
  if (pattern) query = query.filter('search_name', 'ilike(all)', pattern)
  // Within one service day the instant orders by date, then time: one sort key.
  if (cursor) query = query.or(afterCursor('service_order', decodeCursor(cursor, isServiceOrder), true))
  const found = unwrap(
    await query
      .order('service_order')
      .order('id')
      .limit(limit + 1),
  )
  const rows = z.array(listedReservationSchema).parse(found)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const next = last && encodeCursor({ key: serviceOrder(last), id: last.id })
  return { data: rows.slice(0, limit), next_cursor: next ?? null }
}
