import { z } from 'zod'
import { line } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'

/** What an entry of the ledger is: the first three follow from a visit, the others are made by staff. */
const POINTS_KINDS = ['earned', 'corrected', 'taken_back', 'adjusted', 'redeemed'] as const

const MAX_POINTS = 1_000_000
const MAX_REASON = 300

export const pointsEntrySchema = z
  .object({
    id: z.string(),
    kind: z.enum(POINTS_KINDS),
    points: z.int(),
    reservation_id: z.string().nullable(),
    reservation_date: z
      .string()
      .nullable()
      .meta({ description: 'The day of the visit, where the caller may see the reservation' }),
    amount: z.coerce
      .number()
      .nullable()
      .meta({ description: 'EUR of the visit, from the average spend where none is known' }),
    multiplier: z.coerce
      .number()
      .nullable()
      .meta({ description: 'Of the tier held when the visit first earned' }),
    reason: z.string().nullable(),
    author: z.string().nullable(),
    created_at: instant,
  })
  .meta({ id: 'PointsEntry', description: 'An entry of a customer’s points ledger; points are signed' })
/** An entry of the points ledger. */
export type PointsEntry = z.infer<typeof pointsEntrySchema>

/** An entry made by staff: signed when adjusted, what is spent (positive) when redeemed. */
export const newPointsSchema = z
  .strictObject({
    kind: z.enum(['adjusted', 'redeemed']),
    points: z
      .int()
      .min(-MAX_POINTS)
      .max(MAX_POINTS)
      .refine((points) => points !== 0, 'must not be 0'),
    reason: line(MAX_REASON),
  })
  .refine(({ kind, points }) => kind === 'adjusted' || points > 0, {
    path: ['points'],
    message: 'must be above 0 when redeemed',
  })

/** What a new entry is answered with. */
export const pointsSavedSchema = z.object({ entry: pointsEntrySchema, balance: z.int() })
