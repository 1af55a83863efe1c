import { automationPaths } from '@/lib/automations/operations'
import { runManually } from '@/lib/automations/run-manually'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const POST = defineRoute({
  ...automationPaths['/api/automations/{id}/run'].post,
  rateLimit: ({ session }) => `automations-run:${session.user_id}`,
  handler: ({ session, params, request }) => runManually(session, params.id, request),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/{id}/run'],
)
