import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { withdrawInvitation } from '@/lib/team/invitations'
import { teamPaths } from '@/lib/team/operations'

export const DELETE = defineRoute({
  ...teamPaths['/api/team/invitations/{id}'].delete,
  handler: async ({ session, params }) => {
    await withdrawInvitation(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(teamPaths['/api/team/invitations/{id}'])
