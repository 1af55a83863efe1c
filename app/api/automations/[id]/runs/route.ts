import { listRuns } from '@/lib/automations/list-runs'
import { automationPaths } from '@/lib/automations/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const GET = defineRoute({
  ...automationPaths['/api/automations/{id}/runs'].get,
  handler: ({ session, params, query }) => listRuns(session, params.id, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/runs'],
)
