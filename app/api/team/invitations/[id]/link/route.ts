import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { renewInvitation } from '@/lib/team/invitations'
import { teamPaths } from '@/lib/team/operations'

export const POST = defineRoute({
  ...teamPaths['/api/team/invitations/{id}/link'].post,
  handler: async ({ session, params, request }) => ({
    data: await renewInvitation(session, params.id, new URL(request.url).origin),
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  teamPaths['/api/team/invitations/{id}/link'],
)
