import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { debugReservationSchema, RESERVATION_COLUMNS } from './schema'

const LIMIT = 10
const rowsSchema = z.array(debugReservationSchema.omit({ pax: true }))

/**
 * GET /api/admin/debug-reservations: at most ten reservations of today (the UTC date) of the caller's locations. The
 * contract's elevated access is not needed for that, and would show those of other locations.
 */
export async function debugToday(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  now = new Date(),
) {
  const today = now.toISOString().slice(0, 10)
  const found = await db
    .from('reservations')
    .select(
      `${RESERVATION_COLUMNS}, locations(name), customers!reservations_customer_id_fkey(first_name, last_name)`,
    )
    .eq('organization_id', organization.id)
    .eq('reservation_date', today)
    .neq('source', 'import')
    .order('service_order')
    .order('id')
    .limit(LIMIT)
  const reservations = rowsSchema.parse(unwrap(found)).map((reservation) => ({
    ...reservation,
    reservation_date: `${reservation.reservation_date}T${reservation.reservation_time}:00`,
    pax: reservation.party_size,
  }))
  return { count: reservations.length, today, reservations }
}
