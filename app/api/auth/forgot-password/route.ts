import { anonymousAttempts } from '@/lib/auth/limits'
import { authPaths } from '@/lib/auth/operations'
import { forgotPassword } from '@/lib/auth/reset-password'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...authPaths['/api/auth/forgot-password'].post,
  attempts: ({ request, body }) => anonymousAttempts('forgot-password', request, body.email),
  handler: async ({ body }) => forgotPassword(body.email),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/forgot-password'])
