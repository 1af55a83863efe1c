import { exportCustomer } from '@/lib/customers/export'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...customerPaths['/api/customers/{id}/export'].get,
  handler: ({ session, params }) => exportCustomer(session, params.id),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/{id}/export'])
