import { onReplica } from '@/lib/auth/session'
import { listCustomers } from '@/lib/customers/list-customers'
import { customerPaths } from '@/lib/customers/operations'
import { saveCustomer } from '@/lib/customers/save-customer'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...customerPaths['/api/customers'].get,
  handler: ({ session, query }) => listCustomers(onReplica(session), query),
})

export const POST = defineRoute({
  ...customerPaths['/api/customers'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await saveCustomer(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers'])
