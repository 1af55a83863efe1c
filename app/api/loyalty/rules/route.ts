import { defineRoute } from '@/lib/http/define-route'
import { loyaltyPaths } from '@/lib/loyalty/operations'
import { saveRules } from '@/lib/loyalty/save-rules'

export const POST = defineRoute({
  ...loyaltyPaths['/api/loyalty/rules'].post,
  handler: ({ session, body }) => saveRules(session, body),
})
