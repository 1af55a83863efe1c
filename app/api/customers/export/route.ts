import { exportCustomers } from '@/lib/customers/export'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const GET = defineRoute({
  ...customerPaths['/api/customers/export'].get,
  handler: ({ session, query }) => exportCustomers(session, query),
})

export const POST = defineRoute({
  ...customerPaths['/api/customers/export'].post,
  handler: ({ session, body }) => exportCustomers(session, body),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/export'])
