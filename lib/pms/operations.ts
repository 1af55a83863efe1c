import { z } from 'zod'
import { errorSchema, problem, unexpectedSchema } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'

/** The body of a person's POST /api/sync. */
export const sourceSchema = z.object({ source: z.literal('pms') })

/** The answer of GET /api/cron/sync. */
export const syncBodySchema = z.object({
  success: z.literal(true),
  timestamp: z.iso.datetime(),
  summary: z.array(
    z.object({
      location: z.string(),
      result: z.object({ status: z.enum(['success', 'error']), reservations: z.int() }),
    }),
  ),
  skipped: z.literal(true).optional(),
})

const tag = 'Sync'
const failed = {
  ...problem(
    'No PMS is enabled, every location failed, or an unexpected failure',
    'SYNC_FAILED',
    'No location could be synchronised: Casa Lumbre Chamberí: the PMS answered 503',
  ),
  schema: z.union([errorSchema, unexpectedSchema]),
}

export const syncPaths = definePaths({
  '/api/sync': {
    post: {
      contract: true,
      summary: 'Synchronise reservations from the PMS',
      description:
        'The scheduler sends an Authorization header and no body: all locations. A person sends a session cookie and ' +
        '`{"source": "pms"}`: the locations of their organization.',
      tag,
      auth: 'cron',
      variantAuth: 'session',
      body: sourceSchema.optional(),
      bodyExample: { source: 'pms' },
      errors: { invalid: 'Invalid sync source' },
      responses: {
        200: {
          description: 'The counts; `errors` names locations that failed, as long as one succeeded',
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
        403: problem('Sent from another site', 'FORBIDDEN'),
        409: problem('Another sync is under way', 'SYNC_RUNNING'),
        500: failed,
      },
    },
  },
})
