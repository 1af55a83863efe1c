import { organizationPaths } from '@/lib/organization/operations'
import { approveLimit } from '@/lib/organization/pending'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...organizationPaths['/api/organization/pending/{limit}/approve'].post,
  handler: async ({ session, params, query }) => approveLimit(session, params.limit, query),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  organizationPaths['/api/organization/pending/{limit}/approve'],
)
