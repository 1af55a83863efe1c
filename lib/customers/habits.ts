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
  past: z.number(),
  no_shows: z.number(),
})
/** The next booking and the habits of a customer, in the caller's locations. */
export type Habits = z.infer<typeof habitsSchema>

/** A rate of fewer bookings says nothing. */
const FEWEST = 3

/** The next booking of a customer, and where, at which table and on which weekday they came at least twice. */
export async function customerHabits(
  { db }: Pick<Session, 'db'>,
  customerId: string,
  now = new Date(),
): Promise<Habits> {
  const found = await db.rpc('customer_habits', { p_customer: customerId, p_now: now.toISOString() }).single()
  return habitsSchema.parse(unwrap(found))
}

/** The share of past bookings, without the cancelled ones, to which nobody came; null of fewer than three. */
export const noShowRate = ({ past, no_shows }: Pick<Habits, 'past' | 'no_shows'>): number | null =>
  past >= FEWEST ? no_shows / past : null
