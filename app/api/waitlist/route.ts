import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { offerTablesSoon } from '@/lib/waitlist/offer-tables'
import { waitlistPaths } from '@/lib/waitlist/operations'
import { joinWaitlist, listWaiting } from '@/lib/waitlist/waitlist'

const operations = waitlistPaths['/api/waitlist']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, query }) => ({ data: await listWaiting(session, query.location_id) }),
})

export const POST = defineRoute({
  ...operations.post,
  handler: async ({ session, body }) => {
    const data = await joinWaitlist(session, body)
    offerTablesSoon(session.organization.id)
    return Response.json({ data }, { status: 201 })
  },
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(waitlistPaths['/api/waitlist'])
