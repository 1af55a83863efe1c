import { listRuns } from '@/lib/automations/list-runs'
import { automationPaths } from '@/lib/automations/operations'
import { defineRoute } from '@/lib/http/define-route'

export const GET = defineRoute({
  ...automationPaths['/api/automations/{id}/runs'].get,
  handler: ({ session, params, query }) => listRuns(session, params.id, query),
})
