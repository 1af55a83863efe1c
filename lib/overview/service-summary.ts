import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { RESERVATION_STATUSES } from '@/lib/pms/status'

const rowSchema = z.object({
  location_id: z.string(),
  service_date: z.string(),
  status: z.enum(RESERVATION_STATUSES),
  hour: z.number(),
  reservations: z.number(),
  covers: z.number(),
})
/** Reservations and covers (guests) of one location, status and hour (0–23) of a service day. */
export type ServiceFigure = z.infer<typeof rowSchema>

/** The figures of a date's service, or of the current one of each location when no date is given. */
export async function serviceSummary(
  { db }: Pick<Session, 'db'>,
  { locationId, date, now = new Date() }: { locationId?: string; date?: string; now?: Date },
): Promise<ServiceFigure[]> {
  const parameters = { p_location: locationId, p_date: date, p_now: now.toISOString() }
  return z.array(rowSchema).parse(unwrap(await db.rpc('service_summary', parameters)))
}
