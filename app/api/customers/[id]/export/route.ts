import { exportCustomer } from '@/lib/customers/export-customer'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/http/define-route'

export const GET = defineRoute({
  ...customerPaths['/api/customers/{id}/export'].get,
  handler: ({ session, params }) => exportCustomer(session, params.id),
})
