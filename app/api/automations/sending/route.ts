import { readSending, stopSending } from '@/lib/automations/control-runs'
import { automationPaths } from '@/lib/automations/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const paths = automationPaths['/api/automations/sending']

export const GET = defineRoute({
  ...paths.get,
  handler: async ({ session }) => ({ data: await readSending(session) }),
})

export const PUT = defineRoute({
  ...paths.put,
  handler: async ({ session, body }) => ({ data: await stopSending(session, body.stopped) }),
})

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods(automationPaths['/api/automations/sending'])
