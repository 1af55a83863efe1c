import { chat } from '@/lib/assistant/chat'
import { assistantPaths } from '@/lib/assistant/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const maxDuration = 60

export const POST = defineRoute({
  ...assistantPaths['/api/ai/chat'].post,
  rateLimit: ({ session }) => `ai-chat:${session.user_id}`,
  handler: ({ session, body, request, requestId }) => chat(session, body, { request, requestId }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(assistantPaths['/api/ai/chat'])
