import { z } from 'zod'
import { problem } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { credentialsSchema, forgotPasswordSchema, resetPasswordSchema, signUpSchema } from './credentials'
import { ROLES } from './permissions'

const tag = 'Sign-in'
/** One text for every token that opens nothing, and for a wrong password of an account that is there: nobody learns which. */
export const NO_INVITATION = 'El enlace de invitación no vale para estos datos'

/** One text for a link that was used, is too old, or never was one. */
export const LINK_SPENT = 'El enlace ya no vale: pide otro'

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
        401: problem('Wrong e-mail or password, or nobody of the staff', 'Credenciales no válidas'),
        503: problem('Auth does not answer', 'Sign-in is not available'),
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
          description: 'Joined; signing in needs one more step: the address confirmed, or a second factor',
          schema: z.object({ success: z.literal(true), confirm: z.literal(true) }),
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
