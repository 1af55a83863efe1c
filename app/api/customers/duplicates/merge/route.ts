import { countDuplicates, mergeDuplicates } from '@/lib/customers/merge-duplicates'
import { customerPaths } from '@/lib/customers/operations'
import { previewsOf } from '@/lib/http/rate-limit'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = customerPaths['/api/customers/duplicates/merge']

export const GET = defineRoute({
  ...operations.get,
  attempts: ({ session }) => previewsOf(session),
  handler: async ({ session, query }) => ({ data: await countDuplicates(session, query) }),
})

export const POST = defineRoute({
  ...operations.post,
  handler: async ({ session, body }) => ({ data: await mergeDuplicates(session, body) }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/duplicates/merge'])
