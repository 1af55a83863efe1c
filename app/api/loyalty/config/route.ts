import { loyaltyPaths } from '@/lib/loyalty/operations'
import { readConfig, writeConfig } from '@/lib/loyalty/tiers'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...loyaltyPaths['/api/loyalty/config'].get,
  handler: ({ session }) => readConfig(session),
})

export const PUT = defineRoute({
  ...loyaltyPaths['/api/loyalty/config'].put,
  handler: ({ session, body }) => writeConfig(session, body),
})

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods(loyaltyPaths['/api/loyalty/config'])
