import { onReplica } from '@/lib/auth/session'
import { listCities } from '@/lib/customers/list-customers'
import { customerPaths } from '@/lib/customers/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...customerPaths['/api/customers/cities'].get,
  handler: async ({ session, query }) => ({
    data: await listCities(onReplica(session), query.search),
    next_cursor: null,
  }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(customerPaths['/api/customers/cities'])
