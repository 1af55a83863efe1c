import { endMySessions } from '@/lib/auth/my-sessions'
import { sessionPaths } from '@/lib/auth/session-operations'
import { signOut } from '@/lib/auth/sign-in'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const POST = defineRoute({
  ...sessionPaths['/api/auth/sessions/end'].post,
  handler: async ({ session, cookies, body: { which } }) => {
    await endMySessions(session, which)
    return which === 'everywhere' ? signOut(cookies) : { success: true }
  },
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(sessionPaths['/api/auth/sessions/end'])
