import { z } from 'zod'
import { problem, silentAuth, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { ROLES } from '@/lib/permissions'
import {
  credentialsSchema,
  forgotPasswordSchema,
  invitationTokenSchema,
  openInvitationSchema,
  resetPasswordSchema,
  secondFactorSchema,
  signUpSchema,
} from './schema'

const tag = 'Sign-in'
/** Removing a factor needs Auth’s admin API, which the embedded Auth does not have. */
export const NO_REMOVAL = 'The Auth of this installation cannot remove a second factor'

const done = {
  description: 'Done',
  schema: z.object({ success: z.literal(true) }),
  example: { success: true },
}

export const authPaths = definePaths({
  '/api/auth/sign-in': {
    post: {
      contract: true,
      summary: 'Sign in; the answer sets the session cookies',
      tag,
      auth: 'none',
      body: credentialsSchema,
      bodyExample: { email: 'operaciones@demo.example', password: 'mesa-demo-2026' },
      rateLimited: true,
      responses: {
        200: {
          description: 'Signed in',
          schema: z.object({
            success: z.literal(true),
            user: z.object({ id: z.string(), email: z.string(), role: z.enum(ROLES) }),
          }),
          example: {
            success: true,
            user: {
              id: '9d3a2c1e-51f0-4f0d-8a51-7be0f6a3c9d2',
              email: 'operaciones@demo.example',
              role: 'operaciones',
            },
          },
        },
        202: {
          description:
            'The password is right and the cookies are set, but they open nothing yet. `code`: a code of the second factor is needed (POST /api/auth/second-factor). `enrol`: the role needs a second factor, which has to be set up first (POST /api/account/second-factor)',
          schema: z.object({ success: z.literal(true), second_factor: z.enum(['code', 'enrol']) }),
          example: { success: true, second_factor: 'code' },
        },
        401: problem('Wrong e-mail or password, or not a member of the staff', 'WRONG_CREDENTIALS'),
        503: silentAuth(),
      },
    },
  },
  '/api/auth/second-factor': {
    post: {
      summary:
        'Give a code of the second factor: after the password, or to confirm what a 403 with `confirm` asks for',
      description:
        'The confirmation lasts ten minutes. A code works once. Wrong codes count like wrong passwords. A recovery code removes the second factor, ends the other sessions and is reported by mail.',
      tag,
      auth: 'none',
      body: secondFactorSchema,
      bodyExample: { code: '123456' },
      rateLimited: true,
      responses: {
        200: {
          description:
            'The code is right. `verified`: the session is open; `removed`: the second factor is gone',
          schema: z.object({ success: z.literal(true), second_factor: z.enum(['verified', 'removed']) }),
          example: { success: true, second_factor: 'verified' },
        },
        401: problem('No session, or a wrong code', 'WRONG_CODE'),
        409: problem('The person has no second factor', 'NO_SECOND_FACTOR'),
        501: problem('A recovery code where Auth has no admin API', 'SECOND_FACTOR_UNSUPPORTED', NO_REMOVAL),
        503: silentAuth('The second factor cannot be checked now'),
      },
    },
  },
  '/api/auth/invitation': {
    post: {
      summary: 'Whom the token of an invitation is for, and by which group',
      tag,
      auth: 'none',
      body: invitationTokenSchema,
      bodyExample: { token: 'Zs0cXvTnLZbK1y2mJ0sV8q3wR5uY7aB9cD1eF3gH5iJ' },
      rateLimited: true,
      responses: {
        200: {
          description: 'It can be redeemed',
          schema: single(openInvitationSchema),
          example: {
            data: { email: 'lola@grupo.example', full_name: 'Lola Marín', organization: 'Grupo Ejemplo' },
          },
        },
        403: problem(
          'The token is wrong, used, replaced, withdrawn or expired; or another site sent the request',
          'INVALID_INVITATION',
        ),
      },
    },
  },
  '/api/auth/sign-up': {
    post: {
      summary: 'Join with the token of an invitation; the answer sets the session cookies',
      description:
        'Redeeming the token confirms the address. Someone who has an account from before joins with its password.',
      tag,
      auth: 'none',
      body: signUpSchema,
      bodyExample: {
        email: 'lola@grupo.example',
        password: 'mesa-demo-2026',
        full_name: 'Lola Marín',
        token: 'Zs0cXvTnLZbK1y2mJ0sV8q3wR5uY7aB9cD1eF3gH5iJ',
      },
      rateLimited: true,
      responses: {
        201: {
          description: 'Joined, and signed in',
          schema: z.object({
            success: z.literal(true),
            user: z.object({ id: z.string(), email: z.string(), role: z.enum(ROLES) }),
          }),
          example: {
            success: true,
            user: {
              id: '9d3a2c1e-51f0-4f0d-8a51-7be0f6a3c9d2',
              email: 'lola@grupo.example',
              role: 'operaciones',
            },
          },
        },
        202: {
          description:
            'Joined; signing in needs one more step: the address confirmed (`confirm`), or the second factor, as in the answer of /api/auth/sign-in',
          schema: z.union([
            z.object({ success: z.literal(true), confirm: z.literal(true) }),
            z.object({ success: z.literal(true), second_factor: z.enum(['code', 'enrol']) }),
          ]),
          example: { success: true, confirm: true },
        },
        403: problem(
          'The token is missing, wrong, used, replaced, withdrawn, expired or for another e-mail; or an existing account’s password is wrong; or another site sent the request',
          'INVALID_INVITATION',
        ),
        503: silentAuth('Sign-up is not available'),
      },
    },
  },
  '/api/auth/forgot-password': {
    post: {
      summary: 'Have a link to a new password mailed',
      description:
        'The answer is the same, and as quick, whether or not the address has an account. The link works once, for an hour; the newest one counts. An address gets at most one mail a minute, and ten an hour.',
      tag,
      auth: 'none',
      body: forgotPasswordSchema,
      bodyExample: { email: 'operaciones@demo.example' },
      rateLimited: true,
      responses: {
        200: { ...done, description: 'Taken: if the address has an account, a mail with a link is sent' },
        503: {
          ...problem(
            'No mail can be sent, whoever asks (MAIL_UNAVAILABLE): no group has an e-mail provider that works, and Auth’s own mailer is not set up; or Auth is at its limits (AUTH_BUSY, with Retry-After)',
            'MAIL_UNAVAILABLE',
          ),
          headers: { 'Retry-After': 'Seconds to wait, with AUTH_BUSY' },
        },
      },
    },
  },
  '/api/auth/reset-password': {
    post: {
      summary: 'Set a new password with the link of the mail; every session of the account ends',
      tag,
      auth: 'none',
      body: resetPasswordSchema,
      bodyExample: { token_hash: '5f1c9b', password: 'una-frase-larga' },
      rateLimited: true,
      responses: {
        200: { ...done, description: 'Set: sign in with it' },
        403: problem('The link is spent, expired or none; or sent from another site', 'LINK_SPENT'),
        503: silentAuth('Password reset is not available'),
      },
    },
  },
  '/api/auth/sign-out': {
    post: {
      summary: 'Sign out; the answer clears the session cookies',
      tag,
      auth: 'none',
      responses: {
        200: {
          description: 'Signed out',
          schema: z.object({ success: z.literal(true) }),
          example: { success: true },
        },
      },
    },
  },
})
