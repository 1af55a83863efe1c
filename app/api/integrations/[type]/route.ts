import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { integrationPaths } from '@/lib/integrations/operations'
import { saveIntegration } from '@/lib/integrations/save-integration'

export const PUT = defineRoute({
  ...integrationPaths['/api/integrations/{type}'].put,
  handler: async ({ session, params, body }) => ({ data: await saveIntegration(session, params.type, body) }),
})

export const { GET, HEAD, POST, PATCH, DELETE, OPTIONS } = otherMethods(
  integrationPaths['/api/integrations/{type}'],
)
