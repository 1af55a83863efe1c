import { reconcileMessage } from '@/lib/messaging/messages'
import { messagePaths } from '@/lib/messaging/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...messagePaths['/api/messages/{id}/reconcile'].post,
  handler: async ({ session, params, body }) => ({
    data: await reconcileMessage(session, params.id, body.status),
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  messagePaths['/api/messages/{id}/reconcile'],
)
