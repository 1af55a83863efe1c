import { z } from 'zod'

export const MAX_EUR = 9_999_999_999
export const MAX_VISITS = 1_000_000
/** A missing or falsy value means 0, as the contract says. */
const orZero = (schema: z.ZodNumber) =>
  z.preprocess((value) => value || 0, schema.meta({ description: 'Missing or falsy: 0' })).default(0)

export const rulesSchema = z.object({
  locationId: z.uuid(),
  rules: z
    .array(
      z.object({
        tier_id: z.uuid(),
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
        name: z.string().trim().min(1).max(60),
        min_spend: z.number().min(0).max(MAX_EUR),
        points_multiplier: z.number().min(0).max(1000),
      }),
    )
    .min(1)
    .max(20)
    .refine((tiers) => new Set(tiers.map(({ name }) => name)).size === tiers.length, 'names must differ'),
})
/** The programme's configuration record: minimum spend in EUR. */
export type LoyaltyConfig = z.infer<typeof configSchema>

/** What applies while nothing is stored. */
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
