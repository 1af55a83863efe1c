import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { createToken } from '@/lib/tokens/create-token'
import { listTokens } from '@/lib/tokens/list-tokens'
import { tokenPaths } from '@/lib/tokens/operations'

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
