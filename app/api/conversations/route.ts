import { conversationPaths } from '@/lib/conversations/operations'
import { listConversations } from '@/lib/conversations/reads'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...conversationPaths['/api/conversations'].get,
  handler: ({ session, query }) => listConversations(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(conversationPaths['/api/conversations'])
