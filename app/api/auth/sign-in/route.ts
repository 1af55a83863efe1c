import { clientAddress } from '@/lib/auth/client-address'
import { authPaths } from '@/lib/auth/operations'
import { signIn } from '@/lib/auth/sign-in'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const POST = defineRoute({
  ...authPaths['/api/auth/sign-in'].post,
  rateLimit: ({ request, body }) => `sign-in:${clientAddress(request)}:${body.email}`,
  handler: ({ cookies, body }) => signIn(cookies, body),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/sign-in'])
