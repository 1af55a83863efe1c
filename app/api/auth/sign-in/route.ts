import { evenFailures } from '@/lib/auth/even-failures'
import { authPaths } from '@/lib/auth/operations'
import { signIn } from '@/lib/auth/sign-in'
import { limitSignIn } from '@/lib/auth/sign-in-limit'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

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
