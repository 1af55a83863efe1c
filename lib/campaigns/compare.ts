import { z } from 'zod'
import { differenceOf } from '@/lib/automations/difference'
import { LIFT_MINIMUM } from '@/lib/automations/lift-schema'
import { storedInstant } from '@/lib/http/instant'
import { VARIANTS, type Variant, WINNER_BY, type WINNER_REASONS } from './limits'

/** The answer of the SQL function campaign_score. */
export const scoreSchema = z.object({
  decides_at: storedInstant.nullable(),
  winner_by: z.enum(WINNER_BY),
  versions: z.array(
    z.object({
      variant: z.enum(VARIANTS),
      guests: z.int(),
      booked: z.int(),
      clicked: z.int().nullable(),
    }),
  ),
})
type CampaignScore = z.infer<typeof scoreSchema>

interface Comparison {
  known: (typeof WINNER_REASONS)[number]
  /** The version with the higher share; null when both are equal, or nothing is known. */
  ahead: Variant | null
  /** B less A per 1,000 guests, with its interval (`differenceOf`). */
  difference: { per_thousand: number; low: number; high: number } | null
}

/**
 * Compares the versions of a test by the share of their guests who booked or clicked: the difference of two proportions
 * with a score interval (lib/automations/difference.ts). `too_few` below the same minimum as lift.
 */
export function compareVersions({
  winner_by,
  versions,
}: Pick<CampaignScore, 'winner_by' | 'versions'>): Comparison {
  const [a, b] = VARIANTS.map((name) => {
    const { guests = 0, booked = 0, clicked = null } = versions.find(({ variant }) => variant === name) ?? {}
    const sum = winner_by === 'visits' ? booked : clicked
    return { guests, sum: sum ?? 0, isKnown: sum !== null }
  })
  const nothing = { known: 'too_few', ahead: null, difference: null } as const
  if (!a?.isKnown || !b?.isKnown || a.guests === 0 || b.guests === 0) return nothing
  const lead = b.sum * a.guests - a.sum * b.guests
  const ahead = lead > 0 ? 'b' : lead < 0 ? 'a' : null
  const [one, other] = [a, b].map(({ guests, sum }) => ({ guests, sum, squares: sum }))
  const found = one && other ? differenceOf([{ treated: other, control: one }]) : null
  const isSmall = Math.min(a.guests, b.guests) < LIFT_MINIMUM.guests || a.sum + b.sum < LIFT_MINIMUM.visits
  if (!found || isSmall) return { ...nothing, ahead }
  return { known: found.low > 0 || found.high < 0 ? 'better' : 'unclear', ahead, difference: found }
}
