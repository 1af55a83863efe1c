import { anonymousAttempts, evenFailures } from '@/lib/auth/limits'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { setupPaths } from '@/lib/setup/operations'
import { setUp } from '@/lib/setup/setup'

export const POST = defineRoute({
  ...setupPaths['/api/setup'].post,
  attempts: ({ request }) => anonymousAttempts('setup', request),
  handler: async ({ request, cookies, body }) => {
    const signed_in = await evenFailures(() => setUp(request, cookies, body))
    return Response.json({ success: true, signed_in }, { status: 201 })
  },
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(setupPaths['/api/setup'])
