import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import type { reservationChange } from './fields'
import { type Reservation, reservationSchema } from './schema'

const outcomeSchema = z.object({ outcome: z.string(), reservation: reservationSchema.optional() })

const REFUSALS: Record<string, [status: number, error: string]> = {
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  unknown_location: [400, 'location_id: Unknown location'],
  unknown_customer: [400, 'customer_id: Unknown customer'],
  malformed: [400, 'customer_email or customer_phone: Malformed'],
  managed: [409, 'This reservation is managed by the PMS'],
}

/**
 * Creates a manual reservation, or changes the given fields of the one with that id. Contact data finds the customer
 * as the sync does (e-mail, then phone) or makes one; the statistics and tiers of every customer who gains or loses
 * the reservation follow. Of a PMS reservation status, amount, table and notes change: a mark, which stays until the
 * PMS sends something new.
 * @throws HttpError 404 not there or in none of the caller's locations, 400 unknown location or customer, 409 another
 * field of a PMS reservation.
 */
export async function saveReservation(
  { db }: Pick<Session, 'db'>,
  fields: z.infer<typeof reservationChange>,
  id?: string,
): Promise<Reservation> {
  const result = outcomeSchema.parse(unwrap(await db.rpc('save_reservation', { p_fields: fields, p_id: id })))
  if (result.reservation) return result.reservation
  const [status, error] = REFUSALS[result.outcome] ?? [500, result.outcome]
  throw new HttpError(status, { error })
}
