import 'server-only'
import type { Session } from '@/lib/auth/session'
import { HttpError } from '@/lib/http/errors'
import { getCustomer } from './get-customer'
import type { Customer } from './schema'

/**
 * The customer with that id.
 * @throws HttpError 404 when it is not there or not visible.
 */
export async function readCustomer(session: Pick<Session, 'db'>, id: string): Promise<Customer> {
  const customer = await getCustomer(session, id)
  if (!customer) throw new HttpError(404, { error: 'Not found' })
  return customer
}
