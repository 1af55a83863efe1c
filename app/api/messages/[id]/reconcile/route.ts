import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { messagePaths } from '@/lib/messaging/operations'
import { reconcileMessage } from '@/lib/messaging/reconcile-message'

export const POST = defineRoute({
  ...messagePaths['/api/messages/{id}/reconcile'].post,
  handler: async ({ session, params, body }) => ({
    data: await reconcileMessage(session, params.id, body.status),
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  messagePaths['/api/messages/{id}/reconcile'],
)
