import { automationLift } from '@/lib/automations/lift'
import { automationPaths } from '@/lib/automations/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...automationPaths['/api/automations/{id}/lift'].get,
  handler: async ({ session, params }) => ({ data: await automationLift(session, params.id) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/lift'],
)
