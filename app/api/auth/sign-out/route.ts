import { authPaths } from '@/lib/auth/operations'
import { signOut } from '@/lib/auth/sign-in'
import { defineRoute } from '@/lib/http/define-route'

export const POST = defineRoute({
  ...authPaths['/api/auth/sign-out'].post,
  handler: ({ cookies }) => signOut(cookies),
})
