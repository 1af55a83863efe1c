import { loyaltyPaths } from '@/lib/loyalty/operations'
import { listRules, saveChanges, saveRules } from '@/lib/loyalty/rules'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...loyaltyPaths['/api/loyalty/rules'].get,
  handler: async ({ session }) => ({ data: await listRules(session), next_cursor: null }),
})

export const PATCH = defineRoute({
  ...loyaltyPaths['/api/loyalty/rules'].patch,
  handler: ({ session, body }) => saveChanges(session, body.changes),
})

export const POST = defineRoute({
  ...loyaltyPaths['/api/loyalty/rules'].post,
  handler: ({ session, body }) => saveRules(session, body),
})

export const { PUT, DELETE, OPTIONS } = otherMethods(loyaltyPaths['/api/loyalty/rules'])
