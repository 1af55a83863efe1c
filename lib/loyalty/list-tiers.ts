import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { type Tier, tierSchema } from './schema'

/** The organization's loyalty tiers, the lowest first. */
export async function listTiers({ db }: Pick<Session, 'db'>): Promise<Tier[]> {
  return z
    .array(tierSchema)
    .parse(unwrap(await db.from('loyalty_tiers').select('id, name, rank, points_multiplier').order('rank')))
}
