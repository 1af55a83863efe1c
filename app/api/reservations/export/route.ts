import { exportReservations } from '@/lib/reservations/export'
import { reservationPaths } from '@/lib/reservations/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const GET = defineRoute({
  ...reservationPaths['/api/reservations/export'].get,
  handler: ({ session, query }) => exportReservations(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  reservationPaths['/api/reservations/export'],
)
