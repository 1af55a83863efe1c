import { onReplica } from '@/lib/auth/session'
import { overviewPaths } from '@/lib/overview/operations'
import { statsOverview } from '@/lib/overview/stats'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...overviewPaths['/api/stats/overview'].get,
  handler: async ({ session, query }) => ({ data: await statsOverview(onReplica(session), query) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(overviewPaths['/api/stats/overview'])
