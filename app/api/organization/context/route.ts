import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { organizationAssignments, organizationContext } from '@/lib/organization/context'
import { organizationPaths } from '@/lib/organization/operations'

export const GET = defineRoute({
  ...organizationPaths['/api/organization/context'].get,
  handler: async ({ session, query }) =>
    query.view === 'assignments' ? organizationAssignments(session) : organizationContext(session),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  organizationPaths['/api/organization/context'],
)
