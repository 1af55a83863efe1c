import { authPaths } from '@/lib/auth/operations'
import { signOut } from '@/lib/auth/sign-in'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...authPaths['/api/auth/sign-out'].post,
  handler: ({ cookies }) => signOut(cookies),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/sign-out'])
