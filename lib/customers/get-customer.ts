import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { isUuid } from '@/lib/uuid'
import { CUSTOMER_COLUMNS, type Customer, customerSchema } from './schema'

/** A customer by id, or null when there is none that the caller may see. */
export async function getCustomer({ db }: Pick<Session, 'db'>, id: string): Promise<Customer | null> {
  if (!isUuid(id)) return null
  const found = unwrap(await db.from('customers').select(CUSTOMER_COLUMNS).eq('id', id).maybeSingle())
  return found ? customerSchema.parse(found) : null
}
