import { organizationPaths } from '@/lib/organization/operations'
import { organizationAssignments, organizationContext } from '@/lib/organization/organization'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...organizationPaths['/api/organization/context'].get,
  handler: async ({ session, query }) =>
    query.view === 'assignments' ? organizationAssignments(session) : organizationContext(session),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  organizationPaths['/api/organization/context'],
)
