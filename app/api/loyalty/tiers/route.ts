import { loyaltyPaths } from '@/lib/loyalty/operations'
import { listTiers } from '@/lib/loyalty/tiers'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...loyaltyPaths['/api/loyalty/tiers'].get,
  handler: async ({ session }) => ({ data: await listTiers(session), next_cursor: null }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(loyaltyPaths['/api/loyalty/tiers'])
