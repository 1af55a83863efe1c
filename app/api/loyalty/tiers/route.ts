import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { listTiers } from '@/lib/loyalty/list-tiers'
import { loyaltyPaths } from '@/lib/loyalty/operations'

export const GET = defineRoute({
  ...loyaltyPaths['/api/loyalty/tiers'].get,
  handler: async ({ session }) => ({ data: await listTiers(session), next_cursor: null }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(loyaltyPaths['/api/loyalty/tiers'])
