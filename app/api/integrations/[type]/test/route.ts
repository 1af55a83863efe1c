import { integrationPaths } from '@/lib/integrations/operations'
import { testConnection } from '@/lib/integrations/test-connection'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...integrationPaths['/api/integrations/{type}/test'].post,
  rateLimit: ({ session }) => `integration-test:${session.user_id}`,
  handler: ({ session, params, body }) => testConnection(session, params.type, body),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  integrationPaths['/api/integrations/{type}/test'],
)
