import { z } from 'zod'
import { errorSchema, problem, unexpectedSchema } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { sourceSchema } from './schema'

const tag = 'Sync'
const failed = {
  ...problem(
    'No PMS is enabled, every location failed, or an unexpected failure',
    'No location could be synchronised: Casa Lumbre Chamberí: the PMS answered 503',
  ),
  schema: z.union([errorSchema, unexpectedSchema]),
}

export const syncPaths = definePaths({
  '/api/sync': {
    post: {
      summary: 'Synchronise reservations from the PMS',
      description:
        'With an Authorization header the scheduler’s form (no body): all locations. With a session cookie and ' +
        '`{"source": "pms"}` a person’s: the locations of their organization.',
      tag,
      auth: 'cron',
      variantAuth: 'session',
      body: sourceSchema.optional(),
      bodyExample: { source: 'pms' },
      errors: { invalid: 'Invalid sync source' },
      responses: {
        200: {
          description: 'The counts; a location that failed is in `errors` while another one did not',
          schema: z.union([
            z.object({
              success: z.literal(true),
              synced: z.int(),
              created: z.int(),
              updated: z.int(),
              locations: z.array(
                z.object({ locationId: z.string(), locationName: z.string(), count: z.int() }),
              ),
              errors: z.array(z.string()),
            }),
            z.object({
              success: z.literal(true),
              synced_reservations: z.int(),
              synced_customers: z.int(),
              errors: z.array(z.string()),
            }),
          ]),
          example: {
            success: true,
            synced: 556,
            created: 12,
            updated: 3,
            locations: [
              {
                locationId: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
                locationName: 'Casa Lumbre Chamberí',
                count: 556,
              },
            ],
            errors: [],
          },
        },
        403: problem('Sent from another site', 'Forbidden'),
        409: problem('Another sync is under way', 'Sync already running'),
        500: failed,
      },
    },
  },
})
