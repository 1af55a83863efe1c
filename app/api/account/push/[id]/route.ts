import { removePushDevice } from '@/lib/push/devices'
import { pushPaths } from '@/lib/push/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const DELETE = defineRoute({
  ...pushPaths['/api/account/push/{id}'].delete,
  handler: async ({ session, params }) => {
    await removePushDevice(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(pushPaths['/api/account/push/{id}'])
