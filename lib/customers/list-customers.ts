import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeCursor, encodeCursor } from '@/lib/http/cursor'
import { searchPatterns } from '@/lib/search'
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

/** A keyset page of the organization's customers; empty for someone without customer access. */
export async function listCustomers(
  { db }: Pick<Session, 'db'>,
  filters: CustomerFilters,
): Promise<{ data: Customer[]; next_cursor: string | null }> {
  const { search = '', tierId, locationId, inactiveDays, sort = 'recent', cursor, limit = 50 } = filters
  const { column, ascending } = CUSTOMER_SORTS[sort]
  const patterns = searchPatterns(search)
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const now = filters.now ?? new Date()
  const parameters = {
    p_sort: sort,
    p_limit: limit + 1,
    p_patterns: patterns.length > 0 ? patterns : undefined,
    p_tier: tierId,
    p_location: locationId,
    p_inactive_since:
      inactiveDays === undefined ? undefined : new Date(now.getTime() - inactiveDays * DAY_MS).toISOString(),
    p_after_key: after?.key,
    p_after_id: after?.id,
  }
  const found = await db
    .rpc('list_customers', parameters)
    .select(`${CUSTOMER_COLUMNS}, sort_visit, sort_name`)
    .order(column, { ascending })
    .order('id', { ascending })
  const rows = rowsSchema.parse(unwrap(found))
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const data = rows.slice(0, limit).map(({ sort_visit: _, sort_name: __, ...customer }) => customer)
  return { data, next_cursor: last ? encodeCursor({ key: String(last[column]), id: last.id }) : null }
}
