import { customerPaths } from '@/lib/customers/operations'
import { readFacts, recordFacts } from '@/lib/customers/record-facts'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...customerPaths['/api/customers/{id}/facts'].get,
  handler: async ({ session, params }) => ({ data: await readFacts(session, params.id) }),
})

export const PUT = defineRoute({
  ...customerPaths['/api/customers/{id}/facts'].put,
  handler: async ({ session, params, body }) => ({ data: await recordFacts(session, params.id, body) }),
})

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/{id}/facts'])
