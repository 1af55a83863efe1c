import { z } from 'zod'
import { requiredText } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'

const MAX_EUR = 9_999_999_999
const MAX_VISITS = 1_000_000
/** A missing or falsy value means 0, as the contract requires. */
const orZero = (schema: z.ZodNumber) =>
  z.preprocess((value) => value || 0, schema.meta({ description: 'Missing or falsy: 0' })).default(0)

export const rulesSchema = z.object({
  locationId: z.guid(),
  rules: z
    .array(
      z.object({
        tier_id: z.guid(),
        min_spend: orZero(z.number().min(0).max(MAX_EUR)),
        min_visits: orZero(z.number().int().min(0).max(MAX_VISITS)),
      }),
    )
    .max(100),
})

export const configSchema = z.object({
  tiers: z
    .array(
      z.object({
        name: requiredText(60),
        min_spend: z.number().min(0).max(MAX_EUR),
        points_multiplier: z.number().min(0).max(1000),
      }),
    )
    .min(1)
    .max(20)
    .refine(
      (tiers) => new Set(tiers.map(({ name }) => name)).size === tiers.length,
      problemAs('not_unique', 'names must differ'),
    ),
})
/** The programme's configuration record: minimum spend in EUR. */
export type LoyaltyConfig = z.infer<typeof configSchema>

/** The default while no configuration is stored. */
export const DEFAULT_CONFIG: LoyaltyConfig = {
  tiers: [
    { name: 'Bronce', min_spend: 0, points_multiplier: 1 },
    { name: 'Plata', min_spend: 1000, points_multiplier: 1.2 },
    { name: 'Oro', min_spend: 2500, points_multiplier: 1.5 },
    { name: 'Platino', min_spend: 5000, points_multiplier: 2 },
  ],
}

export const tierSchema = z
  .object({ id: z.string(), name: z.string(), rank: z.number(), points_multiplier: z.coerce.number() })
  .meta({ id: 'LoyaltyTier' })
export type Tier = z.infer<typeof tierSchema>

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

/** Changes of rules: at most one for each tier at a location. */
export const changesSchema = z.strictObject({
  changes: z
    .array(
      z.strictObject({
        location_id: z.guid(),
        tier_id: z.guid(),
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
      problemAs('not_unique', 'Each rule at most once'),
    ),
})
export type RuleChange = z.infer<typeof changesSchema>['changes'][number]

/** The effect of a recalculation with those rules. */
export const previewSchema = z
  .object({
    evaluated: z.int(),
    rises: z.array(z.object({ location_id: z.string(), tier_id: z.string(), customers: z.int() })),
  })
  .meta({ id: 'LoyaltyPreview', description: 'How many would rise to each tier, by location' })
export type LoyaltyPreview = z.infer<typeof previewSchema>

/** The changes in the form of the SQL function's argument: nulls mean no rule. */
export const ruleRows = (changes: readonly RuleChange[]) =>
  changes.map(({ location_id, tier_id, rule }) => ({
    location_id,
    tier_id,
    min_spend: rule?.min_spend ?? null,
    min_visits: rule?.min_visits ?? null,
  }))
