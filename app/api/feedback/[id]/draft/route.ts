import { draftReply } from '@/lib/feedback/draft-reply'
import { feedbackPaths } from '@/lib/feedback/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 60

export const POST = defineRoute({
  ...feedbackPaths['/api/feedback/{id}/draft'].post,
  rateLimit: ({ session }) => `ai-chat:${session.user_id}`,
  handler: async ({ request, session, params }) => ({
    data: { reply: await draftReply(session, params.id, { signal: request.signal }) },
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  feedbackPaths['/api/feedback/{id}/draft'],
)
