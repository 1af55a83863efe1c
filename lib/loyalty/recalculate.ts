import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { boundTo } from '@/lib/locations/bound-to'

const BATCH_CUSTOMERS = 20_000
const batchSchema = z.object({ evaluated: z.number(), upgraded: z.number(), last_id: z.string().nullable() })

/** POST /api/loyalty/recalculate: evaluates every customer of the organization, or of the locations the caller is bound to. */
export async function recalculateTiers(session: Pick<Session, 'db' | 'organization' | 'user_id'>) {
  const locations = await boundTo(session)
  unwrap(await session.db.rpc('log_action', { p_action: 'loyalty.recalculated' }))
  const { evaluated, upgraded } = await raiseTiers(serviceDb(), session.organization.id, { locations })
  return { success: true, evaluated, upgraded }
}

/**
 * Evaluates every customer of an organization, or of some locations, by the rules of their location; tiers only ever
 * rise. `complete` is false when the signal ended it between two batches.
 * @param db the service client
 */
export async function raiseTiers(
  db: Db,
  organizationId: string,
  { signal, locations }: { signal?: AbortSignal; locations?: string[] | null } = {},
) {
  let evaluated = 0
  let upgraded = 0
  let after: string | null = null
  do {
    if (signal?.aborted) return { evaluated, upgraded, complete: false }
    const parameters = {
      p_organization: organizationId,
      p_after: after as string,
      p_limit: BATCH_CUSTOMERS,
      p_locations: locations ?? undefined,
    }
    const batch = batchSchema.parse(unwrap(await db.rpc('raise_loyalty_tiers', parameters)))
    evaluated += batch.evaluated
    upgraded += batch.upgraded
    after = batch.evaluated < BATCH_CUSTOMERS ? null : batch.last_id
  } while (after)
  return { evaluated, upgraded, complete: true }
}
