import { anonymousAttempts } from '@/lib/auth/limits'
import { authPaths } from '@/lib/auth/operations'
import { resetPassword } from '@/lib/auth/reset-password'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...authPaths['/api/auth/reset-password'].post,
  attempts: ({ request }) => anonymousAttempts('reset-password', request),
  handler: ({ request, body }) => resetPassword(request, body),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/reset-password'])
