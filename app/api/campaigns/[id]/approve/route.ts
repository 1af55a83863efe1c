import { moveCampaign } from '@/lib/campaigns/moves'
import { campaignPaths } from '@/lib/campaigns/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300
export const POST = defineRoute({
  ...campaignPaths['/api/campaigns/{id}/approve'].post,
  handler: async ({ session, params, body }) => ({
    data: await moveCampaign(session, params.id, 'approve', body),
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  campaignPaths['/api/campaigns/{id}/approve'],
)
