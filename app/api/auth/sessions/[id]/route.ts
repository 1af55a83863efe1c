import { sessionPaths } from '@/lib/account/operations'
import { endMySession } from '@/lib/account/sessions'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const DELETE = defineRoute({
  ...sessionPaths['/api/auth/sessions/{id}'].delete,
  handler: async ({ session, params }) => {
    await endMySession(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(sessionPaths['/api/auth/sessions/{id}'])
