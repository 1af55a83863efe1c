import { CODE_REFUSED, NO_FACTOR } from '@/lib/auth/operations'
import { problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import {
  confirmSchema,
  recoveryCodesSchema,
  removeSchema,
  secondFactorStateSchema,
  startedSchema,
} from './schema'

export const ENROLLED = 'You have a second factor already'
export const NOT_AVAILABLE = 'The Auth of this installation has no second factor'

const account = { tag: 'Account', auth: 'session', enrolling: true } as const
const enrolled = problem('There is one already: remove it first', ENROLLED)
const silent = problem('Auth does not answer', 'The second factor cannot be set up now')
const refused = problem('Without a session, or a wrong code, or one that was given before', CODE_REFUSED)

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
      description: 'It counts once a code confirms it.',
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
        501: problem('Auth has no second factors', NOT_AVAILABLE),
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
        409: problem('There is none', NO_FACTOR),
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
