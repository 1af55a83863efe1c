import { z } from 'zod'
import { definePaths } from '@/lib/openapi/operation'

export const healthPaths = definePaths({
  '/api/health': {
    get: {
      contract: true,
      summary: 'Whether the app can run: its settings, the database, its keys and its schema',
      tag: 'Health',
      auth: 'none',
      responses: {
        200: {
          description: 'It can',
          headers: { 'X-Installation': 'A name of this installation, which no other has' },
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
          description:
            'It cannot: a setting is not valid, the database does not answer within three seconds, refuses the app’s key, or has no schema or an older one. `error` says which',
          schema: z.object({ status: z.literal('unhealthy'), error: z.string() }),
          example: { status: 'unhealthy', error: 'The database does not answer' },
        },
      },
    },
  },
})
