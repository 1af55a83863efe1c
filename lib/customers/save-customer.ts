import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import type { customerFields } from './fields'
import { type Customer, customerSchema } from './schema'

const outcomeSchema = z.object({
  outcome: z.string(),
  channel: z.string().optional(),
  customer: customerSchema.optional(),
})

const REFUSALS: Record<string, [status: number, error: string]> = {
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  nameless: [400, 'A customer needs an e-mail, a phone or a name'],
  unknown_location: [400, 'location_id: Unknown location'],
  malformed_contact: [400, 'email or phone: Malformed'],
  duplicate_email: [409, 'A customer with this e-mail exists'],
  no_address_for: [400, 'The customer has no address for it'],
  address_refused: [409, 'The address bounced or complained'],
}

/**
 * Creates a customer (source `Manual`), or changes the given fields of the one with that id. The log keeps which
 * fields changed.
 * @throws HttpError 404 not there; 400 unknown location, nothing to know the person by, or opting out a channel without
 * an address; 409 for an e-mail in use, or opting in an address that bounced or complained.
 */
export async function saveCustomer(
  { db }: Pick<Session, 'db'>,
  fields: z.infer<typeof customerFields>,
  id?: string,
): Promise<Customer> {
  const result = outcomeSchema.parse(unwrap(await db.rpc('save_customer', { p_fields: fields, p_id: id })))
  if (result.customer) return result.customer
  const [status, error] = REFUSALS[result.outcome] ?? [500, result.outcome]
  throw new HttpError(status, { error: result.channel ? `consent.${result.channel}: ${error}` : error })
}
