import 'server-only'
import { z } from 'zod'
import { boundTo, type Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { HttpError } from '@/lib/http/errors'
import type { JobContext } from '@/lib/jobs/job'
import { onceANight } from '@/lib/jobs/run-job'
import { type LoyaltyPreview, previewSchema, type RuleChange, ruleRows } from './schema'

const BATCH_CUSTOMERS = 20_000
const previewBatchSchema = previewSchema.extend({ last_id: z.string().nullable() })

/**
 * Counts the customers that changed rules would raise to each tier, by location, with the SQL function and batches of
 * the recalculation. For people bound to locations, only in these. Writes nothing; an abort ends it between two
 * batches.
 * @throws HttpError 403 for a location the caller does not work in.
 */
export async function previewChanges(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  changes: readonly RuleChange[],
  signal?: AbortSignal,
): Promise<LoyaltyPreview> {
  const bound = await boundTo(session)
  const asked = [...new Set(changes.map(({ location_id }) => location_id))]
  const mine = unwrap(await session.db.from('locations').select('id').in('id', asked))
  if (mine?.length !== asked.length) throw new HttpError('FOREIGN_LOCATION')
  const rises = new Map<string, LoyaltyPreview['rises'][number]>()
  let evaluated = 0
  let after: string | null = null
  do {
    signal?.throwIfAborted()
    const answer = await serviceDb().rpc('preview_loyalty_tiers', {
      p_organization: session.organization.id,
      p_changes: ruleRows(changes),
      p_after: after as string,
      p_limit: BATCH_CUSTOMERS,
      p_locations: bound ?? undefined,
    })
    const batch = previewBatchSchema.parse(unwrap(answer))
    for (const rise of batch.rises) {
      const key = `${rise.location_id} ${rise.tier_id}`
      rises.set(key, { ...rise, customers: rise.customers + (rises.get(key)?.customers ?? 0) })
    }
    evaluated += batch.evaluated
    after = batch.evaluated < BATCH_CUSTOMERS ? null : batch.last_id
  } while (after)
  return { evaluated, rises: [...rises.values()] }
}

const batchSchema = z.object({ evaluated: z.number(), upgraded: z.number(), last_id: z.string().nullable() })

/**
 * POST /api/loyalty/recalculate: evaluates every customer of the organization, or of the locations the caller is bound
 * to.
 */
export async function recalculateTiers(session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>) {
  const locations = await boundTo(session)
  unwrap(await session.db.rpc('log_action', { p_action: 'loyalty.recalculated' }))
  const { evaluated, upgraded } = await raiseTiers(serviceDb(), session.organization.id, { locations })
  return { success: true, evaluated, upgraded }
}

/**
 * Evaluates every customer of an organization, or of some locations, by the rules of their location; tiers never
 * fall. `complete` is false when the signal ended it between two batches.
 * @param db the service client
 */
async function raiseTiers(
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

/** Evaluates every customer's tier once a night. */
export function evaluateNightly(context: JobContext): Promise<void> {
  return onceANight(context, { job: 'loyalty', leaseSeconds: 300 }, async (organizationId) => {
    const { complete, ...result } = await raiseTiers(context.db, organizationId, { signal: context.signal })
    return { status: complete ? 'succeeded' : 'partial', result, value: null }
  })
}
