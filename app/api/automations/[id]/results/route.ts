import { automationPaths } from '@/lib/automations/operations'
import { automationResults } from '@/lib/automations/results'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const GET = defineRoute({
  ...automationPaths['/api/automations/{id}/results'].get,
  handler: async ({ session, params, query }) => ({
    data: await automationResults(session, params.id, query.days),
  }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/results'],
)
