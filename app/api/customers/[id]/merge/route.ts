import { mergeCustomers } from '@/lib/customers/duplicates'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...customerPaths['/api/customers/{id}/merge'].post,
  handler: async ({ session, params, body }) => ({ data: await mergeCustomers(session, params.id, body) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  customerPaths['/api/customers/{id}/merge'],
)
