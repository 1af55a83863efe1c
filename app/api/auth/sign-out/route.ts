import { authPaths } from '@/lib/auth/operations'
import { signOut } from '@/lib/auth/sign-in'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

// What the browser keeps of pages and scripts goes too, for who comes next to the same device.
const CLEARED = { 'Clear-Site-Data': '"cache", "storage"' }

export const POST = defineRoute({
  ...authPaths['/api/auth/sign-out'].post,
  handler: async ({ cookies }) => Response.json(await signOut(cookies), { headers: CLEARED }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(authPaths['/api/auth/sign-out'])
