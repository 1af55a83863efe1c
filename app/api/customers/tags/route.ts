import { listTags } from '@/lib/customers/list-tags'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const GET = defineRoute({
  ...customerPaths['/api/customers/tags'].get,
  handler: async ({ session }) => ({ data: await listTags(session), next_cursor: null }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/tags'])
