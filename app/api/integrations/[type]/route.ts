import { saveIntegration } from '@/lib/integrations/integrations'
import { integrationPaths } from '@/lib/integrations/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const PUT = defineRoute({
  ...integrationPaths['/api/integrations/{type}'].put,
  handler: async ({ session, params, body }) => ({ data: await saveIntegration(session, params.type, body) }),
})

export const { GET, HEAD, POST, PATCH, DELETE, OPTIONS } = otherMethods(
  integrationPaths['/api/integrations/{type}'],
)
