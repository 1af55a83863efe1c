import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { RESERVATION_COLUMNS, type Reservation, reservationSchema } from './schema'

/**
 * The reservation with that id; those an import made are no bookings.
 * @throws HttpError 404 when it is not there or in none of the caller's locations.
 */
export async function readReservation({ db }: Pick<Session, 'db'>, id: string): Promise<Reservation> {
  const query = db.from('reservations').select(RESERVATION_COLUMNS).eq('id', id).neq('source', 'import')
  const found = unwrap(await query.maybeSingle())
  if (!found) throw new HttpError(404, { error: 'Not found' })
  return reservationSchema.parse(found)
}
