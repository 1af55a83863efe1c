import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import type { FactCode } from './fact-codes'

/** A recorded allergy of a guest. */
export interface Allergy {
  code: FactCode
  note: string | null
}

/** The recorded allergies of these customers, by their id; of guests whose cards the caller may use. */
export async function allergiesOf(
  { db }: Pick<Session, 'db'>,
  customerIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, Allergy[]>> {
  const ids = [...new Set(customerIds.filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const rows = unwrap(await db.rpc('guest_allergies', { p_customers: ids })) ?? []
  return Map.groupBy(rows as (Allergy & { customer_id: string })[], ({ customer_id }) => customer_id)
}
