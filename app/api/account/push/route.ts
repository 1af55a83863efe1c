import { myPush, savePushDevice } from '@/lib/push/devices'
import { pushPaths } from '@/lib/push/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = pushPaths['/api/account/push']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session }) => ({ data: await myPush(session) }),
})

export const PUT = defineRoute({
  ...operations.put,
  handler: async ({ request, session, body }) => ({ data: await savePushDevice(request, session, body) }),
})

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods(pushPaths['/api/account/push'])
