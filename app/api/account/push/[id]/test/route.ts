import { tryPushDevice } from '@/lib/push/devices'
import { pushPaths } from '@/lib/push/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...pushPaths['/api/account/push/{id}/test'].post,
  rateLimit: ({ session }) => `push-test:${session.user_id}`,
  handler: async ({ session, params }) => ({ data: await tryPushDevice(session, params.id) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  pushPaths['/api/account/push/{id}/test'],
)
