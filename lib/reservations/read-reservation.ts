import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import {
  RESERVATION_COLUMNS,
  type Reservation,
  type ReservationActivity,
  reservationActivitySchema,
  reservationSchema,
} from './schema'

/** The reservation with that id, or null; those an import made are no bookings. */
export async function findReservation({ db }: Pick<Session, 'db'>, id: string): Promise<Reservation | null> {
  const query = db.from('reservations').select(RESERVATION_COLUMNS).eq('id', id).neq('source', 'import')
  const found = unwrap(await query.maybeSingle())
  return found ? reservationSchema.parse(found) : null
}

/**
 * The same.
 * @throws HttpError 404 when it is not there or in none of the caller's locations.
 */
export async function readReservation(session: Pick<Session, 'db'>, id: string): Promise<Reservation> {
  const found = await findReservation(session, id)
  if (!found) throw new HttpError(404, { error: 'Not found' })
  return found
}

/**
 * The last 100 changes of a reservation, the latest first: what staff marked, and what the PMS replaced later.
 * @throws HttpError 404 when it is not there or in none of the caller's locations.
 */
export async function reservationActivity(
  session: Pick<Session, 'db'>,
  id: string,
): Promise<ReservationActivity[]> {
  await readReservation(session, id)
  const rows = unwrap(await session.db.rpc('reservation_activity', { p_reservation: id }))
  return z.array(reservationActivitySchema).parse(rows)
}

const marksSchema = reservationSchema.pick({ status: true, table_name: true, notes: true }).partial()
/** What the PMS says where staff changed it, by field. */
export type StaffMarks = z.infer<typeof marksSchema>

/** The marks of staff on a reservation of the PMS: each field they changed, with the PMS's value. */
export async function staffMarks({ db }: Pick<Session, 'db'>, id: string): Promise<StaffMarks> {
  const found = unwrap(await db.from('reservations').select('staff_marks').eq('id', id).maybeSingle())
  return marksSchema.parse(found?.staff_marks ?? {})
}
