import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeCursor, encodeCursor, pageOf } from '@/lib/http/cursor'
import { isInstantKey } from '@/lib/http/instant'
import { isStorable } from '@/lib/http/json'
import { withGuestPatterns } from '@/lib/search'
import type { CustomerSort, CustomersQuery } from './filters'
import {
  type Customer,
  type CustomerCity,
  type CustomerTag,
  customerCitySchema,
  customerSchema,
  customerTagSchema,
} from './schema'

const MAX_KEY = 2700
/** Whether the key in a cursor has the form of the sort's column. */
const IS_KEY: Record<CustomerSort, (key: string) => boolean> = {
  recent: (key) => key === '-infinity' || isInstantKey(key),
  name: (key) => key.length <= MAX_KEY && isStorable(key),
  spend: (key) => /^\d{1,10}(\.\d{1,2})?$/.test(key),
  visits: (key) => /^\d{1,9}$/.test(key),
}
const rowsSchema = z.array(z.object({ customer: customerSchema, key: z.string() }))

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
  const after = cursor === undefined ? undefined : decodeCursor(cursor, IS_KEY[sort])
  const found = await session.db.rpc('list_customers', {
    p_filters: withGuestPatterns(filters),
    p_sort: sort,
    p_after_key: after?.key,
    p_after_id: after?.id,
    p_limit: limit + 1,
    p_now: now.toISOString(),
  })
  const rows = rowsSchema.parse(unwrap(found))
  const page = pageOf(rows, limit, ({ key, customer }) => encodeCursor({ key, id: customer.id }))
  return { ...page, data: page.data.map(({ customer }) => customer) }
}

/** The first 20 cities of customers that begin so, accents and capitals aside. */
export async function listCities({ db }: Pick<Session, 'db'>, search = ''): Promise<CustomerCity[]> {
  return z.array(customerCitySchema).parse(unwrap(await db.rpc('customer_cities', { p_begins: search })))
}

/** The 200 most used tags of the organization's customers. */
export async function listTags({ db }: Pick<Session, 'db'>): Promise<CustomerTag[]> {
  return z.array(customerTagSchema).parse(unwrap(await db.rpc('customer_tags')))
}
