import { automationPaths } from '@/lib/automations/operations'
import { listAutomations } from '@/lib/automations/reads'
import { createAutomation } from '@/lib/automations/writes'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...automationPaths['/api/automations'].get,
  handler: ({ session, query }) => listAutomations(session, query),
})

export const POST = defineRoute({
  ...automationPaths['/api/automations'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await createAutomation(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(automationPaths['/api/automations'])
