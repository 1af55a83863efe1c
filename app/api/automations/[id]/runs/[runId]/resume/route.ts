import { automationPaths } from '@/lib/automations/operations'
import { resumeRun } from '@/lib/automations/resume-run'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const maxDuration = 300

export const POST = defineRoute({
  ...automationPaths['/api/automations/{id}/runs/{runId}/resume'].post,
  handler: async ({ session, params }) => ({ data: await resumeRun(session, params.id, params.runId) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/runs/{runId}/resume'],
)
