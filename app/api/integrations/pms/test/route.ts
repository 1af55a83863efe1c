import { defineRoute } from '@/lib/http/define-route'
import { integrationPaths } from '@/lib/integrations/operations'
import { testPms } from '@/lib/integrations/test-pms'

export const POST = defineRoute({
  ...integrationPaths['/api/integrations/pms/test'].post,
  rateLimit: ({ session }) => `pms-test:${session.user_id}`,
  handler: ({ session }) => testPms(session),
})
