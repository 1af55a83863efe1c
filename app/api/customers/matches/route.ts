import { findMatches } from '@/lib/customers/matches'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...customerPaths['/api/customers/matches'].post,
  // The form sends a request each time the typing pauses.
  attempts: ({ session }) => ({ seconds: 60, most: { [`customer-matches:${session.user_id}`]: 120 } }),
  handler: ({ session, body }) => findMatches(session, body),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  customerPaths['/api/customers/matches'],
)
