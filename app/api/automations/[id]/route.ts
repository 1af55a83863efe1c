import { automationPaths } from '@/lib/automations/operations'
import { getAutomation } from '@/lib/automations/reads'
import { changeAutomation, deleteAutomation } from '@/lib/automations/writes'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = automationPaths['/api/automations/{id}']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, params }) => ({ data: await getAutomation(session, params.id) }),
})

export const PATCH = defineRoute({
  ...operations.patch,
  handler: async ({ session, params, body }) => ({
    data: await changeAutomation(session, params.id, body),
  }),
})

export const DELETE = defineRoute({
  ...operations.delete,
  handler: async ({ session, params }) => {
    await deleteAutomation(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { POST, PUT, OPTIONS } = otherMethods(automationPaths['/api/automations/{id}'])
