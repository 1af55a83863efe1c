import { exportCustomer } from '@/lib/customers/export-customer'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const GET = defineRoute({
  ...customerPaths['/api/customers/{id}/export'].get,
  attempts: ({ session }) => ({ seconds: 3600, most: { [`customer-export:${session.user_id}`]: 10 } }),
  handler: ({ session, params }) => exportCustomer(session, params.id),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/{id}/export'])
