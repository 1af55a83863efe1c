import { mergeCustomers } from '@/lib/customers/merge-customers'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/http/define-route'

export const POST = defineRoute({
  ...customerPaths['/api/customers/{id}/merge'].post,
  handler: async ({ session, params, body }) => ({ data: await mergeCustomers(session, params.id, body) }),
})
