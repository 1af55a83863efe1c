import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError, refuse } from '@/lib/http/errors'
import { type LoyaltyRule, type RuleChange, ruleRows, ruleSchema, type rulesSchema } from './schema'

const PAGE = 1000

/** The loyalty rules of the organization's locations. */
export async function listRules({ db }: Pick<Session, 'db'>): Promise<LoyaltyRule[]> {
  const rules: LoyaltyRule[] = []
  for (;;) {
    const found = await db
      .from('loyalty_rules')
      .select('location_id, tier_id, min_spend, min_visits')
      .order('location_id')
      .order('tier_id')
      .range(rules.length, rules.length + PAGE - 1)
    const rows = z.array(ruleSchema).parse(unwrap(found))
    rules.push(...rows)
    if (rows.length < PAGE) return rules
  }
}

/**
 * Saves a location's loyalty rules, all or none. Customers keep their tiers until they are next evaluated.
 * @throws HttpError 403 for a location the caller does not work in, or where the organization limits marketing to
 * roles; 400 for an unknown tier.
 */
export async function saveRules(
  { db }: Pick<Session, 'db'>,
  { locationId, rules }: z.infer<typeof rulesSchema>,
) {
  const outcome = unwrap(await db.rpc('save_loyalty_rules', { p_location: locationId, p_rules: rules }))
  refuse(outcome, { foreign_location: 'FOREIGN_LOCATION' })
  if (outcome !== 'saved') throw new HttpError('INVALID_INPUT', { error: 'Datos incompletos' })
  return { success: true }
}

const REFUSALS = {
  unknown_location: 'FOREIGN_LOCATION',
  unknown_tier: { path: 'changes', code: 'unknown', message: 'Unknown tier' },
} as const

/**
 * Changes rules of several locations, all or none. Customers keep their tiers until they are next evaluated.
 * @throws HttpError 403 for a location the caller does not work in, 400 for an unknown tier.
 */
export async function saveChanges({ db }: Pick<Session, 'db'>, changes: readonly RuleChange[]) {
  const outcome = unwrap(await db.rpc('save_loyalty_changes', { p_changes: ruleRows(changes) }))
  refuse(outcome, REFUSALS)
  return { success: true }
}
