import { clientAddress } from '@/lib/auth/client-address'
import { forgotPassword } from '@/lib/auth/forgot-password'
import { authPaths } from '@/lib/auth/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const POST = defineRoute({
  ...authPaths['/api/auth/forgot-password'].post,
  rateLimit: ({ request, body }) => `forgot-password:${clientAddress(request)}:${body.email}`,
  handler: async ({ body }) => forgotPassword(body.email),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/forgot-password'])
