import { mySessions } from '@/lib/auth/my-sessions'
import { sessionPaths } from '@/lib/auth/session-operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const GET = defineRoute({
  ...sessionPaths['/api/auth/sessions'].get,
  handler: async ({ session }) => ({ data: await mySessions(session) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(sessionPaths['/api/auth/sessions'])
