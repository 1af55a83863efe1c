import { campaignPaths } from '@/lib/campaigns/operations'
import { previewCampaign } from '@/lib/campaigns/preview'
import { previewsOf } from '@/lib/http/rate-limit'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...campaignPaths['/api/campaigns/preview'].post,
  attempts: ({ session }) => previewsOf(session),
  handler: async ({ session, body }) => ({ data: await previewCampaign(session, body) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  campaignPaths['/api/campaigns/preview'],
)
