import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { integrationPaths } from '@/lib/integrations/operations'
import { testPms } from '@/lib/integrations/test-pms'

export const POST = defineRoute({
  ...integrationPaths['/api/integrations/pms/test'].post,
  rateLimit: ({ session }) => `pms-test:${session.user_id}`,
  handler: ({ session }) => testPms(session),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  integrationPaths['/api/integrations/pms/test'],
)
