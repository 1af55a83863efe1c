import { approveRun } from '@/lib/automations/control-runs'
import { automationPaths } from '@/lib/automations/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const POST = defineRoute({
  ...automationPaths['/api/automations/{id}/runs/{runId}/approve'].post,
  handler: async ({ session, params, body }) => ({
    data: await approveRun(session, { automationId: params.id, runId: params.runId }, body.guests),
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/runs/{runId}/approve'],
)
