import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { CUSTOMER_COLUMNS, type Customer, customerSchema } from './schema'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A customer by id, or null when there is none that the caller may see. */
export async function getCustomer({ db }: Pick<Session, 'db'>, id: string): Promise<Customer | null> {
  if (!UUID.test(id)) return null
  const found = unwrap(await db.from('customers').select(CUSTOMER_COLUMNS).eq('id', id).maybeSingle())
  return found ? customerSchema.parse(found) : null
}
