import { anonymousAttempts } from '@/lib/auth/limits'
import { authPaths } from '@/lib/auth/operations'
import { openInvitation } from '@/lib/auth/sign-up'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { hashOfSecret } from '@/lib/secret'

export const POST = defineRoute({
  ...authPaths['/api/auth/invitation'].post,
  attempts: ({ request, body }) => anonymousAttempts('invitation', request, hashOfSecret(body.token)),
  handler: async ({ body }) => ({ data: await openInvitation(body.token) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/invitation'])
