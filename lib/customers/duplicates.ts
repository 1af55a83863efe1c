import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError, invalidInput } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { isStorable, parseJson } from '@/lib/http/json'
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

const part = z.string().max(2700).refine(isStorable)
const cursorSchema = z.union([
  z.tuple([z.literal('email'), part, z.literal('')]),
  z.tuple([z.literal('name_and_birth_date'), z.iso.date().regex(/^[12]/), part]),
  z.tuple([z.literal('phone'), part, part]),
])
const foundSchema = z.object({
  groups: z.array(duplicateGroupSchema),
  next: z.array(z.string()).nullable(),
})

/**
 * Groups of customers who are likely one person, a keyset page at a time. A page with a `next_cursor` may be short, even
 * empty.
 * @throws HttpError 400 for a malformed cursor.
 */
export async function listDuplicates(
  { db }: Pick<Session, 'db'>,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: DuplicateGroup[]; next_cursor: string | null }> {
  const [reason, key, name] = cursor === undefined ? [] : decode(cursor)
  const parameters = { p_limit: limit, p_after_reason: reason, p_after_key: key, p_after_name: name }
  const { groups, next } = foundSchema.parse(unwrap(await db.rpc('customer_duplicates', parameters)))
  return {
    data: groups,
    next_cursor: next && Buffer.from(JSON.stringify(next)).toString('base64url'),
  }
}

function decode(cursor: string): z.infer<typeof cursorSchema> {
  try {
    return cursorSchema.parse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    throw new HttpError('MALFORMED_CURSOR')
  }
}

const outcomeSchema = z.object({
  outcome: z.string(),
  customer: customerSchema.optional(),
  merge_id: z.string().optional(),
})

/**
 * Merges a duplicate into a customer, and deletes it. Everything that refers to it moves to the customer. Tags and notes
 * are united, blanks filled, the higher tier kept; addresses that are not kept still match the next PMS booking. For 30
 * days `merge_id` undoes it (merges.ts).
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
 * Says that a customer is not the same person as others, who are then not suggested as duplicates; or takes it back.
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
 * The pairs of customers who were said to be different people, the latest first, a keyset page at a time.
 * @throws HttpError 400 for a cursor that is not one of ours.
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
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    data: z.array(pairSchema).parse(rows.slice(0, limit)),
    next_cursor: last ? encodeInstantCursor(last.decided_at, last.id) : null,
  }
}
