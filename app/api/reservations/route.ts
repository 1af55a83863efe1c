import { reservationPaths } from '@/lib/reservations/operations'
import { queryReservations } from '@/lib/reservations/reads'
import { saveReservation } from '@/lib/reservations/save-reservation'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...reservationPaths['/api/reservations'].get,
  handler: ({ session, query }) => queryReservations(session, query),
})

export const POST = defineRoute({
  ...reservationPaths['/api/reservations'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await saveReservation(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(reservationPaths['/api/reservations'])
