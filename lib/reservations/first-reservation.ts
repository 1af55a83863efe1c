import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

/** The date (YYYY-MM-DD) of a customer's first reservation that the caller may see, or null. */
export async function firstReservation(
  { db }: Pick<Session, 'db'>,
  customerId: string,
): Promise<string | null> {
  const found = await db
    .from('reservations')
    .select('reservation_date')
    .eq('customer_id', customerId)
    .neq('source', 'import')
    .order('service_order')
    .limit(1)
    .maybeSingle()
  return unwrap(found)?.reservation_date ?? null
}
