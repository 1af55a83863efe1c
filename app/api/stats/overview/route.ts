import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { overviewPaths } from '@/lib/overview/operations'
import { statsOverview } from '@/lib/overview/stats'

export const GET = defineRoute({
  ...overviewPaths['/api/stats/overview'].get,
  handler: async ({ session, query }) => ({ data: await statsOverview(session, query) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(overviewPaths['/api/stats/overview'])
