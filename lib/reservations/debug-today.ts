import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { debugReservationSchema, RESERVATION_COLUMNS } from './schema'

const LIMIT = 10
const rowsSchema = z.array(debugReservationSchema.omit({ pax: true }))

/**
 * GET /api/admin/debug-reservations: at most ten reservations of today (the UTC date) of the caller's organization,
 * with the service's rights: locations the caller is not assigned to are included.
 */
export async function debugToday({ organization }: Pick<Session, 'organization'>, now = new Date()) {
  const today = now.toISOString().slice(0, 10)
  const found = await serviceDb()
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
