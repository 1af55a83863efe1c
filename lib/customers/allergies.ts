import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import type { FactCode } from './fact-codes'

/** A recorded allergy of a guest. */
export interface Allergy {
  code: FactCode
  note: string | null
}

/** The recorded allergies of these customers, by their id; of those that the caller may read. */
export async function allergiesOf(
  { db }: Pick<Session, 'db'>,
  customerIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, Allergy[]>> {
  const ids = [...new Set(customerIds.filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const found = await db
    .from('customer_facts')
    .select('customer_id, code, note')
    .eq('kind', 'allergy')
    .in('customer_id', ids)
    .order('code')
  const rows = unwrap(found) ?? []
  return Map.groupBy(rows as (Allergy & { customer_id: string })[], ({ customer_id }) => customer_id)
}
