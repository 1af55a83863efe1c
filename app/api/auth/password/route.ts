import { changePassword } from '@/lib/auth/change-password'
import { sessionPaths } from '@/lib/auth/session-operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const POST = defineRoute({
  ...sessionPaths['/api/auth/password'].post,
  handler: ({ request, session, body }) => changePassword(request, session, body),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(sessionPaths['/api/auth/password'])
