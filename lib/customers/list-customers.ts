import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor, decodeCursor, encodeCursor } from '@/lib/http/cursor'
import { searchAll } from '@/lib/search'
import { CUSTOMER_COLUMNS, CUSTOMER_SORTS, type Customer, type CustomerSort, customerSchema } from './schema'

/** What narrows a customer list. */
export interface CustomerFilters {
  search?: string
  tierId?: string
  locationId?: string
  /** Only customers without a visit for this many days (those who never came are not inactive). */
  inactiveDays?: number
  sort?: CustomerSort
  cursor?: string
  limit?: number
  now?: Date
}

const DAY_MS = 86_400_000
const rowsSchema = z.array(customerSchema.extend({ sort_visit: z.string(), sort_name: z.string() }))

/** A keyset page of the organization's customers, under the caller's own rights. */
export async function listCustomers(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  {
    search = '',
    tierId,
    locationId,
    inactiveDays,
    sort = 'recent',
    cursor,
    limit = 50,
    now = new Date(),
  }: CustomerFilters,
): Promise<{ data: Customer[]; next_cursor: string | null }> {
  const { column, ascending } = CUSTOMER_SORTS[sort]
  let query = db
    .from('customers')
    .select(`${CUSTOMER_COLUMNS}, sort_visit, sort_name`)
    // Redundant with RLS, but it lets the (organization, sort key, id) index give the order.
    .eq('organization_id', organization.id)
  const pattern = searchAll(search)
  if (pattern) query = query.filter('search_text', 'ilike(all)', pattern)
  if (tierId) query = query.eq('loyalty_tier_id', tierId)
  if (locationId) query = query.eq('location_id', locationId)
  if (inactiveDays) {
    const before = new Date(now.getTime() - inactiveDays * DAY_MS).toISOString()
    query = query.lt('last_visit_at', before)
  }
  if (cursor) {
    const after = decodeCursor(cursor)
    query = ascending ? query.gte(column, after.key) : query.lte(column, after.key)
    query = query.or(afterCursor(column, after, ascending))
  }
  const found = unwrap(
    await query
      .order(column, { ascending })
      .order('id', { ascending })
      .limit(limit + 1),
  )
  const rows = rowsSchema.parse(found)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const data = rows.slice(0, limit).map(({ sort_visit: _, sort_name: __, ...customer }) => customer)
  return { data, next_cursor: last ? encodeCursor({ key: String(last[column]), id: last.id }) : null }
}
