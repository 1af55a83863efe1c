import { campaignPaths } from '@/lib/campaigns/operations'
import { copyCampaign } from '@/lib/campaigns/writes'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...campaignPaths['/api/campaigns/{id}/copy'].post,
  handler: async ({ session, params }) =>
    Response.json({ data: await copyCampaign(session, params.id) }, { status: 201 }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  campaignPaths['/api/campaigns/{id}/copy'],
)
