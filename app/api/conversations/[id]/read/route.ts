import { conversationPaths } from '@/lib/conversations/operations'
import { markConversationRead } from '@/lib/conversations/reply'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...conversationPaths['/api/conversations/{id}/read'].post,
  handler: async ({ session, params }) => {
    await markConversationRead(session, params.id)
    return { data: { id: params.id, unread: 0 } }
  },
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  conversationPaths['/api/conversations/{id}/read'],
)
