import { automationPaths } from '@/lib/automations/operations'
import { previewDraft } from '@/lib/automations/preview'
import { previewsOf } from '@/lib/http/rate-limit'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...automationPaths['/api/automations/preview'].post,
  attempts: ({ session }) => previewsOf(session),
  handler: async ({ session, body }) => ({ data: await previewDraft(session, body) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  automationPaths['/api/automations/preview'],
)
