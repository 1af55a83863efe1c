import { notFound, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { overviewQuerySchema, overviewSchema } from './schema'

const figures = {
  known: 'all',
  booked: 47,
  reservations: 42,
  covers: 131,
  completed: 12,
  visits: 35,
  cancelled: 4,
  no_shows: 1,
  revenue: 4120.5,
  estimated_revenue: 3360,
}

export const overviewPaths = definePaths({
  '/api/stats/overview': {
    get: {
      summary: 'Figures of a period in the caller’s locations, and customers by tier',
      description:
        'Service days: what begins before 06:00 belongs to the day before. At most 366 days; by default the last seven. ' +
        'For days that were never fetched from the PMS, `known` is `none` and the figures are null, not 0.',
      tag: 'Overview',
      auth: 'session',
      permission: 'canWorkInOffice',
      machines: true,
      query: overviewQuerySchema,
      responses: {
        200: {
          description: 'The period, its days and locations, and the equally long period before',
          schema: single(overviewSchema),
          example: {
            data: {
              from: '2026-11-20',
              to: '2026-11-20',
              totals: figures,
              previous: { from: '2026-11-19', to: '2026-11-19', ...figures },
              days: [{ date: '2026-11-20', ...figures }],
              locations: [
                {
                  id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
                  name: 'Casa Lumbre Chamberí',
                  known_until: '2027-01-19',
                  ...figures,
                },
              ],
              customers: {
                total: 3120,
                by_tier: [{ id: '6f1f3a52-6c3c-4b6e-9d7e-0d7a2f1c4b11', name: 'Oro', customers: 87 }],
              },
            },
          },
        },
        404: notFound,
      },
    },
  },
})
