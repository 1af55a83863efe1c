import { listDuplicates } from '@/lib/customers/list-duplicates'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const GET = defineRoute({
  ...customerPaths['/api/customers/duplicates'].get,
  handler: ({ session, query }) => listDuplicates(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/duplicates'])
