import { idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { newPointsSchema, type PointsEntry, pointsEntrySchema, pointsSavedSchema } from './points-schema'

const usual = { tag: 'Customers', auth: 'session', permission: 'canAccessClientes' } as const
const earned: PointsEntry = {
  id: '1c8f2a7e-5b1d-4c53-8a4e-9f0d3b6e7a21',
  kind: 'earned',
  points: 96,
  reservation_id: '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10',
  reservation_date: '2026-11-14',
  amount: 80.5,
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
        409: problem('There are fewer points', 'Not enough points'),
      },
    },
  },
})
