import { sessionPaths } from '@/lib/account/operations'
import { changePassword } from '@/lib/account/sessions'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...sessionPaths['/api/auth/password'].post,
  handler: ({ request, session, body }) => changePassword(request, session, body),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(sessionPaths['/api/auth/password'])
