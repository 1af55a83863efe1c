import { z } from 'zod'
import { notFound, problem, silentAuth, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { setupListSchema, setupSchema, skipSchema } from './schema'

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
  '/api/setup/steps': {
    get: {
      summary: 'The set-up list of the group: what is done, when and by whom, and what is open',
      description:
        'A step that needs an outside service is done once its test passed, and no longer when a later test fails or other settings are saved. `webhooks` is done when the schedule ran within two hours and every connected provider has called.',
      tag: 'Organization',
      auth: 'session',
      permission: 'canViewSettings',
      responses: {
        200: {
          description: 'As it is now',
          schema: single(setupListSchema),
          example: {
            data: {
              shown: true,
              without_hours: null,
              synced_locations: 2,
              steps: {
                locations: { done: true, at: '2026-11-20T10:00:00Z', by: 'Lola Marín' },
                hours: { done: true, at: null, by: null },
                pms: { done: false, at: null, by: null },
                email: { done: true, at: '2026-11-20T10:20:00Z', by: 'Lola Marín' },
                team: { done: false, at: null, by: null },
                data: { done: false, at: null, by: null },
                channels: { done: false, at: null, by: null },
                webhooks: { done: false, at: null, by: null },
              },
              skipped: { channels: { at: '2026-11-20T10:30:00Z', by: 'Lola Marín' } },
              tests: {
                pms: { at: '2026-11-20T10:10:00Z', by: 'Lola Marín', reason: 'bad_key' },
                mail: { at: '2026-11-20T10:20:00Z', by: 'Lola Marín', reason: null },
              },
              webhooks: {
                twilio: { heard_at: null, refused_at: null },
                resend: { heard_at: '2026-11-20T10:21:00Z', refused_at: null },
              },
              schedule: null,
            },
          },
        },
      },
    },
  },
  '/api/setup/steps/{step}': {
    put: {
      summary: 'Put an optional step of the set-up list off (pms, channels), or open it again',
      tag: 'Organization',
      auth: 'session',
      permission: 'canViewSettings',
      params: z.object({ step: z.string().max(40) }),
      body: skipSchema,
      bodyExample: { skipped: true },
      responses: {
        200: {
          description: 'Saved',
          schema: z.object({ success: z.literal(true) }),
          example: { success: true },
        },
        404: notFound,
      },
    },
  },
})
