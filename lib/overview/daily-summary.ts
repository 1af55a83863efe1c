import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const rowSchema = z.object({
  location_id: z.string(),
  service_date: z.string(),
  reservations: z.number(),
  covers: z.number(),
  no_shows: z.number(),
  cancelled: z.number(),
})
/** One location's service day: reservations and covers of those who come, and who does not. */
export type DailyFigure = z.infer<typeof rowSchema>

/** The figures of the services from one date to another (at most 62 days), in the caller's locations. */
export async function dailySummary(
  { db }: Pick<Session, 'db'>,
  { from, to, locationId }: { from: string; to: string; locationId?: string },
): Promise<DailyFigure[]> {
  const found = unwrap(await db.rpc('daily_summary', { p_from: from, p_to: to, p_location: locationId }))
  return z.array(rowSchema).parse(found)
}
