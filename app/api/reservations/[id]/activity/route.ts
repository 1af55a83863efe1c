import { reservationPaths } from '@/lib/reservations/operations'
import { reservationActivity } from '@/lib/reservations/reads'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...reservationPaths['/api/reservations/{id}/activity'].get,
  handler: async ({ session, params }) => ({ data: await reservationActivity(session, params.id) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  reservationPaths['/api/reservations/{id}/activity'],
)
