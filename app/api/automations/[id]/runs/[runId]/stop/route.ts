import { stopRun } from '@/lib/automations/decide-run'
import { automationPaths } from '@/lib/automations/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const maxDuration = 300

export const POST = defineRoute({
  ...automationPaths['/api/automations/{id}/runs/{runId}/stop'].post,
  handler: async ({ session, params }) => ({
    data: await stopRun(session, { automationId: params.id, runId: params.runId }),
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/runs/{runId}/stop'],
)
