import { z } from 'zod'
import { changePasswordSchema } from '@/lib/auth/schema'
import { idParams, notFound, problem, silentAuth, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import {
  confirmSchema,
  endSessionsSchema,
  mySessionSchema,
  recoveryCodesSchema,
  removeSchema,
  secondFactorStateSchema,
  startedSchema,
} from './schema'

const account = { tag: 'Account', auth: 'session', enrolling: true } as const
const enrolled = problem('There is one already: remove it first', 'SECOND_FACTOR_EXISTS')
const silent = silentAuth('The second factor cannot be set up now')
const refused = problem('Without a session, or a wrong code, or one that was given before', 'WRONG_CODE')

export const accountPaths = definePaths({
  '/api/account/second-factor': {
    get: {
      ...account,
      summary: 'Whether the caller has a second factor, can have one, and must',
      responses: {
        200: {
          description: 'As it is now',
          schema: single(secondFactorStateSchema),
          example: { data: { available: true, enrolled: true, required: false, confirmed: true } },
        },
        503: silent,
      },
    },
    post: {
      ...account,
      summary: 'Start setting up an authenticator app',
      description: 'It counts once a code confirms it. Starting again replaces what was started before.',
      creates: false,
      rateLimited: true,
      responses: {
        201: {
          description: 'What the app must be shown',
          schema: single(startedSchema),
          example: {
            data: {
              factor_id: '5a0e9c3d-7b1f-4c2e-9d8a-1f6b3e4c5d7a',
              qr: 'data:image/svg+xml;base64,PHN2Zy8+',
              secret: 'JBSWY3DPEHPK3PXP',
            },
          },
        },
        409: enrolled,
        501: problem('Auth has no second factors', 'SECOND_FACTOR_UNSUPPORTED'),
        503: silent,
      },
    },
    delete: {
      ...account,
      summary: 'Remove the second factor, with a code of it',
      description: 'The caller’s other sessions end, and a mail says so.',
      body: removeSchema,
      bodyExample: { code: '123456' },
      rateLimited: true,
      responses: {
        204: { description: 'Removed' },
        401: refused,
        409: problem('There is none', 'NO_SECOND_FACTOR'),
        503: silent,
      },
    },
  },
  '/api/account/second-factor/confirm': {
    post: {
      ...account,
      summary: 'Confirm the authenticator app with a code; the answer has the recovery codes, this once',
      description: 'The caller’s other sessions end.',
      body: confirmSchema,
      bodyExample: { factor_id: '5a0e9c3d-7b1f-4c2e-9d8a-1f6b3e4c5d7a', code: '123456' },
      rateLimited: true,
      responses: {
        200: {
          description: 'Set up',
          schema: single(recoveryCodesSchema),
          example: { data: { recovery_codes: ['K7QM-2PXA-9F3T-WZ5C'] } },
        },
        401: refused,
        409: enrolled,
        503: silent,
      },
    },
  },
})

const mine = { tag: 'Sign-in', auth: 'session' } as const
const done = (description: string) => ({
  description,
  schema: z.object({ success: z.literal(true) }),
  example: { success: true },
})

/** The caller's own sessions and password. */
export const sessionPaths = definePaths({
  '/api/auth/sessions': {
    get: {
      ...mine,
      summary: 'The caller’s sessions: the current one first, then the last used',
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
      summary: 'End one of the caller’s sessions, at once',
      params: idParams,
      responses: {
        204: { description: 'Ended: its tokens are no longer valid' },
        404: notFound,
      },
    },
  },
  '/api/auth/sessions/end': {
    post: {
      ...mine,
      summary: 'End the caller’s other sessions, or all of them, at once',
      body: endSessionsSchema,
      bodyExample: { which: 'others' },
      responses: { 200: done('Ended; `everywhere` clears the session cookies too') },
    },
  },
  '/api/auth/password': {
    post: {
      ...mine,
      summary: 'Change the password; the caller’s other sessions end at once',
      description:
        'A wrong `current_password` (400) counts as a failed sign-in: ten in a minute are answered 429, and more lock the account for that network.',
      body: changePasswordSchema,
      bodyExample: { current_password: 'mesa-demo-2026', password: 'lluvia tejado once gato' },
      rateLimited: true,
      responses: {
        200: done('Set'),
        503: silentAuth('Changing the password is not available'),
      },
    },
  },
})
