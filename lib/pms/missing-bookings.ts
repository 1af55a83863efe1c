import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const bookingSchema = z.object({
  id: z.string(),
  customer_name: z.string().nullable(),
  service_date: z.string(),
  reservation_date: z.string(),
  reservation_time: z.string(),
})

/** What left the PMS at a location, in the API and on home. */
export const missingAtSchema = z
  .object({
    location_id: z.string(),
    location: z.string(),
    cancelled: z.int(),
    not_applied: z.int(),
    bookings: z.array(bookingSchema).meta({ description: 'The first of those that were cancelled' }),
  })
  .meta({ id: 'MissingBookings' })

/**
 * The bookings of a location that left the PMS within the last 24 hours: how many were cancelled for that, the first of
 * them by time (local, `HH:mm`), and how many were not, because they were too many at once.
 */
export type MissingAt = z.infer<typeof missingAtSchema>

/** What left the PMS in the caller's locations: those where something did, each with at most twenty bookings. */
export async function missingBookings({ db }: Pick<Session, 'db'>, now = new Date()): Promise<MissingAt[]> {
  const found = await db.rpc('missing_bookings', { p_now: now.toISOString() })
  return z.array(missingAtSchema).parse(unwrap(found))
}
