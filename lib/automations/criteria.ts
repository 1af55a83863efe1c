import { z } from 'zod'
import type { AutomationType } from './types'

const int = (min: number, max: number) => z.int().min(min).max(max)

/** Each type's criteria with their defaults, which private.automation_audience repeats. */
const CRITERIA = {
  /** Goes out from so many days before the birthday, once a year. */
  birthday: z.strictObject({ days_before: int(0, 60).default(7) }),
  /** To those without a visit for longer than so many days, once in 90 days. */
  reengagement: z.strictObject({
    inactive_days: int(1, 3650).default(90),
    min_visits: int(0, 100_000).default(1),
  }),
  /** To those of the tier or a higher one, or who spent so much (EUR), once in 60 days. */
  vip_reward: z
    .strictObject({
      min_tier: z.string().max(60).trim().min(1).optional(),
      min_spend: z.number().min(0).max(9_999_999_999).optional(),
    })
    .transform((criteria) => (Object.keys(criteria).length > 0 ? criteria : { min_tier: 'Oro' })),
  /** From hours_after to window_hours after a completed reservation's time, once a reservation. */
  post_visit: z
    .strictObject({ hours_after: int(0, 720).default(24), window_hours: int(1, 2160).default(72) })
    .refine(({ hours_after, window_hours }) => window_hours > hours_after, {
      path: ['window_hours'],
      message: 'must be more than hours_after',
    }),
  /** To those with a confirmed reservation ahead, once a reservation. */
  reservation_confirmation: z.strictObject({}),
} satisfies Record<AutomationType, z.ZodType>

/** The criteria with what was left out; fails with the path of what is wrong. */
export const completeCriteria = (type: AutomationType, criteria: object) => CRITERIA[type].safeParse(criteria)
