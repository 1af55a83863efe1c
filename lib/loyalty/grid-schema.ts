import { z } from 'zod'
import { MAX_EUR, MAX_VISITS } from './schema'

/** The rule of a tier at a location. */
export const ruleSchema = z
  .object({
    location_id: z.string(),
    tier_id: z.string(),
    min_spend: z.coerce.number(),
    min_visits: z.number(),
  })
  .meta({
    id: 'LoyaltyRule',
    description: 'Minimum spend (EUR) and visits; without a rule the tier never applies there',
  })
export type LoyaltyRule = z.infer<typeof ruleSchema>

/** Changes of rules: of each tier at a location at most one. */
export const changesSchema = z.strictObject({
  changes: z
    .array(
      z.strictObject({
        location_id: z.uuid(),
        tier_id: z.uuid(),
        rule: z
          .strictObject({
            min_spend: z.number().min(0).max(MAX_EUR),
            min_visits: z.number().int().min(0).max(MAX_VISITS),
          })
          .nullable()
          .meta({ description: 'null takes the rule away' }),
      }),
    )
    .max(2000)
    .refine(
      (changes) =>
        new Set(changes.map(({ location_id, tier_id }) => `${location_id} ${tier_id}`)).size ===
        changes.length,
      'Each rule at most once',
    ),
})
export type RuleChange = z.infer<typeof changesSchema>['changes'][number]

/** What a recalculation with those rules would do. */
export const previewSchema = z
  .object({
    evaluated: z.int(),
    rises: z.array(z.object({ location_id: z.string(), tier_id: z.string(), customers: z.int() })),
  })
  .meta({ id: 'LoyaltyPreview', description: 'How many would rise to each tier, by location' })
export type LoyaltyPreview = z.infer<typeof previewSchema>

/** The changes as the database takes them: nulls stand for no rule. */
export const flat = (changes: readonly RuleChange[]) =>
  changes.map(({ location_id, tier_id, rule }) => ({
    location_id,
    tier_id,
    min_spend: rule?.min_spend ?? null,
    min_visits: rule?.min_visits ?? null,
  }))
