import { integrationPaths } from '@/lib/integrations/operations'
import { sendTestMail } from '@/lib/integrations/test-mail'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...integrationPaths['/api/integrations/test-mail'].post,
  rateLimit: ({ session }) => `integration-test:${session.user_id}`,
  handler: ({ session }) => sendTestMail(session),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  integrationPaths['/api/integrations/test-mail'],
)
