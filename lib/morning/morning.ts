import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { notFoundError } from '@/lib/http/errors'
import { compareMorning } from './compare'
import { type Morning, type morningQuery, storedMorningSchema } from './schema'

/**
 * The morning report of a date for a location the caller works in, or for all active ones of the caller.
 * @param date the default is the current service day
 * @param people the maximum number of notable guests
 * @throws HttpError 404 for a location outside the caller's.
 */
export async function readMorning(
  { db }: Pick<Session, 'db'>,
  { date, location_id }: z.infer<typeof morningQuery>,
  { people = 12, now = new Date() }: { people?: number; now?: Date } = {},
): Promise<Morning> {
  const parameters = { p_date: date, p_location: location_id, p_people: people, p_now: now.toISOString() }
  const found = unwrap(await db.rpc('morning', parameters))
  if (found === null) throw notFoundError()
  return compareMorning(storedMorningSchema.parse(found))
}
