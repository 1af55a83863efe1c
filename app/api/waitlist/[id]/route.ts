import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { waitlistPaths } from '@/lib/waitlist/operations'
import { changeWaiting } from '@/lib/waitlist/waitlist'

const operations = waitlistPaths['/api/waitlist/{id}']

export const PATCH = defineRoute({
  ...operations.patch,
  handler: async ({ session, params, body }) => ({ data: await changeWaiting(session, params.id, body) }),
})

export const { GET, HEAD, POST, PUT, DELETE, OPTIONS } = otherMethods(waitlistPaths['/api/waitlist/{id}'])
