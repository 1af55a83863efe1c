import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { changeMember } from '@/lib/team/change-member'
import { teamPaths } from '@/lib/team/operations'
import { removeMember } from '@/lib/team/remove-member'

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
