import { z } from 'zod'
import { RISK_LEVELS } from './no-show'

export const riskSchema = z
  .object({
    level: z.enum(RISK_LEVELS),
    probability: z.number().meta({ description: '0 to 1; never certain' }),
    bookings: z.int().meta({ description: 'The guest’s last bookings before it, 50 at most' }),
    no_shows: z.int().meta({ description: 'Those of them to which the guest did not come' }),
    lead_days: z.int().nullable().meta({ description: 'Days from booking to the date; null: not known' }),
    party_size: z.int(),
    confirmed: z.boolean().meta({ description: 'The guest has answered that they come' }),
  })
  .meta({
    id: 'NoShowRisk',
    description:
      'How likely a no-show is, from the guest’s own bookings and this one; for staff only, and no certainty',
  })
export type NoShowRisk = z.infer<typeof riskSchema>
