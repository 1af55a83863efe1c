import { onReplica } from '@/lib/auth/session'
import { listTags } from '@/lib/customers/list-customers'
import { customerPaths } from '@/lib/customers/operations'
import { tagCustomers } from '@/lib/customers/tag-customers'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...customerPaths['/api/customers/tags'].get,
  handler: async ({ session }) => ({ data: await listTags(onReplica(session)), next_cursor: null }),
})

export const POST = defineRoute({
  ...customerPaths['/api/customers/tags'].post,
  rateLimit: ({ session }) => `customer-tags:${session.user_id}`,
  handler: async ({ session, body }) => ({ data: await tagCustomers(session, body) }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/tags'])
