import { chat } from '@/lib/assistant/chat'
import { assistantPaths } from '@/lib/assistant/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 60

export const POST = defineRoute({
  ...assistantPaths['/api/ai/chat'].post,
  rateLimit: ({ session }) => `ai-chat:${session.user_id}`,
  handler: ({ session, body, request }) => chat(session, body, { request }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(assistantPaths['/api/ai/chat'])
