import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import type { mergeBody } from './fields'
import { type Customer, customerSchema } from './schema'

const outcomeSchema = z.object({ outcome: z.string(), customer: customerSchema.optional() })

/**
 * Makes one customer of two; the duplicate goes. Reservations, messages and whatever else refers to it move; tags and
 * notes are united, blanks filled, the higher tier kept; addresses that lose still match the next PMS booking.
 * @throws HttpError 404 when either is not there or not visible, 400 when they are the same.
 */
export async function mergeCustomers(
  { db }: Pick<Session, 'db'>,
  id: string,
  { duplicate_id, fields }: z.infer<typeof mergeBody>,
): Promise<Customer> {
  const parameters = { p_id: id, p_duplicate_id: duplicate_id, p_fields: fields }
  const result = outcomeSchema.parse(unwrap(await db.rpc('merge_customers', parameters)))
  if (result.customer) return result.customer
  if (result.outcome === 'same') throw new HttpError(400, { error: 'duplicate_id: Must be another customer' })
  throw new HttpError(404, { error: 'Not found' })
}
