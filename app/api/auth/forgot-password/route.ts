import { anonymousAttempts } from '@/lib/auth/anonymous-attempts'
import { forgotPassword } from '@/lib/auth/forgot-password'
import { authPaths } from '@/lib/auth/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const POST = defineRoute({
  ...authPaths['/api/auth/forgot-password'].post,
  attempts: ({ request, body }) => anonymousAttempts('forgot-password', request, body.email),
  handler: async ({ body }) => forgotPassword(body.email),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/forgot-password'])
