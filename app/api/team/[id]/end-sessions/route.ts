import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { endMemberSessions } from '@/lib/team/end-member-sessions'
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
