import { conversationPaths } from '@/lib/conversations/operations'
import { getConversation } from '@/lib/conversations/reads'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...conversationPaths['/api/conversations/{id}'].get,
  handler: async ({ session, params, query }) => ({
    data: await getConversation(session, params.id, { cursor: query.cursor }),
  }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  conversationPaths['/api/conversations/{id}'],
)
