import { automationPaths } from '@/lib/automations/operations'
import { readSending, stopSending } from '@/lib/automations/stop-sending'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

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
