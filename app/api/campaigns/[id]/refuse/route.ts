import { moveCampaign } from '@/lib/campaigns/moves'
import { campaignPaths } from '@/lib/campaigns/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...campaignPaths['/api/campaigns/{id}/refuse'].post,
  handler: async ({ session, params }) => ({ data: await moveCampaign(session, params.id, 'refuse') }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  campaignPaths['/api/campaigns/{id}/refuse'],
)
