import { z } from 'zod'
import { idParams, notFound, problem } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { changePasswordSchema } from './credentials'
import { endSessionsSchema, mySessionSchema } from './session-schema'

const mine = { tag: 'Sign-in', auth: 'session' } as const
const done = (description: string) => ({
  description,
  schema: z.object({ success: z.literal(true) }),
  example: { success: true },
})

/** What people do with their own sessions and password. */
export const sessionPaths = definePaths({
  '/api/auth/sessions': {
    get: {
      ...mine,
      summary: 'One’s own sessions: this one first, then the last used',
      description:
        'A session ends 30 days after its sign-in, and when it has not been used for 7 days. At most 100 are listed.',
      responses: {
        200: {
          description: 'The sessions',
          schema: z.object({ data: z.array(mySessionSchema) }),
          example: {
            data: [
              {
                id: '5f0c1d2e-6a7b-4c8d-9e0f-1a2b3c4d5e6f',
                current: true,
                browser: 'Chrome',
                system: 'Windows',
                network: '203.0.113.0/24',
                place: 'Madrid, ES',
                created_at: '2026-11-20T12:00:00.000Z',
                last_seen_at: '2026-11-22T09:30:00.000Z',
                ends_at: '2026-11-29T09:30:00.000Z',
              },
            ],
          },
        },
      },
    },
  },
  '/api/auth/sessions/{id}': {
    delete: {
      ...mine,
      summary: 'End one of one’s own sessions, at once',
      params: idParams,
      responses: {
        204: { description: 'Ended: its tokens open nothing any more' },
        404: notFound,
      },
    },
  },
  '/api/auth/sessions/end': {
    post: {
      ...mine,
      summary: 'End one’s other sessions, or all of them, at once',
      body: endSessionsSchema,
      bodyExample: { which: 'others' },
      responses: { 200: done('Ended; `everywhere` clears the session cookies too') },
    },
  },
  '/api/auth/password': {
    post: {
      ...mine,
      summary: 'Set another password; one’s other sessions end at once',
      description:
        'A wrong `current_password` (400) counts as a failed sign-in: ten in a minute are answered 429, and more lock the account for that network.',
      body: changePasswordSchema,
      bodyExample: { current_password: 'mesa-demo-2026', password: 'lluvia tejado once gato' },
      rateLimited: true,
      responses: {
        200: done('Set'),
        503: problem('Auth does not answer', 'Changing the password is not available'),
      },
    },
  },
})
