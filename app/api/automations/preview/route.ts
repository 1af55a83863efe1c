import { automationPaths } from '@/lib/automations/operations'
import { previewDraft } from '@/lib/automations/preview'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const POST = defineRoute({
  ...automationPaths['/api/automations/preview'].post,
  handler: async ({ session, body }) => ({ data: await previewDraft(session, body) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/preview'],
)
