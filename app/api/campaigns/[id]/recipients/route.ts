import { campaignPaths } from '@/lib/campaigns/operations'
import { exportRecipients, listRecipients } from '@/lib/campaigns/recipients'
import { refuseForeignOrigin } from '@/lib/http/origin'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const GET = defineRoute({
  ...campaignPaths['/api/campaigns/{id}/recipients'].get,
  handler: async ({ request, session, params, query }) => {
    if (query.format !== 'csv') return listRecipients(session, params.id, query)
    // A download is logged and counted, which another site must not bring about.
    if (session.role !== 'machine') refuseForeignOrigin(request)
    return exportRecipients(session, params.id, query)
  },
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  campaignPaths['/api/campaigns/{id}/recipients'],
)
