import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { instant } from '@/lib/http/instant'
import { RESERVATION_STATUSES } from '@/lib/pms/status'

const rowSchema = z.object({
  reservation_id: z.string(),
  location_id: z.string(),
  location_name: z.string(),
  customer_id: z.string(),
  customer_name: z.string().nullable(),
  reservation_time: z.string().overwrite((time) => time.slice(0, 5)),
  party_size: z.number(),
  status: z.enum(RESERVATION_STATUSES),
  tier: z.string().nullable(),
  vip: z.boolean(),
  /** Days to the birthday, from -3 to 3; null when it is not around today. */
  birthday_in: z.number().nullable(),
  allergy: z.boolean(),
  notes: z.string().nullable(),
  first_visit: z.boolean(),
  last_visit_at: instant.nullable(),
  away: z.boolean(),
  no_shows: z.number(),
  found: z.number(),
})
/** A guest of today, and why one should know them. */
export type GuestToKnow = z.infer<typeof rowSchema>

/** The most noteworthy guests still expected or seated today, by time; `total` counts those left out as well. */
export async function customersToKnow(
  { db }: Pick<Session, 'db'>,
  { locationId, limit = 8, now = new Date() }: { locationId?: string; limit?: number; now?: Date },
): Promise<{ guests: GuestToKnow[]; total: number }> {
  const parameters = { p_location: locationId, p_limit: limit, p_now: now.toISOString() }
  const guests = z.array(rowSchema).parse(unwrap(await db.rpc('customers_to_know', parameters)))
  return { guests, total: guests[0]?.found ?? 0 }
}
