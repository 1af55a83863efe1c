import { guestCard, saveGuestNotes } from '@/lib/customers/guest-card'
import { guestCardPaths } from '@/lib/customers/guest-card-schema'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = guestCardPaths['/api/service/guests/{id}']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, params }) => ({ data: await guestCard(session, params.id) }),
})

export const PATCH = defineRoute({
  ...operations.patch,
  handler: async ({ session, params, body }) => ({
    data: await saveGuestNotes(session, params.id, body.notes),
  }),
})

export const { POST, PUT, DELETE, OPTIONS } = otherMethods(guestCardPaths['/api/service/guests/{id}'])
