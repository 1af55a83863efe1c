import { automationPaths } from '@/lib/automations/operations'
import { automationCheck } from '@/lib/automations/preview'
import { previewsOf } from '@/lib/http/rate-limit'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...automationPaths['/api/automations/{id}/check'].get,
  attempts: ({ session }) => previewsOf(session),
  handler: async ({ session, params }) => ({ data: await automationCheck(session, params.id) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/check'],
)
