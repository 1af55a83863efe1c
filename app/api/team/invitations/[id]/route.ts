import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { teamPaths } from '@/lib/team/operations'
import { withdrawInvitation } from '@/lib/team/withdraw-invitation'

export const DELETE = defineRoute({
  ...teamPaths['/api/team/invitations/{id}'].delete,
  handler: async ({ session, params }) => {
    await withdrawInvitation(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(teamPaths['/api/team/invitations/{id}'])
