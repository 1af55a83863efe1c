import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { boundTo } from '@/lib/locations/bound-to'
import { foreignLocation } from './foreign-location'
import { flat, type LoyaltyPreview, previewSchema, type RuleChange } from './grid-schema'

const BATCH_CUSTOMERS = 20_000
const batchSchema = previewSchema.extend({ last_id: z.string().nullable() })

/**
 * How many customers would rise to which tier, by location, were the rules changed so and everyone evaluated: by the
 * same SQL function that recalculates, in the same batches. Someone bound to locations asks about those. Nothing is
 * written; an abort ends it between two batches.
 * @throws HttpError 403 for a location the caller does not work in.
 */
export async function previewChanges(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
  changes: readonly RuleChange[],
  signal?: AbortSignal,
): Promise<LoyaltyPreview> {
  const bound = await boundTo(session)
  const asked = [...new Set(changes.map(({ location_id }) => location_id))]
  const mine = unwrap(await session.db.from('locations').select('id').in('id', asked))
  if (mine?.length !== asked.length) throw foreignLocation()
  const rises = new Map<string, LoyaltyPreview['rises'][number]>()
  let evaluated = 0
  let after: string | null = null
  do {
    signal?.throwIfAborted()
    const answer = await serviceDb().rpc('preview_loyalty_tiers', {
      p_organization: session.organization.id,
      p_changes: flat(changes),
      p_after: after as string,
      p_limit: BATCH_CUSTOMERS,
      p_locations: bound ?? undefined,
    })
    const batch = batchSchema.parse(unwrap(answer))
    for (const rise of batch.rises) {
      const key = `${rise.location_id} ${rise.tier_id}`
      rises.set(key, { ...rise, customers: rise.customers + (rises.get(key)?.customers ?? 0) })
    }
    evaluated += batch.evaluated
    after = batch.evaluated < BATCH_CUSTOMERS ? null : batch.last_id
  } while (after)
  return { evaluated, rises: [...rises.values()] }
}
