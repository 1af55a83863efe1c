import { automationPaths } from '@/lib/automations/operations'
import { previewDraft } from '@/lib/automations/preview'
import { defineRoute } from '@/lib/http/define-route'

export const POST = defineRoute({
  ...automationPaths['/api/automations/preview'].post,
  handler: async ({ session, body }) => ({ data: await previewDraft(session, body) }),
})
