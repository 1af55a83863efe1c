import { previewsOf } from '@/lib/http/rate-limit'
import { loyaltyPaths } from '@/lib/loyalty/operations'
import { previewChanges } from '@/lib/loyalty/recalculate'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 60

export const POST = defineRoute({
  ...loyaltyPaths['/api/loyalty/preview'].post,
  attempts: ({ session }) => previewsOf(session),
  handler: async ({ session, body, request }) => ({
    data: await previewChanges(session, body.changes, request.signal),
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(loyaltyPaths['/api/loyalty/preview'])
