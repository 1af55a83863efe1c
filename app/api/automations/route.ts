import { createAutomation } from '@/lib/automations/create-automation'
import { listAutomations } from '@/lib/automations/list-automations'
import { automationPaths } from '@/lib/automations/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

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
