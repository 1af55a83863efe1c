import { campaignPaths } from '@/lib/campaigns/operations'
import { getCampaign } from '@/lib/campaigns/reads'
import { changeCampaign, deleteCampaign } from '@/lib/campaigns/writes'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = campaignPaths['/api/campaigns/{id}']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, params }) => ({ data: await getCampaign(session, params.id) }),
})

export const PATCH = defineRoute({
  ...operations.patch,
  handler: async ({ session, params, body }) => ({ data: await changeCampaign(session, params.id, body) }),
})

export const DELETE = defineRoute({
  ...operations.delete,
  handler: async ({ session, params }) => {
    await deleteCampaign(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { POST, PUT, OPTIONS } = otherMethods(campaignPaths['/api/campaigns/{id}'])
