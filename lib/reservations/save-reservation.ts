import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError, invalidInput, refuse } from '@/lib/http/errors'
import { editedMeanwhile } from '@/lib/http/loaded'
import type { reservationChange } from './schema'
import { contactOwnerSchema, type Reservation, reservationSchema } from './schema'

const outcomeSchema = z.object({
  outcome: z.string(),
  field: z.string().nullish(),
  reservation: reservationSchema.optional(),
  current: reservationSchema.partial().optional(),
  candidates: z.array(contactOwnerSchema).optional(),
  questions: z.array(z.enum(['UNUSUAL_AMOUNT'])).optional(),
})

const REFUSALS = {
  unknown_location: { path: 'location_id', code: 'unknown', message: 'Unknown location' },
  unknown_customer: { path: 'customer_id', code: 'unknown', message: 'Unknown customer' },
  managed: 'MANAGED_BY_PMS',
} as const

/**
 * Creates a manual reservation, or changes the given fields of the one with this id. Contact data is matched to a
 * customer as in the sync (e-mail, then phone) or creates one; the statistics and tiers of every affected customer are
 * recomputed. Status, amount, table and notes of a PMS reservation are marks, which stay until the PMS sends a new
 * value.
 * @throws HttpError 403 when floor staff set an amount or a link other than `none`, 404 when it does not exist in the caller's locations, 400 for an unknown location or customer, 409
 * for another field of a PMS reservation, for a contact of a guest with another name without `link`, for an amount that is
 * unusual and not confirmed, or for fields that another person changed since they were `loaded`.
 */
export async function saveReservation(
  { db }: Pick<Session, 'db'>,
  fields: z.infer<typeof reservationChange>,
  id?: string,
): Promise<Reservation> {
  const result = outcomeSchema.parse(unwrap(await db.rpc('save_reservation', { p_fields: fields, p_id: id })))
  if (result.reservation) return result.reservation
  if (result.current) throw editedMeanwhile(result.current)
  if (result.candidates)
    throw new HttpError('CONTACT_OF_ANOTHER', { fields: { candidates: result.candidates } })
  const [question] = result.questions ?? []
  if (question) throw new HttpError(question, { fields: { questions: result.questions } })
  if (result.outcome === 'malformed')
    throw invalidInput({ path: result.field ?? '', code: 'invalid', message: 'Malformed' })
  refuse(result.outcome, REFUSALS)
  throw new Error(`save_reservation: ${result.outcome}`)
}
