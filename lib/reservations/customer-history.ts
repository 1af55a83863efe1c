import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor, decodeCursor, encodeCursor } from '@/lib/http/cursor'
import { isServiceOrder, RESERVATION_COLUMNS, reservationSchema, serviceOrder } from './schema'

const historySchema = reservationSchema.extend({ location: z.object({ name: z.string() }).nullable() })
export type HistoryEntry = z.infer<typeof historySchema>

/** A customer's reservations, the latest first, a keyset page at a time; only locations the caller sees. */
export async function customerHistory(
  { db }: Pick<Session, 'db'>,
  customerId: string,
  { cursor, limit = 25 }: { cursor?: string; limit?: number } = {},
): Promise<{ data: HistoryEntry[]; next_cursor: string | null }> {
  let query = db
    .from('reservations')
    .select(`${RESERVATION_COLUMNS}, location:locations(name)`)
    .eq('customer_id', customerId)
    .neq('source', 'import')
  if (cursor) {
    const after = decodeCursor(cursor, isServiceOrder)
    query = query.lte('service_order', after.key).or(afterCursor('service_order', after, false))
  }
  const found = unwrap(
    await query
      .order('service_order', { ascending: false })
      .order('id', { ascending: false })
      .limit(limit + 1),
  )
  const rows = z.array(historySchema).parse(found)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const next = last && encodeCursor({ key: serviceOrder(last), id: last.id })
  return { data: rows.slice(0, limit), next_cursor: next ?? null }
}
