import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { tokenPaths } from '@/lib/tokens/operations'
import { revokeToken } from '@/lib/tokens/tokens'

export const DELETE = defineRoute({
  ...tokenPaths['/api/tokens/{id}'].delete,
  handler: async ({ session, params }) => {
    await revokeToken(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(tokenPaths['/api/tokens/{id}'])
