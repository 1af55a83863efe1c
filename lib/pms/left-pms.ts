import 'server-only'
import { z } from 'zod'
import { DatabaseError, unwrap } from '@/lib/db/errors'
import { env } from '@/lib/env'
import { log } from '@/lib/log'
import type { SyncIssue } from './sync-issues'
import type { SyncTools } from './sync-location'

const leftSchema = z.object({ missing: z.array(z.string()).default([]), not_applied: z.number().optional() })

/** What an answer said of a location: its days, and the `ids` of all its rows, null unless it is complete. */
interface Answered {
  days: { from: string; to: string }
  ids: string[] | null
}

/**
 * Cancels a location's bookings that a complete answer, and one before it, no longer contain. `missing`: their PMS ids.
 * `issues`: when they are too many at once, the first time of a day; or that they could not be cancelled, which the next
 * sync tries again.
 */
export async function takeOutMissing(
  { db, reader }: Pick<SyncTools, 'db' | 'reader'>,
  { id, name }: { id: string; name: string },
  { days, ids }: Answered,
  now: Date,
): Promise<{ missing: string[]; issues: SyncIssue[] }> {
  if (ids === null) return { missing: [], issues: [] }
  const own = (code: SyncIssue['code'], detail: string): SyncIssue => ({
    ...{ location_id: id, location: name },
    ...{ code, reservation: null, detail },
  })
  try {
    const answer = await db.rpc('take_out_missing', {
      p_location: id,
      p_at: now.toISOString(),
      p_from: days.from,
      p_to: days.to,
      p_ids: ids,
      p_minutes: env().PMS_MISSING_MINUTES,
      p_reader: reader,
    })
    const { missing, not_applied } = leftSchema.parse(unwrap(answer))
    return { missing, issues: not_applied === undefined ? [] : [own('not_applied', String(not_applied))] }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    log().error({ err: error, location: name }, 'bookings that left the PMS not cancelled')
    const issue = own('not_cancelled', 'the bookings that left the PMS could not be cancelled')
    return { missing: [], issues: [issue] }
  }
}
