import { customerPaths } from '@/lib/customers/operations'
import { queryCustomers } from '@/lib/customers/query-customers'
import { saveCustomer } from '@/lib/customers/save-customer'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const GET = defineRoute({
  ...customerPaths['/api/customers'].get,
  handler: ({ session, query }) => queryCustomers(session, query),
})

export const POST = defineRoute({
  ...customerPaths['/api/customers'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await saveCustomer(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers'])
