import { z } from 'zod'
import { problem } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { credentialsSchema, forgotPasswordSchema, resetPasswordSchema, signUpSchema } from './credentials'
import { ROLES } from './permissions'
import { secondFactorSchema } from './second-factor-schema'

const tag = 'Sign-in'
/** One text for every token that opens nothing, and for a wrong password of an existing account: the answer does not say which. */
export const NO_INVITATION = 'El enlace de invitación no vale para estos datos'

/** One text for a link that was used, is too old, or never was one. */
export const LINK_SPENT = 'El enlace ya no vale: pide otro'

/** One text for a code that is wrong, too old, or was given before. */
export const CODE_REFUSED = 'El código no es válido'
export const NO_FACTOR = 'There is no second factor'
export const NO_REMOVAL = 'The Auth of this installation cannot remove a second factor'

const done = {
  description: 'Done',
  schema: z.object({ success: z.literal(true) }),
  example: { success: true },
}

export const authPaths = definePaths({
  '/api/auth/sign-in': {
    post: {
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
            'The password is right and the cookies are set, and open nothing yet: `code`, the second factor is asked for (POST /api/auth/second-factor); `enrol`, the role needs one and has to set it up (POST /api/account/second-factor)',
          schema: z.object({ success: z.literal(true), second_factor: z.enum(['code', 'enrol']) }),
          example: { success: true, second_factor: 'code' },
        },
        401: problem('Wrong e-mail or password, or nobody of the staff', 'Credenciales no válidas'),
        503: problem('Auth does not answer', 'Sign-in is not available'),
      },
    },
  },
  '/api/auth/second-factor': {
    post: {
      summary:
        'Give a code of the second factor: after the password, or to confirm what a 403 with `confirm` asks for',
      description:
        'A code counts for ten minutes, and once: Auth itself takes it again while it is valid, this endpoint does not. Wrong codes count like wrong passwords. A recovery code removes the second factor, ends the other sessions and is told by mail.',
      tag,
      auth: 'none',
      body: secondFactorSchema,
      bodyExample: { code: '123456' },
      rateLimited: true,
      responses: {
        200: {
          description:
            'Right: the session is open (`verified`), or as it is without a second factor (`removed`)',
          schema: z.object({ success: z.literal(true), second_factor: z.enum(['verified', 'removed']) }),
          example: { success: true, second_factor: 'verified' },
        },
        401: problem('No session, or a wrong code', CODE_REFUSED),
        409: problem('The person has no second factor', NO_FACTOR),
        501: problem('A recovery code where Auth has no admin API', NO_REMOVAL),
        503: problem('Auth does not answer', 'The second factor cannot be checked now'),
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
          'No token, or one that is wrong, used, replaced, withdrawn, too old or for another e-mail; the wrong password of an account from before; or sent from another site',
          NO_INVITATION,
        ),
        503: problem('Auth does not answer', 'Sign-up is not available'),
      },
    },
  },
  '/api/auth/forgot-password': {
    post: {
      summary: 'Have a link to a new password mailed',
      description: 'The answer is the same, and as quick, whether or not the address has an account.',
      tag,
      auth: 'none',
      body: forgotPasswordSchema,
      bodyExample: { email: 'operaciones@demo.example' },
      rateLimited: true,
      responses: { 200: { ...done, description: 'Taken: if the address has an account, Auth sends a mail' } },
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
        403: problem('The link is spent, expired or none; or sent from another site', LINK_SPENT),
        503: problem('Auth does not answer', 'Password reset is not available'),
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
