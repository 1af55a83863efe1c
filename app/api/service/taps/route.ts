import { sendPushSoon } from '@/lib/push/send'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { servicePaths } from '@/lib/service/operations'
import { takeTaps } from '@/lib/service/service'
import { offerTablesSoon } from '@/lib/waitlist/offer-tables'

export const POST = defineRoute({
  ...servicePaths['/api/service/taps'].post,
  handler: async ({ session, body }) => {
    const data = await takeTaps(session, body.location_id, body.taps)
    sendPushSoon()
    offerTablesSoon(session.organization.id)
    return { data }
  },
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(servicePaths['/api/service/taps'])
