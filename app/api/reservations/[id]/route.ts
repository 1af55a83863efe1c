import { withItsAllergies } from '@/lib/customers/allergies'
import { sendPushSoon } from '@/lib/push/send'
import { reservationPaths } from '@/lib/reservations/operations'
import { readReservation } from '@/lib/reservations/reads'
import { saveReservation } from '@/lib/reservations/save-reservation'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { offerTablesSoon } from '@/lib/waitlist/offer-tables'

export const GET = defineRoute({
  ...reservationPaths['/api/reservations/{id}'].get,
  handler: async ({ session, params }) => ({
    data: await withItsAllergies(session, await readReservation(session, params.id)),
  }),
})

export const PATCH = defineRoute({
  ...reservationPaths['/api/reservations/{id}'].patch,
  handler: async ({ session, params, body }) => {
    const data = await saveReservation(session, body, params.id)
    sendPushSoon()
    offerTablesSoon(session.organization.id)
    return { data }
  },
})

export const { POST, PUT, DELETE, OPTIONS } = otherMethods(reservationPaths['/api/reservations/{id}'])
