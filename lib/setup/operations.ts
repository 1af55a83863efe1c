import { z } from 'zod'
import { problem, silentAuth } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { setupSchema } from './schema'

export const setupPaths = definePaths({
  '/api/setup': {
    post: {
      summary:
        'Make the first group of this database, and its super_admin; the answer sets the session cookies',
      description:
        'Works while there is no group, for who knows SETUP_TOKEN. The address counts as confirmed.',
      tag: 'Sign-in',
      auth: 'none',
      body: setupSchema,
      bodyExample: {
        token: 'Zs0cXvTnLZbK1y2mJ0sV8q3wR5uY7aB9cD1eF3gH5iJ',
        group_name: 'Grupo Sobremesa',
        timezone: 'Europe/Madrid',
        email: 'lola@grupo.example',
        full_name: 'Lola Marín',
        password: 'mesa-demo-2026',
      },
      rateLimited: true,
      responses: {
        201: {
          description: 'Made. `signed_in` is false when Auth did not open a session: sign in',
          schema: z.object({ success: z.literal(true), signed_in: z.boolean() }),
          example: { success: true, signed_in: true },
        },
        403: problem(
          'The token is wrong, or SETUP_TOKEN is not set; or another site sent the request',
          'SETUP_REFUSED',
        ),
        409: problem('There is a group already', 'SETUP_DONE'),
        503: silentAuth('Setup is not available'),
      },
    },
  },
})
