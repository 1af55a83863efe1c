import { automationPaths } from '@/lib/automations/operations'
import { sendTest } from '@/lib/automations/send-test'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...automationPaths['/api/automations/{id}/test'].post,
  rateLimit: ({ session }) => `automations-test:${session.user_id}`,
  handler: async ({ session, params, body }) => ({ data: await sendTest(session, params.id, body) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/test'],
)
