import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { listTeam } from '@/lib/team/members'
import { teamPaths } from '@/lib/team/operations'

export const GET = defineRoute({
  ...teamPaths['/api/team'].get,
  handler: ({ session, query }) => listTeam(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(teamPaths['/api/team'])
