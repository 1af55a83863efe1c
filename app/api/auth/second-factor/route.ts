import { authPaths } from '@/lib/auth/operations'
import { giveSecondFactor } from '@/lib/auth/second-factor'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...authPaths['/api/auth/second-factor'].post,
  handler: ({ request, cookies, body }) => giveSecondFactor(request, cookies, body),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/second-factor'])
