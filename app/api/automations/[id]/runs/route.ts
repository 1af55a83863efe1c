import { automationPaths } from '@/lib/automations/operations'
import { listRuns } from '@/lib/automations/runs'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...automationPaths['/api/automations/{id}/runs'].get,
  handler: ({ session, params, query }) => listRuns(session, params.id, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/runs'],
)
