import { loyaltyPaths } from '@/lib/loyalty/operations'
import { recalculateTiers } from '@/lib/loyalty/recalculate'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 60

export const POST = defineRoute({
  ...loyaltyPaths['/api/loyalty/recalculate'].post,
  handler: ({ session }) => recalculateTiers(session),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  loyaltyPaths['/api/loyalty/recalculate'],
)
