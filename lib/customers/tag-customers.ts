import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError, refuse } from '@/lib/http/errors'
import { withGuestPatterns } from '@/lib/search'
import type { CustomerFilters } from './filters'
import { type CustomerCount, MAX_MATCHING, type TagChanged, type tagChange, tagChanged } from './selection'

/** How many customers match the filters of the list. */
export async function countCustomers(
  { db }: Pick<Session, 'db'>,
  filters: CustomerFilters,
): Promise<CustomerCount> {
  const parameters = { p_filters: withGuestPatterns(filters), p_most: MAX_MATCHING }
  const found = unwrap(await db.rpc('count_customers', parameters)) ?? 0
  return { customers: Math.min(found, MAX_MATCHING), more: found > MAX_MATCHING }
}

const outcomeSchema = tagChanged.partial().extend({ outcome: z.string() })

/**
 * Adds a tag to many customers or removes it, in one transaction. The log has a line for
 * each customer whose tags changed.
 * @throws HttpError 409 when the filters match more than 5,000 customers.
 */
export async function tagCustomers(
  { db }: Pick<Session, 'db'>,
  { action, tag, ids, filters = {} }: z.infer<typeof tagChange>,
): Promise<TagChanged> {
  const parameters = {
    p_added: action === 'add',
    p_tag: tag,
    p_filters: ids ? { ids } : withGuestPatterns(filters),
  }
  const { outcome, ...saved } = outcomeSchema.parse(unwrap(await db.rpc('tag_customers', parameters)))
  refuse(outcome, { too_many: 'TOO_MANY_CUSTOMERS' })
  return tagChanged.parse(saved)
}

/**
 * Undoes a change that the caller made with `tagCustomers` within the last hour, for the customers it changed.
 * @throws HttpError 404 when the caller made no such change, or it was already undone.
 */
export async function undoTagChange({ db }: Pick<Session, 'db'>, id: string): Promise<Response> {
  if (!unwrap(await db.rpc('undo_tag_change', { p_id: id }))) throw new HttpError('NOT_FOUND')
  return new Response(null, { status: 204 })
}
