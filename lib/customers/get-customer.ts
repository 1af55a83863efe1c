import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { isUuid } from '@/lib/uuid'
import { CUSTOMER_COLUMNS, type Customer, customerRow } from './schema'
import { withConsent } from './with-consent'

/** A customer by id, or null when there is none that the caller may see. */
export async function getCustomer(session: Pick<Session, 'db'>, id: string): Promise<Customer | null> {
  if (!isUuid(id)) return null
  const found = unwrap(await session.db.from('customers').select(CUSTOMER_COLUMNS).eq('id', id).maybeSingle())
  if (!found) return null
  const [customer] = await withConsent(session, [customerRow.parse(found)])
  return customer ?? null
}
