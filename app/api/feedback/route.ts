import { feedbackPaths } from '@/lib/feedback/operations'
import { listFeedback } from '@/lib/feedback/reads'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...feedbackPaths['/api/feedback'].get,
  handler: ({ session, query }) => listFeedback(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(feedbackPaths['/api/feedback'])
