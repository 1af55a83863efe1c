import { z } from 'zod'
import { instant } from '@/lib/http/instant'
import { THRESHOLDS } from './thresholds'

export const identitySchema = z
  .object({
    likely: z.number().meta({ description: 'From this probability on, a pair is suggested' }),
    certain: z.number().meta({ description: 'From this one on, it may be taken for one person unasked' }),
    learned_at: instant.nullable().meta({ description: 'When the weights were learned; null: as shipped' }),
    learned_from: z.int().meta({ description: 'From how many guests' }),
    waiting: z.int().meta({ description: 'Guests who wait to be compared, counted up to 100,000' }),
    weights: z
      .array(z.object({ field: z.string(), level: z.string(), bits: z.number() }))
      .meta({ description: 'What each level of agreement adds or takes: one bit doubles the odds' }),
  })
  .meta({ id: 'Identity' })
export type Identity = z.infer<typeof identitySchema>

const within = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max)

export const identityChangesSchema = z
  .strictObject({ likely: within(THRESHOLDS.likely), certain: within(THRESHOLDS.certain) })
  .partial()
