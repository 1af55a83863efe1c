import { launchCampaign } from '@/lib/campaigns/moves'
import { campaignPaths } from '@/lib/campaigns/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const POST = defineRoute({
  ...campaignPaths['/api/campaigns/{id}/launch'].post,
  handler: async ({ session, params, body }) => ({
    data: await launchCampaign(session, params.id, body),
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  campaignPaths['/api/campaigns/{id}/launch'],
)
