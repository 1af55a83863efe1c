import { campaignPaths } from '@/lib/campaigns/operations'
import { sentMessage } from '@/lib/campaigns/sent'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...campaignPaths['/api/campaigns/{id}/sent'].get,
  handler: async ({ session, params, query }) => ({ data: await sentMessage(session, params.id, query) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(campaignPaths['/api/campaigns/{id}/sent'])
