import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { compareSoon } from '@/lib/identity/score'
import {
  decodePlace,
  encodePlace,
  type MergedSome,
  type mergeAllSchema,
  mergedRowsSchema,
  pairCountSchema,
} from './duplicate-places'

// About half a second of work: far below the statement limit.
const STEP = 20

/** The number of likely pairs with at least that confidence, up to ten thousand. */
export async function countDuplicates(
  { db }: Pick<Session, 'db'>,
  { above, certain }: { above: number; certain: boolean },
): Promise<z.infer<typeof pairCountSchema>> {
  const counted = await db.rpc('count_duplicates', { p_above: above, p_certain: certain })
  return pairCountSchema.parse(unwrap(counted))
}

/**
 * Merges the next groups of duplicates of at least that confidence, each into its oldest customer; call it again with
 * `next_cursor` until that is null. It never merges customers that staff marked as different people.
 * @throws HttpError 400 for a malformed cursor.
 */
export async function mergeDuplicates(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { above, certain, cursor }: z.infer<typeof mergeAllSchema>,
): Promise<MergedSome> {
  const place = cursor === undefined ? {} : decodePlace(cursor)
  const parameters = { p_above: above, p_certain: certain, p_limit: STEP, ...place }
  const { merged, next } = mergedRowsSchema.parse(unwrap(await db.rpc('merge_duplicates', parameters)))
  if (merged > 0) compareSoon(organization.id)
  return { merged, next_cursor: next && encodePlace(next) }
}
