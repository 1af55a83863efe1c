import { resumeRun } from '@/lib/automations/control-runs'
import { automationPaths } from '@/lib/automations/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const POST = defineRoute({
  ...automationPaths['/api/automations/{id}/runs/{runId}/resume'].post,
  handler: async ({ session, params }) => ({ data: await resumeRun(session, params.id, params.runId) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/runs/{runId}/resume'],
)
