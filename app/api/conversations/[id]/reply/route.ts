import { conversationPaths } from '@/lib/conversations/operations'
import { replyToConversation } from '@/lib/conversations/reply'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...conversationPaths['/api/conversations/{id}/reply'].post,
  handler: async ({ session, params, body }) =>
    Response.json({ data: await replyToConversation(session, params.id, body) }, { status: 201 }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  conversationPaths['/api/conversations/{id}/reply'],
)
