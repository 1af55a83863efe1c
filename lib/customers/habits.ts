import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const habitsSchema = z.object({
  next_reservation: z.string().nullable(),
  next_location: z.string().nullable(),
  next_location_id: z.string().nullable(),
  next_date: z.string().nullable(),
  next_service_date: z.string().nullable(),
  next_time: z
    .string()
    .overwrite((time) => time.slice(0, 5))
    .nullable(),
  next_party_size: z.number().nullable(),
  usual_location: z.string().nullable(),
  usual_table: z.string().nullable(),
  usual_table_location: z.string().nullable(),
  usual_weekday: z.number().nullable(),
  first_date: z.string().nullable(),
  past: z.number(),
  no_shows: z.number(),
  usual_days: z.number().nullable(),
  rhythm: z.enum(['on_time', 'at_risk', 'lost', 'unknown']).nullable(),
  return_probability: z.number().nullable(),
})
/**
 * The next booking, the service day of the first and the habits of a customer, in the caller's locations. The rhythm counts
 * visits at all locations: `usual_days` is the median of the days between visits, `return_probability` that of a visit
 * within a year. With fewer than three visit days `rhythm` is `unknown` and both are null; without a visit all three
 * are null.
 */
export type Habits = z.infer<typeof habitsSchema>

/** A rate of fewer bookings says nothing. */
const FEWEST = 3

/**
 * The next and the first booking of a customer, and where, at which table and on which weekday they came at least
 * twice.
 */
export async function customerHabits(
  { db }: Pick<Session, 'db'>,
  customerId: string,
  now = new Date(),
): Promise<Habits> {
  const found = await db.rpc('customer_habits', { p_customer: customerId, p_now: now.toISOString() }).single()
  return habitsSchema.parse(unwrap(found))
}

/** Days as people say them: in days up to ten, in weeks up to ten, then in months. */
export function waitInWords(days: number): { unit: 'days' | 'weeks' | 'months'; count: number } {
  if (days < 10.5) return { unit: 'days', count: Math.round(days) }
  if (days < 73.5) return { unit: 'weeks', count: Math.round(days / 7) }
  return { unit: 'months', count: Math.round(days / 30.44) }
}

/** No-shows ÷ (no-shows + visits) of past services; null of fewer than three. */
export const noShowRate = ({ past, no_shows }: Pick<Habits, 'past' | 'no_shows'>): number | null =>
  past >= FEWEST ? no_shows / past : null
