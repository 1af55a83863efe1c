import { campaignPaths } from '@/lib/campaigns/operations'
import { campaignCheck } from '@/lib/campaigns/preview'
import { previewsOf } from '@/lib/http/rate-limit'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...campaignPaths['/api/campaigns/{id}/check'].get,
  attempts: ({ session }) => previewsOf(session),
  handler: async ({ session, params }) => ({ data: await campaignCheck(session, params.id) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(campaignPaths['/api/campaigns/{id}/check'])
