import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const tierSchema = z.object({
  id: z.string(),
  name: z.string(),
  rank: z.number(),
  points_multiplier: z.coerce.number(),
})
export type Tier = z.infer<typeof tierSchema>

/** The organization's loyalty tiers, the lowest first. */
export async function listTiers({ db }: Pick<Session, 'db'>): Promise<Tier[]> {
  return z
    .array(tierSchema)
    .parse(unwrap(await db.from('loyalty_tiers').select('id, name, rank, points_multiplier').order('rank')))
}
