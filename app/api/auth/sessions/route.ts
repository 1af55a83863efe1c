import { sessionPaths } from '@/lib/account/operations'
import { mySessions } from '@/lib/account/sessions'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...sessionPaths['/api/auth/sessions'].get,
  handler: async ({ session }) => ({ data: await mySessions(session) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(sessionPaths['/api/auth/sessions'])
