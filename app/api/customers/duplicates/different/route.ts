import { judgeDuplicates, listPairs } from '@/lib/customers/duplicates'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = customerPaths['/api/customers/duplicates/different']

export const GET = defineRoute({
  ...operations.get,
  handler: ({ session, query }) => listPairs(session, query),
})

export const PUT = defineRoute({
  ...operations.put,
  handler: ({ session, body }) => judgeDuplicates(session, body),
})

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods(
  customerPaths['/api/customers/duplicates/different'],
)
