import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError, refuse } from '@/lib/http/errors'
import { type CustomerMerge, type MergeUndone, mergeSchema, mergeUndoneSchema } from './merges-schema'

const REFUSALS = { already_undone: 'MERGE_UNDONE', too_old: 'MERGE_TOO_OLD' } as const
const outcomeSchema = mergeUndoneSchema
  .partial()
  .extend({ outcome: z.string(), later_id: z.string().optional() })

/** The merges into a customer in the last 30 days, the latest first; none without customer access. */
export async function listMerges({ db }: Pick<Session, 'db'>, customerId: string): Promise<CustomerMerge[]> {
  return z.array(mergeSchema).parse(unwrap(await db.rpc('list_merges', { p_customer: customerId })))
}

/**
 * Undoes a merge: restores the merged customer with its records, recounts both customers, and logs it for both.
 * @throws HttpError 404 when the merge does not exist or is not visible (erasing the customer deletes it), 409 when it
 * was already undone, is older than 30 days, or when a later merge (`later_id`) has to be undone first.
 */
export async function undoMerge({ db }: Pick<Session, 'db'>, id: string): Promise<MergeUndone> {
  const answer = unwrap(await db.rpc('undo_merge', { p_id: id }))
  const { outcome, later_id, ...undone } = outcomeSchema.parse(answer)
  if (later_id !== undefined) throw new HttpError('MERGED_SINCE', { fields: { later_id } })
  refuse(outcome, REFUSALS)
  return mergeUndoneSchema.parse(undone)
}
