import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { tokenPaths } from '@/lib/tokens/operations'
import { createToken, listTokens } from '@/lib/tokens/tokens'

export const GET = defineRoute({
  ...tokenPaths['/api/tokens'].get,
  handler: ({ session, query }) => listTokens(session, query),
})

export const POST = defineRoute({
  ...tokenPaths['/api/tokens'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await createToken(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(tokenPaths['/api/tokens'])
