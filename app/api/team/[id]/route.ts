import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { changeMember, removeMember } from '@/lib/team/members'
import { teamPaths } from '@/lib/team/operations'

export const PATCH = defineRoute({
  ...teamPaths['/api/team/{id}'].patch,
  handler: async ({ session, params, body }) => ({ data: await changeMember(session, params.id, body) }),
})

export const DELETE = defineRoute({
  ...teamPaths['/api/team/{id}'].delete,
  handler: async ({ session, params }) => {
    await removeMember(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, OPTIONS } = otherMethods(teamPaths['/api/team/{id}'])
