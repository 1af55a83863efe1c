import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { isUuid } from '@/lib/uuid'
import { listCustomers } from './list-customers'
import { personName } from './person-name'
import type { Customer } from './schema'

/** A customer by id; null when it does not exist or is not visible. */
export async function getCustomer(session: Pick<Session, 'db'>, id: string): Promise<Customer | null> {
  if (!isUuid(id)) return null
  const [customer] = (await listCustomers(session, { ids: [id], limit: 1 })).data
  return customer ?? null
}

/**
 * The customer with that id.
 * @throws HttpError 404 when it does not exist or is not visible.
 */
export async function readCustomer(session: Pick<Session, 'db'>, id: string): Promise<Customer> {
  const customer = await getCustomer(session, id)
  if (!customer) throw new HttpError('NOT_FOUND')
  return customer
}

const MAX_NAMES = 200
const namesSchema = z.array(
  z.object({ id: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() }),
)

/** The names by id of at most 200 customers that the caller may see; an empty text for a customer without a name. */
export async function customerNames(
  { db }: Pick<Session, 'db'>,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null).slice(0, MAX_NAMES)
  if (wanted.length === 0) return new Map()
  const found = await db.from('customers').select('id, first_name, last_name').in('id', wanted)
  const named = namesSchema.parse(unwrap(found) ?? [])
  return new Map(named.map((customer) => [customer.id, personName(customer) ?? '']))
}

const belongingsSchema = z.object({
  customer_id: z.string(),
  reservations: z.number(),
  messages: z.number(),
  tickets: z.number(),
  calendar_events: z.number(),
})
/** How many records refer to a customer in the locations where the caller works. */
export type Belongings = Omit<z.infer<typeof belongingsSchema>, 'customer_id'>

export const NOTHING: Belongings = { reservations: 0, messages: 0, tickets: 0, calendar_events: 0 }

/** The numbers of the caller's records that a merge would move or an erasure change, by customer. */
export async function customerBelongings(
  { db }: Pick<Session, 'db'>,
  ids: string[],
): Promise<Map<string, Belongings>> {
  const rows = z.array(belongingsSchema).parse(unwrap(await db.rpc('customer_belongings', { p_ids: ids })))
  return new Map(rows.map(({ customer_id, ...counts }) => [customer_id, counts]))
}
