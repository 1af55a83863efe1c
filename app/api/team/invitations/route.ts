import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { invite } from '@/lib/team/invite'
import { listInvitations } from '@/lib/team/list-invitations'
import { teamPaths } from '@/lib/team/operations'

export const GET = defineRoute({
  ...teamPaths['/api/team/invitations'].get,
  handler: ({ session, query }) => listInvitations(session, query),
})

export const POST = defineRoute({
  ...teamPaths['/api/team/invitations'].post,
  handler: async ({ session, body, request }) =>
    Response.json({ data: await invite(session, body, new URL(request.url).origin) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(teamPaths['/api/team/invitations'])
