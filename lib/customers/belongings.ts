import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const schema = z.object({
  customer_id: z.string(),
  reservations: z.number(),
  messages: z.number(),
  tickets: z.number(),
  calendar_events: z.number(),
})
/** How much refers to a customer, in all locations. */
export type Belongings = Omit<z.infer<typeof schema>, 'customer_id'>

export const NOTHING: Belongings = { reservations: 0, messages: 0, tickets: 0, calendar_events: 0 }

/** What a merge would move and an erasure reach, by customer. */
export async function customerBelongings(
  { db }: Pick<Session, 'db'>,
  ids: string[],
): Promise<Map<string, Belongings>> {
  const rows = z.array(schema).parse(unwrap(await db.rpc('customer_belongings', { p_ids: ids })))
  return new Map(rows.map(({ customer_id, ...counts }) => [customer_id, counts]))
}
