import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { listTeam } from '@/lib/team/list-team'
import { teamPaths } from '@/lib/team/operations'

export const GET = defineRoute({
  ...teamPaths['/api/team'].get,
  handler: ({ session, query }) => listTeam(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(teamPaths['/api/team'])
