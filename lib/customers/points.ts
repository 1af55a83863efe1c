import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor, pageOf } from '@/lib/http/cursor'
import { refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor, instant } from '@/lib/http/instant'
import { type newPointsSchema, type PointsEntry, pointsEntrySchema, pointsSavedSchema } from './points-schema'

const COLUMNS =
  'id, kind, points, reservation_id, amount, amount_is_estimate, multiplier, reason, author:author_name, created_at, ' +
  'reservation:reservations(service_date)'
const rowSchema = pointsEntrySchema
  .omit({ reservation_date: true })
  .extend({ reservation: z.object({ service_date: z.string() }).nullable() })
const REFUSALS = {
  malformed: { path: 'points', code: 'out_of_range', message: 'out of range' },
  overdrawn: 'NOT_ENOUGH_POINTS',
} as const
const savedSchema = pointsSavedSchema.partial().extend({ outcome: z.string() })

/**
 * A keyset page of a customer's points ledger, the latest first; empty without customer access.
 * @throws HttpError 400 for an invalid cursor.
 */
export async function listPoints(
  { db }: Pick<Session, 'db'>,
  customerId: string,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: PointsEntry[]; next_cursor: string | null }> {
  let query = db
    .from('loyalty_points')
    .select(COLUMNS)
    .eq('customer_id', customerId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
  if (cursor !== undefined) {
    const after = decodeInstantCursor(cursor)
    query = query.lte('created_at', after.key).or(afterCursor('created_at', after, false))
  }
  const found = unwrap(await query.limit(limit + 1))
  // Cursors keep the microseconds, because entries of one sync differ only in these.
  const rows = z.array(rowSchema.extend({ created_at: z.string() })).parse(found)
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.created_at, last.id))
  return {
    ...page,
    data: page.data.map(({ reservation, ...entry }) => ({
      ...entry,
      created_at: instant.parse(entry.created_at),
      reservation_date: reservation?.service_date ?? null,
    })),
  }
}

/**
 * Adjusts or redeems points, with the reason; returns the entry and the new balance. Logged.
 * @throws HttpError 404 when the customer does not exist or is not visible, 409 when the balance is too low.
 */
export async function savePoints(
  { db }: Pick<Session, 'db'>,
  customerId: string,
  { kind, points, reason }: z.infer<typeof newPointsSchema>,
): Promise<z.infer<typeof pointsSavedSchema>> {
  const parameters = { p_customer: customerId, p_kind: kind, p_points: points, p_reason: reason }
  const { outcome, ...saved } = savedSchema.parse(unwrap(await db.rpc('save_points', parameters)))
  refuse(outcome, REFUSALS)
  return pointsSavedSchema.parse(saved)
}
