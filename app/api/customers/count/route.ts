import { customerPaths } from '@/lib/customers/operations'
import { countCustomers } from '@/lib/customers/tag-customers'
import { previewsOf } from '@/lib/http/rate-limit'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...customerPaths['/api/customers/count'].get,
  attempts: ({ session }) => previewsOf(session),
  handler: async ({ session, query }) => ({ data: await countCustomers(session, query) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/count'])
