import { sessionPaths } from '@/lib/account/operations'
import { endMySessions } from '@/lib/account/sessions'
import { signOut } from '@/lib/auth/sign-in'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...sessionPaths['/api/auth/sessions/end'].post,
  handler: async ({ session, cookies, body: { which } }) => {
    await endMySessions(session, which)
    return which === 'everywhere' ? signOut(cookies) : { success: true }
  },
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(sessionPaths['/api/auth/sessions/end'])
