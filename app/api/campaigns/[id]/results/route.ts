import { campaignPaths } from '@/lib/campaigns/operations'
import { campaignResults } from '@/lib/campaigns/results'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...campaignPaths['/api/campaigns/{id}/results'].get,
  handler: async ({ session, params }) => ({ data: await campaignResults(session, params.id) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  campaignPaths['/api/campaigns/{id}/results'],
)
