import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { LISTED_COLUMNS, type ListedReservation, listedReservationSchema } from '@/lib/reservations/schema'

/** The next expected parties of the current service, soonest first, under the caller's own rights. */
export async function nextArrivals(
  { db }: Pick<Session, 'db'>,
  { locationId, limit = 8, now = new Date() }: { locationId?: string; limit?: number; now?: Date },
): Promise<ListedReservation[]> {
  const parameters = { p_location: locationId, p_limit: limit, p_now: now.toISOString() }
  const found = unwrap(await db.rpc('next_arrivals', parameters).select(LISTED_COLUMNS))
  return z.array(listedReservationSchema).parse(found)
}
