import { feedbackPaths } from '@/lib/feedback/operations'
import { replyToFeedback } from '@/lib/feedback/reply'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...feedbackPaths['/api/feedback/{id}/reply'].post,
  handler: async ({ session, params, body }) =>
    Response.json({ data: await replyToFeedback(session, params.id, body) }, { status: 201 }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  feedbackPaths['/api/feedback/{id}/reply'],
)
