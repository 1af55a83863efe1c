import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError, invalidInput, refuse } from '@/lib/http/errors'
import { editedMeanwhile } from '@/lib/http/loaded'
import { QUESTIONS } from './questions'
import type { reservationChange } from './schema'
import {
  contactOwnerSchema,
  reservationSchema,
  type ToldReservation,
  takenBySchema,
  toldReservationSchema,
} from './schema'

const asksSchema = z.object({
  code: z.enum(QUESTIONS).nullish(),
  questions: z.array(z.enum(QUESTIONS)).optional(),
  current: takenBySchema.nullish(),
})

/** The 409 of what an SQL function asks before it saves a reservation, with all questions that apply; else null. */
export function asked(answer: unknown): HttpError | null {
  const { code, questions, current } = asksSchema.parse(answer)
  return code ? new HttpError(code, { fields: { questions, ...(current ? { current } : {}) } }) : null
}

const outcomeSchema = z.looseObject({
  outcome: z.string(),
  field: z.string().nullish(),
  reservation: toldReservationSchema.optional(),
  candidates: z.array(contactOwnerSchema).optional(),
})

const REFUSALS = {
  unknown_location: { path: 'location_id', code: 'unknown', message: 'Unknown location' },
  skipped_time: { path: 'reservation_time', code: 'skipped_time', message: 'The clocks skip this time' },
  unknown_customer: { path: 'customer_id', code: 'unknown', message: 'Unknown customer' },
  managed: 'MANAGED_BY_PMS',
} as const

/**
 * Creates a manual reservation, or changes the given fields of the one with this id. Contact data is matched to a
 * customer as in the sync (e-mail, then phone) or creates one; the statistics and tiers of every affected customer are
 * recomputed. Status, amount, table and notes of a PMS reservation are marks, which stay until the PMS sends a new
 * value.
 * @throws HttpError 403 when floor staff set an amount or a link other than `none`, 404 when it does not exist in the
 * caller's locations, 400 for an unknown location or customer or a time that the clocks skip, 409 for another field of a PMS
 * reservation, for a contact of a guest with another name without `link`, for `QUESTIONS` that `confirm` does not answer,
 * or for fields that another person changed since they were `loaded`.
 */
export async function saveReservation(
  { db }: Pick<Session, 'db'>,
  fields: z.infer<typeof reservationChange>,
  id?: string,
): Promise<ToldReservation> {
  const result = outcomeSchema.parse(unwrap(await db.rpc('save_reservation', { p_fields: fields, p_id: id })))
  if (result.reservation) return result.reservation
  if (result.outcome === 'edited_meanwhile')
    throw editedMeanwhile(reservationSchema.partial().parse(result.current))
  if (result.candidates)
    throw new HttpError('CONTACT_OF_ANOTHER', { fields: { candidates: result.candidates } })
  const question = asked(result)
  if (question) throw question
  if (result.outcome === 'malformed')
    throw invalidInput({ path: result.field ?? '', code: 'invalid', message: 'Malformed' })
  refuse(result.outcome, REFUSALS)
  throw new Error(`save_reservation: ${result.outcome}`)
}
