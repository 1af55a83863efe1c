import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeCursor, encodeCursor, pageOf } from '@/lib/http/cursor'
import { isInstantKey } from '@/lib/http/instant'
import { isStorable } from '@/lib/http/json'
import { withPatterns } from '@/lib/search'
import { consentSchema } from './consent'
import { CUSTOMER_SORTS, type CustomerSort, type CustomersQuery } from './filters'
import { CUSTOMER_COLUMNS, type Customer, type CustomerTag, customerRow, customerTagSchema } from './schema'

const MAX_KEY = 2700
/** Whether the key in a cursor has the form of the sort's column. */
const IS_KEY: Record<CustomerSort, (key: string) => boolean> = {
  recent: (key) => key === '-infinity' || isInstantKey(key),
  name: (key) => key.length <= MAX_KEY && isStorable(key),
  spend: (key) => /^\d{1,10}(\.\d{1,2})?$/.test(key),
  visits: (key) => /^\d{1,9}$/.test(key),
}
const rowsSchema = z.array(customerRow.extend({ sort_visit: z.string(), sort_name: z.string() }))

/**
 * A keyset page of the organization's customers; empty for someone without customer access. A tier, tag or location
 * that is not there has no customers. `ids` narrows it to a selection.
 * @throws HttpError 400 for a cursor that does not fit the order.
 */
export async function listCustomers(
  session: Pick<Session, 'db'>,
  { sort = 'recent', cursor, limit = 50, ...filters }: Partial<CustomersQuery> & { ids?: string[] },
  now = new Date(),
): Promise<{ data: Customer[]; next_cursor: string | null }> {
  const { column, ascending } = CUSTOMER_SORTS[sort]
  const after = cursor === undefined ? undefined : decodeCursor(cursor, IS_KEY[sort])
  const found = await session.db
    .rpc('list_customers', {
      p_filters: withPatterns(filters),
      p_sort: sort,
      p_after_key: after?.key,
      p_after_id: after?.id,
      p_limit: limit + 1,
      p_now: now.toISOString(),
    })
    .select(`${CUSTOMER_COLUMNS}, sort_visit, sort_name`)
    .order(column, { ascending })
    .order('id', { ascending })
  const rows = rowsSchema.parse(unwrap(found))
  const page = pageOf(rows, limit, (last) => encodeCursor({ key: String(last[column]), id: last.id }))
  const customers = page.data.map(({ sort_visit: _, sort_name: __, ...customer }) => customer)
  return { ...page, data: await withConsent(session, customers) }
}

const consentsSchema = z.array(z.object({ customer_id: z.string(), consent: consentSchema }))

/** The customers with their consent, all read at once; a customer erased meanwhile is left out. */
export async function withConsent<Row extends Omit<Customer, 'consent'>>(
  { db }: Pick<Session, 'db'>,
  rows: readonly Row[],
): Promise<(Row & Pick<Customer, 'consent'>)[]> {
  if (rows.length === 0) return []
  const found = unwrap(await db.rpc('consents_of', { p_ids: rows.map(({ id }) => id) }))
  const consents = new Map(
    consentsSchema.parse(found).map(({ customer_id, consent }) => [customer_id, consent]),
  )
  return rows.flatMap((row) => {
    const consent = consents.get(row.id)
    return consent ? [{ ...row, consent }] : []
  })
}

/** The 200 most used tags of the organization's customers. */
export async function listTags({ db }: Pick<Session, 'db'>): Promise<CustomerTag[]> {
  return z.array(customerTagSchema).parse(unwrap(await db.rpc('customer_tags')))
}
