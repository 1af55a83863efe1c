import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { loyaltyPaths } from '@/lib/loyalty/operations'
import { recalculateTiers } from '@/lib/loyalty/recalculate'

export const maxDuration = 60

export const POST = defineRoute({
  ...loyaltyPaths['/api/loyalty/recalculate'].post,
  handler: ({ session }) => recalculateTiers(session),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  loyaltyPaths['/api/loyalty/recalculate'],
)
