import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { type LoyaltyRule, ruleSchema } from './grid-schema'

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
