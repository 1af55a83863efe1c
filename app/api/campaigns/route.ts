import { campaignPaths } from '@/lib/campaigns/operations'
import { listCampaigns } from '@/lib/campaigns/reads'
import { createCampaign } from '@/lib/campaigns/writes'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = campaignPaths['/api/campaigns']

export const GET = defineRoute({
  ...operations.get,
  handler: ({ session, query }) => listCampaigns(session, query),
})

export const POST = defineRoute({
  ...operations.post,
  handler: async ({ session, body }) =>
    Response.json({ data: await createCampaign(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(campaignPaths['/api/campaigns'])
