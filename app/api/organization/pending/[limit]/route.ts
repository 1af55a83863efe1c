import { organizationPaths } from '@/lib/organization/operations'
import { withdrawLimit } from '@/lib/organization/pending'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const DELETE = defineRoute({
  ...organizationPaths['/api/organization/pending/{limit}'].delete,
  handler: async ({ session, params }) => {
    await withdrawLimit(session, params.limit)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(
  organizationPaths['/api/organization/pending/{limit}'],
)
