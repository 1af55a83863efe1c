import { defineRoute } from '@/lib/http/define-route'
import { listTeam } from '@/lib/team/list-team'
import { teamPaths } from '@/lib/team/operations'

export const GET = defineRoute({
  ...teamPaths['/api/team'].get,
  handler: ({ session, query }) => listTeam(session, query),
})
