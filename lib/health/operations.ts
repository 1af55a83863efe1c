import { z } from 'zod'
import { definePaths } from '@/lib/openapi/operation'

export const healthPaths = definePaths({
  '/api/health': {
    get: {
      contract: true,
      summary: 'Whether the database answers',
      tag: 'Health',
      auth: 'none',
      responses: {
        200: {
          description: 'It does',
          schema: z.object({
            status: z.literal('healthy'),
            database: z.literal('connected'),
            timestamp: z.iso.datetime(),
            version: z.string(),
          }),
          example: {
            status: 'healthy',
            database: 'connected',
            timestamp: '2026-11-20T12:00:00.000Z',
            version: '1.0.0',
          },
        },
        503: {
          description: 'It does not, within three seconds, or the deployment’s settings are not valid',
          schema: z.object({ status: z.literal('unhealthy'), error: z.string() }),
          example: { status: 'unhealthy', error: 'The database does not answer' },
        },
      },
    },
  },
})
