import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { teamPaths } from '@/lib/team/operations'
import { makePasswordLink } from '@/lib/team/password-link'

export const POST = defineRoute({
  ...teamPaths['/api/team/{id}/password-link'].post,
  attempts: ({ session }) => ({ seconds: 3600, most: { [`password-link:${session.user_id}`]: 10 } }),
  handler: async ({ session, params, request }) => {
    const link = await makePasswordLink(session, params.id, new URL(request.url).origin)
    return Response.json({ data: link }, { status: 201 })
  },
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  teamPaths['/api/team/{id}/password-link'],
)
