import { z } from 'zod'
import { defineRoute } from '@/lib/http/define-route'
import { organizationAssignments, organizationContext } from '@/lib/organization/context'

export const GET = defineRoute({
  auth: 'optional',
  query: z.object({ view: z.string().optional() }),
  failure: (message) => ({ success: false, error: message }),
  handler: async ({ session, query }) =>
    query.view === 'assignments' ? organizationAssignments(session) : organizationContext(session),
})
