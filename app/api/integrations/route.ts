import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { integrationPaths } from '@/lib/integrations/operations'
import { readIntegrations } from '@/lib/integrations/read-integrations'

export const GET = defineRoute({
  ...integrationPaths['/api/integrations'].get,
  handler: async ({ session }) => ({ data: await readIntegrations(session), next_cursor: null }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(integrationPaths['/api/integrations'])
