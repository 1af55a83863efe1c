import { campaignPaths } from '@/lib/campaigns/operations'
import { sendCampaignTest } from '@/lib/campaigns/send-test'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...campaignPaths['/api/campaigns/{id}/test'].post,
  // One limit with the tests of automations: each may be an SMS to pay for.
  rateLimit: ({ session }) => `automations-test:${session.user_id}`,
  handler: async ({ session, params, body }) => ({ data: await sendCampaignTest(session, params.id, body) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  campaignPaths['/api/campaigns/{id}/test'],
)
