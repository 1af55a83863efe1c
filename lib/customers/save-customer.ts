import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import type { customerFields } from './fields'
import { type Customer, customerSchema } from './schema'

const outcomeSchema = z.object({ outcome: z.string(), customer: customerSchema.optional() })

const REFUSALS: Record<string, [status: number, error: string]> = {
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  nameless: [400, 'A customer needs an e-mail, a phone or a name'],
  unknown_location: [400, 'location_id: Unknown location'],
  malformed_contact: [400, 'email or phone: Malformed'],
  duplicate_email: [409, 'A customer with this e-mail exists'],
}

/**
 * Creates a customer (source `Manual`), or changes the given fields of the one with that id. The log keeps which
 * fields changed.
 * @throws HttpError 404 not there, 400 unknown location or nothing to know the person by, 409 for an e-mail in use.
 */
export async function saveCustomer(
  { db }: Pick<Session, 'db'>,
  fields: z.infer<typeof customerFields>,
  id?: string,
): Promise<Customer> {
  const result = outcomeSchema.parse(unwrap(await db.rpc('save_customer', { p_fields: fields, p_id: id })))
  if (result.customer) return result.customer
  const [status, error] = REFUSALS[result.outcome] ?? [500, result.outcome]
  throw new HttpError(status, { error })
}
