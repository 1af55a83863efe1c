import { signOut } from '@/lib/auth/sign-in'
import { defineRoute } from '@/lib/http/define-route'

export const POST = defineRoute({ auth: 'none', handler: ({ cookies }) => signOut(cookies) })
