import { endMySession } from '@/lib/auth/my-sessions'
import { sessionPaths } from '@/lib/auth/session-operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const DELETE = defineRoute({
  ...sessionPaths['/api/auth/sessions/{id}'].delete,
  handler: async ({ session, params }) => {
    await endMySession(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(sessionPaths['/api/auth/sessions/{id}'])
