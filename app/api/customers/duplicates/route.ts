import { listDuplicates } from '@/lib/customers/duplicates'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...customerPaths['/api/customers/duplicates'].get,
  handler: ({ session, query }) => listDuplicates(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/duplicates'])
