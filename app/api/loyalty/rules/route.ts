import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { listRules } from '@/lib/loyalty/list-rules'
import { loyaltyPaths } from '@/lib/loyalty/operations'
import { saveChanges } from '@/lib/loyalty/save-changes'
import { saveRules } from '@/lib/loyalty/save-rules'

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
