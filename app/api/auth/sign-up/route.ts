import { anonymousAttempts, evenFailures } from '@/lib/auth/limits'
import { authPaths } from '@/lib/auth/operations'
import { noteSignIn } from '@/lib/auth/sign-in'
import { signUp } from '@/lib/auth/sign-up'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...authPaths['/api/auth/sign-up'].post,
  attempts: ({ request, body }) => anonymousAttempts('sign-up', request, body.email),
  handler: async ({ request, cookies, body }) => {
    const standing = await evenFailures(() => signUp(cookies, body))
    if (standing?.missing)
      return Response.json({ success: true, second_factor: standing.missing }, { status: 202 })
    if (!standing) return Response.json({ success: true, confirm: true }, { status: 202 })
    await noteSignIn(request, standing.session)
    const { user_id: id, email, role } = standing.session
    return Response.json({ success: true, user: { id, email, role } }, { status: 201 })
  },
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/sign-up'])
