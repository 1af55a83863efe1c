import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { endMemberSessions } from '@/lib/team/members'
import { teamPaths } from '@/lib/team/operations'

export const POST = defineRoute({
  ...teamPaths['/api/team/{id}/end-sessions'].post,
  handler: async ({ session, params }) => {
    await endMemberSessions(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  teamPaths['/api/team/{id}/end-sessions'],
)
