import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { invite, listInvitations } from '@/lib/team/invitations'
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
