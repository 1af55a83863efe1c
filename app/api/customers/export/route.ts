import { exportCustomers } from '@/lib/customers/export-list'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const maxDuration = 300

export const GET = defineRoute({
  ...customerPaths['/api/customers/export'].get,
  attempts: ({ session }) => ({ seconds: 3600, most: { [`customers-export:${session.user_id}`]: 10 } }),
  handler: ({ session, query }) => exportCustomers(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/export'])
