import { mergeCustomers } from '@/lib/customers/merge-customers'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const POST = defineRoute({
  ...customerPaths['/api/customers/{id}/merge'].post,
  handler: async ({ session, params, body }) => ({ data: await mergeCustomers(session, params.id, body) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  customerPaths['/api/customers/{id}/merge'],
)
