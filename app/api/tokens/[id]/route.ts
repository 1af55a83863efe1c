import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { tokenPaths } from '@/lib/tokens/operations'
import { revokeToken } from '@/lib/tokens/revoke-token'

export const DELETE = defineRoute({
  ...tokenPaths['/api/tokens/{id}'].delete,
  handler: async ({ session, params }) => {
    await revokeToken(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(tokenPaths['/api/tokens/{id}'])
