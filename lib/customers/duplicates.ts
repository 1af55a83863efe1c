import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { pageOf } from '@/lib/http/cursor'
import { HttpError, invalidInput } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { catchUp } from '@/lib/identity/score'
import { decodePlace, encodePlace, placeSchema } from './duplicate-places'
import type { mergeBody } from './fields'
import {
  customerSchema,
  type DuplicateGroup,
  duplicateGroupSchema,
  mergedSchema,
  type Pair,
  pairSchema,
  type verdictSchema,
} from './schema'

const foundSchema = z.object({
  groups: z.array(duplicateGroupSchema),
  next: placeSchema.nullable(),
})

/** The pairs to include: all with at least this probability, or only certain ones. */
export interface Confidence {
  above?: number
  certain?: boolean
}

/**
 * Groups of customers who are likely one person, the most certain first, a keyset page at a time. A page with a
 * `next_cursor` may be short, even empty. Before the first page, some of the waiting customers are compared.
 * @throws HttpError 400 for a malformed cursor.
 */
export async function listDuplicates(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { cursor, limit, above, certain }: { cursor?: string; limit: number } & Confidence,
): Promise<{ data: DuplicateGroup[]; next_cursor: string | null }> {
  const place = cursor === undefined ? {} : decodePlace(cursor)
  if (cursor === undefined) await catchUp(organization.id)
  const parameters = { p_limit: limit, p_above: above, p_certain: certain, ...place }
  const { groups, next } = foundSchema.parse(unwrap(await db.rpc('customer_duplicates', parameters)))
  return {
    data: groups,
    next_cursor: next && encodePlace(next),
  }
}

const outcomeSchema = z.object({
  outcome: z.string(),
  customer: customerSchema.optional(),
  merge_id: z.string().optional(),
})

/**
 * Merges a duplicate into a customer, and deletes it. All records that refer to it move to the customer. Tags and
 * notes are combined, blanks filled, the higher tier kept; dropped addresses still match later PMS bookings. For 30
 * days the merge can be undone with `merge_id` (merges.ts).
 * @throws HttpError 404 when either does not exist or is not visible, 400 when they are the same.
 */
export async function mergeCustomers(
  { db }: Pick<Session, 'db'>,
  id: string,
  { duplicate_id, fields }: z.infer<typeof mergeBody>,
): Promise<z.infer<typeof mergedSchema>> {
  const parameters = { p_id: id, p_duplicate_id: duplicate_id, p_fields: fields }
  const result = outcomeSchema.parse(unwrap(await db.rpc('merge_customers', parameters)))
  if (result.customer) return mergedSchema.parse({ ...result.customer, merge_id: result.merge_id })
  if (result.outcome === 'same')
    throw invalidInput({ path: 'duplicate_id', code: 'invalid', message: 'Must be another customer' })
  throw new HttpError('NOT_FOUND')
}

/**
 * Marks a customer as a different person from others, who are then not suggested as duplicates; or removes the mark.
 * @throws HttpError 404 when one of them does not exist or is not visible.
 */
export async function judgeDuplicates(
  { db }: Pick<Session, 'db'>,
  { customer_id, other_ids, different }: z.infer<typeof verdictSchema>,
): Promise<Response> {
  const parameters = { p_id: customer_id, p_others: other_ids, p_different: different }
  if (unwrap(await db.rpc('judge_duplicates', parameters)) !== 'saved') throw new HttpError('NOT_FOUND')
  return new Response(null, { status: 204 })
}

/**
 * A keyset page of the pairs of customers that staff marked as different people, the latest first.
 * @throws HttpError 400 for an invalid cursor.
 */
export async function listPairs(
  { db }: Pick<Session, 'db'>,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: Pair[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const found = await db.rpc('list_pairs', {
    p_before: after?.key,
    p_before_id: after?.id,
    p_limit: limit + 1,
  })
  const rows = unwrap(found) ?? []
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.decided_at, last.id))
  return { ...page, data: z.array(pairSchema).parse(page.data) }
}
