import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'

const BATCH_CUSTOMERS = 20_000
const batchSchema = z.object({ evaluated: z.number(), upgraded: z.number(), last_id: z.string().nullable() })

/** Evaluates every customer of the organization by the rules of their location; tiers only ever rise. */
export async function recalculateTiers({ organization }: Pick<Session, 'organization'>) {
  let evaluated = 0
  let upgraded = 0
  let after: string | null = null
  do {
    const parameters = { p_organization: organization.id, p_after: after as string, p_limit: BATCH_CUSTOMERS }
    const batch = batchSchema.parse(unwrap(await serviceDb().rpc('raise_loyalty_tiers', parameters)))
    evaluated += batch.evaluated
    upgraded += batch.upgraded
    after = batch.evaluated < BATCH_CUSTOMERS ? null : batch.last_id
  } while (after)
  return { success: true, evaluated, upgraded }
}
