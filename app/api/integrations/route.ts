import { readIntegrations } from '@/lib/integrations/integrations'
import { integrationPaths } from '@/lib/integrations/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...integrationPaths['/api/integrations'].get,
  handler: async ({ session }) => ({ data: await readIntegrations(session), next_cursor: null }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(integrationPaths['/api/integrations'])
