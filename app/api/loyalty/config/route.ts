import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { readConfig, writeConfig } from '@/lib/loyalty/config'
import { loyaltyPaths } from '@/lib/loyalty/operations'

export const GET = defineRoute({
  ...loyaltyPaths['/api/loyalty/config'].get,
  handler: ({ session }) => readConfig(session),
})

export const PUT = defineRoute({
  ...loyaltyPaths['/api/loyalty/config'].put,
  handler: ({ session, body }) => writeConfig(session, body),
})

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods(loyaltyPaths['/api/loyalty/config'])
