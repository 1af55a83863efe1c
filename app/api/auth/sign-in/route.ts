import { clientAddress } from '@/lib/auth/client-address'
import { credentialsSchema, signIn } from '@/lib/auth/sign-in'
import { defineRoute } from '@/lib/http/define-route'

export const POST = defineRoute({
  auth: 'none',
  body: credentialsSchema,
  rateLimit: ({ request, body }) => `sign-in:${clientAddress(request)}:${body.email}`,
  handler: ({ cookies, body }) => signIn(cookies, body),
})
