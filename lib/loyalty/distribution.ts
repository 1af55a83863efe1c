import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const rowsSchema = z.array(
  z.object({ location_id: z.string(), tier_id: z.string().nullable(), customers: z.number() }),
)
/** How many customers of a location hold a tier (null: none). */
export type TierCount = z.infer<typeof rowsSchema>[number]

/** Who holds what, at each of the caller's locations. */
export async function tierDistribution({ db }: Pick<Session, 'db'>): Promise<TierCount[]> {
  return rowsSchema.parse(unwrap(await db.rpc('loyalty_distribution')))
}
