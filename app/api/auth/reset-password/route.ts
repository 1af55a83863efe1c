import { clientAddress } from '@/lib/auth/client-address'
import { authPaths } from '@/lib/auth/operations'
import { resetPassword } from '@/lib/auth/reset-password'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const POST = defineRoute({
  ...authPaths['/api/auth/reset-password'].post,
  rateLimit: ({ request }) => `reset-password:${clientAddress(request)}`,
  handler: ({ body }) => resetPassword(body),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/reset-password'])
