import { evenFailures, limitSignIn } from '@/lib/auth/limits'
import { authPaths } from '@/lib/auth/operations'
import { signIn } from '@/lib/auth/sign-in'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...authPaths['/api/auth/sign-in'].post,
  handler: async ({ request, cookies, body }) => {
    const attempt = () =>
      limitSignIn(
        request,
        body.email,
        () => signIn(request, cookies, body),
        (result) => 'user' in result,
      )
    const result = await evenFailures(attempt)
    return 'user' in result ? result : Response.json(result, { status: 202 })
  },
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/sign-in'])
