import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { listTiers } from '@/lib/loyalty/list-tiers'
import type { customersQuery } from './fields'
import { listCustomers } from './list-customers'

const isId = (tier: string) => z.uuid().safeParse(tier).success

/**
 * GET /api/customers: a page of customers. A tier, tag or location that is not there has no customers.
 * @throws HttpError 400 for a cursor that is none of this order's.
 */
export async function queryCustomers(
  session: Pick<Session, 'db'>,
  { tier, location_id, tag, inactive_days, ...query }: z.infer<typeof customersQuery>,
) {
  const tierId = tier ? await findTier(session, tier) : undefined
  if (tierId === null) return { data: [], next_cursor: null }
  return listCustomers(session, {
    ...query,
    tierId,
    locationId: location_id,
    tag: tag || undefined,
    inactiveDays: inactive_days,
  })
}

async function findTier(session: Pick<Session, 'db'>, tier: string): Promise<string | null> {
  if (isId(tier)) return tier
  const tiers = await listTiers(session)
  return tiers.find(({ name }) => name === tier)?.id ?? null
}
