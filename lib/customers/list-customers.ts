import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeCursor, encodeCursor } from '@/lib/http/cursor'
import { isInstantKey } from '@/lib/http/instant'
import { isStorable } from '@/lib/http/storable'
import { searchPatterns } from '@/lib/search'
import type { ConsentFilter } from './consent'
import {
  CUSTOMER_COLUMNS,
  CUSTOMER_SORTS,
  type Customer,
  type CustomerSegment,
  type CustomerSort,
  customerRow,
} from './schema'
import { withConsent } from './with-consent'

/** What narrows a customer list. */
export interface CustomerFilters {
  search?: string
  tierId?: string
  locationId?: string
  /** Only customers without a visit for this many days (those who never came are not inactive). */
  inactiveDays?: number
  tag?: string
  segment?: CustomerSegment
  consent?: ConsentFilter
  sort?: CustomerSort
  cursor?: string
  limit?: number
  now?: Date
}

const DAY_MS = 86_400_000
const MAX_KEY = 2700
/** Whether a cursor's key is a value of the sort's column. */
const IS_KEY: Record<CustomerSort, (key: string) => boolean> = {
  recent: (key) => key === '-infinity' || isInstantKey(key),
  name: (key) => key.length <= MAX_KEY && isStorable(key),
  spend: (key) => /^\d{1,10}(\.\d{1,2})?$/.test(key),
  visits: (key) => /^\d{1,9}$/.test(key),
}
const rowsSchema = z.array(customerRow.extend({ sort_visit: z.string(), sort_name: z.string() }))

/**
 * A keyset page of the organization's customers; empty for someone without customer access.
 * @throws HttpError 400 for a cursor that is none of this order's.
 */
export async function listCustomers(
  session: Pick<Session, 'db'>,
  filters: CustomerFilters,
): Promise<{ data: Customer[]; next_cursor: string | null }> {
  const { search = '', sort = 'recent', limit = 50, inactiveDays, cursor } = filters
  const { column, ascending } = CUSTOMER_SORTS[sort]
  const patterns = searchPatterns(search)
  const after = cursor === undefined ? undefined : decodeCursor(cursor, IS_KEY[sort])
  const now = filters.now ?? new Date()
  const parameters = {
    p_sort: sort,
    p_limit: limit + 1,
    p_patterns: patterns.length > 0 ? patterns : undefined,
    p_tier: filters.tierId,
    p_location: filters.locationId,
    p_tag: filters.tag,
    p_segment: filters.segment,
    p_consent: filters.consent,
    p_now: now.toISOString(),
    p_inactive_since:
      inactiveDays === undefined ? undefined : new Date(now.getTime() - inactiveDays * DAY_MS).toISOString(),
    p_after_key: after?.key,
    p_after_id: after?.id,
  }
  const found = await session.db
    .rpc('list_customers', parameters)
    .select(`${CUSTOMER_COLUMNS}, sort_visit, sort_name`)
    .order(column, { ascending })
    .order('id', { ascending })
  const rows = rowsSchema.parse(unwrap(found))
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const customers = rows.slice(0, limit).map(({ sort_visit: _, sort_name: __, ...customer }) => customer)
  const data = await withConsent(session, customers)
  return { data, next_cursor: last ? encodeCursor({ key: String(last[column]), id: last.id }) : null }
}
