import { integrationPaths } from '@/lib/integrations/operations'
import { testAndRemember } from '@/lib/integrations/remember-test'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...integrationPaths['/api/integrations/{type}/test'].post,
  rateLimit: ({ session }) => `integration-test:${session.user_id}`,
  handler: ({ session, params, body }) => testAndRemember(session, params.type, body),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  integrationPaths['/api/integrations/{type}/test'],
)
