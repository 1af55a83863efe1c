import { automationPaths } from '@/lib/automations/operations'
import { automationResults } from '@/lib/automations/results'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...automationPaths['/api/automations/{id}/results'].get,
  handler: async ({ session, params, query }) => ({
    data: await automationResults(session, params.id, query.days),
  }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/results'],
)
