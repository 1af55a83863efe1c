import { z } from 'zod'
import { line } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { problemAs } from '@/lib/http/issues'
import { idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'

/** The kinds of entries in the ledger: the first three follow from a visit, the others are made by staff. */
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
      .meta({ description: 'The service day of the visit, where the caller may see the reservation' }),
    amount: z.coerce
      .number()
      .nullable()
      .meta({ description: 'EUR of the visit, from the average spend where none is known' }),
    amount_is_estimate: z
      .boolean()
      .meta({ description: 'Nobody rang up or typed the amount: it is guests × average spend' }),
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

/** An entry made by staff: a signed number to adjust, a positive number to redeem. */
export const newPointsSchema = z
  .strictObject({
    kind: z.enum(['adjusted', 'redeemed']),
    points: z
      .int()
      .min(-MAX_POINTS)
      .max(MAX_POINTS)
      .refine((points) => points !== 0, problemAs('not_zero', 'must not be 0')),
    reason: line(MAX_REASON),
  })
  .refine(({ kind, points }) => kind === 'adjusted' || points > 0, {
    path: ['points'],
    ...problemAs('too_small', 'must be above 0 when redeemed', { minimum: 1 }),
  })

/** The answer to a new entry. */
export const pointsSavedSchema = z.object({ entry: pointsEntrySchema, balance: z.int() })

const usual = { tag: 'Customers', auth: 'session', permission: 'canAccessClientes' } as const
const earned: PointsEntry = {
  id: '1c8f2a7e-5b1d-4c53-8a4e-9f0d3b6e7a21',
  kind: 'earned',
  points: 96,
  reservation_id: '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10',
  reservation_date: '2026-11-14',
  amount: 80.5,
  amount_is_estimate: false,
  multiplier: 1.2,
  reason: null,
  author: null,
  created_at: '2026-11-15T04:10:00.000Z',
}
const redeemed: PointsEntry = {
  id: '52b0e9d4-7c3a-4f8e-b1a6-0e4d9c2f8b35',
  kind: 'redeemed',
  points: -50,
  reservation_id: null,
  reservation_date: null,
  amount: null,
  amount_is_estimate: false,
  multiplier: null,
  reason: 'Botella de cava',
  author: 'Marta Soler',
  created_at: '2026-11-20T21:40:00.000Z',
}

export const pointsPaths = definePaths({
  '/api/customers/{id}/points': {
    get: {
      ...usual,
      summary: 'A customer’s points ledger, the latest entry first',
      description:
        'A visit earns its EUR × the multiplier of the tier held then, rounded down; a corrected amount corrects the points, and a visit taken back takes them back. The balance is the customer’s `points`.',
      params: idParams,
      query: pageQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(pointsEntrySchema),
          example: { data: [redeemed, earned], next_cursor: null },
        },
        404: notFound,
      },
    },
    post: {
      ...usual,
      summary: 'Adjust or redeem a customer’s points',
      description:
        '`adjusted` takes a signed number, `redeemed` a positive one that is subtracted. Neither takes more than there is. Logged.',
      params: idParams,
      body: newPointsSchema,
      bodyExample: { kind: 'redeemed', points: 50, reason: 'Botella de cava' },
      responses: {
        201: {
          description: 'The entry and the new balance',
          schema: single(pointsSavedSchema),
          example: { data: { entry: redeemed, balance: 298 } },
        },
        404: notFound,
        409: problem('There are fewer points', 'NOT_ENOUGH_POINTS'),
      },
    },
  },
})
